//! The commands, one per file.

pub mod backup;
pub mod check;
pub mod completions;
pub mod config;
mod consent;
pub mod deliveries;
mod delivery_view;
pub mod doctor;
pub mod erase;
pub mod export;
mod failure;
mod firm_turns;
pub mod firms;
pub mod healthcheck;
pub mod inquiries;
mod inquiry_text;
mod inquiry_view;
mod list;
mod listening;
pub mod manual;
pub mod newsletter;
pub mod person;
pub mod report;
pub mod restore;
pub mod serve;
mod source;
mod tls;
