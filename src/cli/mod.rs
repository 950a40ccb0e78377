//! The commands, one per file. Each returns a [`CliError`] if it did not do what it was told.

pub mod backup;
pub mod check;
pub mod config;
pub mod copy;
pub mod deliveries;
pub mod desk;
pub mod doctor;
pub mod erase;
pub mod export;
mod failure;
pub mod firms;
pub mod healthcheck;
pub mod inquiries;
pub mod mail;
pub mod manual;
mod named;
pub mod newsletter;
mod output;
pub mod person;
pub mod report;
pub mod restore;
pub mod reviews;
pub mod serve;
pub mod statement;

pub use failure::CliError;
