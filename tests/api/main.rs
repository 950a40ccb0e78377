//! Black-box tests. They start the program as an operator would, talk to it over the network, and check its responses,
//! files and exit codes. Nothing here knows its internals.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    missing_docs,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod harness;
#[allow(dead_code, reason = "other suites use the rest of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
#[path = "../samples/mod.rs"]
mod samples;
#[path = "../sinks/mod.rs"]
mod sinks;

mod assets;
mod caching;
mod claims;
mod compression;
mod legal;
mod links;
mod missing;
mod own_pages;
mod pages;
mod plain_form;
mod redirects;
mod settings;
mod sitemaps;
mod structured_data;

mod desk;
mod firm_pages;
mod funnel;
mod mailboxes;
mod newsletter;
mod photos;
mod private_requests;
mod statement;
mod visitor_pages;

mod accepting;
mod bodies;
mod idempotency;
mod limits;
mod methods;
mod openapi;
mod operators_day;
mod origins;
mod passing_on;
mod refusing;
mod representation;
mod reviews;
mod suspected;
mod times;
mod unreachable;

mod backup;
mod copy;
mod crash;
mod deliveries;
mod erase;
mod export_formats;
mod export_output;
mod export_ranges;
mod full_disk;
mod hanging_store;
mod instances;
mod lost_files;
mod ownership;
mod privacy;

mod acme;
mod commands;
mod config;
mod config_reload;
mod demo;
mod doctor;
mod endless_peers;
mod environment;
mod logging;
mod manual;
mod memory;
mod named_files;
mod shutdown;
mod start_failures;

mod access_log;
mod connection_limits;
mod heads;
mod hostile_logs;
mod http2;
mod listeners;
mod metrics;
mod networks;
mod protocol;
mod slow_clients;
mod stalling;
mod store_flag;
mod strictness;
mod systemd;
mod threads;
mod tls_files;
mod tls_redirects;
