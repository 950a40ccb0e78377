//! What every other room uses, without knowing any of them: text, files, logging, metrics, and the process itself.

pub(crate) mod files;
pub mod logging;
pub mod metrics;
pub mod panics;
pub mod process;
pub mod text;
