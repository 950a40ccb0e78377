//! Fuzz targets, run as tests: `cargo test --test fuzz`, or `scripts/fuzz SECONDS` for longer.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test fails by panicking"
)]

mod harness;

mod address;
mod backup;
mod config;
mod connection;
mod export;
mod form;
mod http2;
mod inquiry;
mod markdown;
mod photo;
mod record;
mod settings;
