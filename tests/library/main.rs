//! Tests of library modules that are too large to live next to the code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

mod commands;
mod connections;
mod control;
mod export;
mod inquiry;
mod matching;
mod openapi;
mod report;
