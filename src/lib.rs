//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
//!
//! The modules are listed in the order in which data flows: from the command line to the site, from the visitor's request
//! to the store, and from there to the operator. The library exists so that tests, fuzz targets and benchmarks can reach
//! every part; it is not a stable interface.

pub mod acme;
pub mod acme_flags;
pub mod arguments;
pub mod build_info;
pub mod cli;
pub mod command;
pub mod config;
mod file_identity;
pub mod keep_alive;
mod leftovers;
pub mod logging;
pub mod mail_address;
pub mod one_line;
pub mod origin;
pub mod panic_guard;
pub mod private_path;
pub mod process;
mod regular_file;

pub mod headers;
pub mod redirects;
mod scratch;
pub mod site;
pub mod templates;
mod texts;

mod client_counts;
pub mod client_ip;
pub mod common_limit;
pub mod daily_share;
pub mod error_body;
pub mod following;
pub mod funnel;
pub mod handler;
pub mod kept_bodies;
mod made_pages;
pub mod metrics;
pub mod rate_limit;
pub mod reload;
pub mod response;
pub mod seat;
pub mod server;
pub mod shutdown;
pub mod site_source;
pub mod systemd;
pub mod tls;

pub mod inquiry;
pub mod matching;
pub mod newsletter;
pub mod referral;
pub mod store;

pub mod mail;
pub mod outbox;
pub mod sending;
pub mod webhook;

pub mod control;
pub mod doctor;
pub mod export;
pub mod report;
