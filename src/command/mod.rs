//! The commands, one per file.

pub mod completions;
pub mod config;
pub mod erase;
pub mod export;
pub mod healthcheck;
pub mod serve;
