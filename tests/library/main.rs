//! Tests of library modules that are too large to live next to the code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

#[allow(dead_code, reason = "other suites use the rest of it")]
#[path = "../samples/inquiries.rs"]
mod inquiries;
#[allow(dead_code, reason = "other suites use the rest of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
#[path = "../samples/mod.rs"]
mod samples;
#[path = "../sinks/mod.rs"]
mod sinks;

mod acme;
mod commands;
mod connections;
mod control;
mod flags;
mod http2;
mod inquiry;
mod matching;
mod messages;
mod openapi;
mod outbox;
mod place;
mod report;
mod smtp;
mod webhook;
