//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
//!
//! The rooms are listed from the bottom up: each may use the rooms above it in this list, never those below it
//! (`docs/architecture.md`). Operators use [`operate`], by command, socket or desk; visitors use [`web`]; both share the [`store`].
//! The library exists so that tests, fuzz targets and benchmarks can reach every part; it is not a stable interface.

pub mod base;
pub mod domain;

pub mod config;
pub mod photo;
pub mod store;

pub mod site;

pub mod operate;
pub mod outbox;

pub mod web;

pub mod control;
pub mod server;

pub mod cli;
