//! The commands, one per file.

pub mod completions;
pub mod erase;
pub mod export;
pub mod healthcheck;
pub mod serve;
