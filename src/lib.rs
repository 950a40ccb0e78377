//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
//!
//! The modules are listed in the order in which data flows: from the command line to the site, from the visitor's request
//! to the store, and from there to the operator. The library exists so that tests, fuzz targets and benchmarks can reach
//! every part; it is not a stable interface.

pub mod acme;
pub mod cli;
pub mod command;
pub mod config;
mod files;
pub mod logging;
pub mod panics;
pub mod process;
pub mod text;

mod embedded;
pub mod http;
pub mod site;
pub mod templates;

pub mod funnel;
pub mod handler;
pub mod limits;
pub mod metrics;
pub mod reload;
pub mod server;
pub mod systemd;
pub mod tls;

pub mod commission;
pub mod inquiry;
pub mod ledger;
pub mod matching;
pub mod newsletter;
pub mod photo;
pub mod referral;
pub mod sandbox;
pub mod store;

pub mod mail;
pub mod outbox;
pub mod sending;
pub mod webhook;

pub mod control;
pub mod desk;
pub mod doctor;
pub mod export;
pub mod report;
pub mod statement;
