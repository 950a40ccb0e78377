//! Log lines on standard error. They never hold personal data: no field of an inquiry, no address of a client.

use std::io;

use tracing::level_filters::LevelFilter;

use crate::cli::LogFormat;

/// Starts logging. Called once the start has succeeded, so that a failed one prints its one line and nothing else.
pub fn start(format: LogFormat) {
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(io::stderr)
        .with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}
