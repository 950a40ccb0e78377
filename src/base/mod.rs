//! The foundation for all other rooms, without any dependency on them: text, files, logging, metrics and the process itself.

pub(crate) mod files;
pub mod logging;
pub mod metrics;
pub mod panics;
pub mod process;
pub mod text;
