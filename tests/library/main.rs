//! Tests of the library's modules that are too large to stand beside the code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test that meets the unexpected has failed"
)]

mod connections;
mod openapi;
