//! The store: what every engine must do, and what only a file can go through. Disks fail here and lose their power at
//! every step.
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
mod deliveries;
mod desk;
mod engines;
mod firms;
mod ledger;
mod photos;
mod referrals;
mod referred;
mod reviews;
mod subscriptions;
mod suite;
mod support;
mod turns;
mod upkeep;
mod withdrawals;

mod backups;
mod checking;
mod clocks;
mod copying;
mod damage;
mod disk;
mod doubts;
mod erasing;
mod faults;
mod files;
mod hanging;
mod image;
mod keys;
mod long_reads;
mod rng;
mod size;
mod steps;
mod strangers;
mod traces;
mod way;
