//! Tests of the store: the behaviour of every engine, and what only happens to files. Disks fail or lose power at every step.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    missing_docs,
    reason = "a test that meets the unexpected has failed"
)]

#[path = "../samples/inquiries.rs"]
mod inquiries;
#[allow(dead_code, reason = "other suites use the rest of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
#[path = "../samples/mod.rs"]
mod samples;

mod by_hand;
mod desk;
mod engines;
mod firms;
mod ledger;
mod referrals;
mod referred;
mod suite;
mod support;
mod upkeep;
mod withdrawals;

mod backups;
mod checking;
mod clocks;
mod copying;
mod damage;
mod disk;
mod erasing;
mod faults;
mod files;
mod image;
mod long_reads;
mod rng;
mod steps;
mod strangers;
mod traces;
