//! Log lines on standard error. They never hold personal data: no field of an inquiry, no address of a client.

mod queue;
mod throttle;

use std::io::{self, IsTerminal};
use std::sync::Arc;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use queue::Flush;
use queue::Queue;
pub use throttle::LogThrottle;

/// What log lines look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event
    Json,
}

/// What is logged of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLog {
    /// Nothing
    #[value(alias = "false", alias = "no", alias = "0")]
    Off,
    /// A line without the client's address
    #[value(alias = "true", alias = "yes", alias = "1")]
    On,
    /// A line with the client's address, which is personal data
    Addresses,
}

/// Starts logging. Lines are written by a thread of their own, so that a standard error that nobody reads cannot stop the
/// server. Called once the start has succeeded, so that a failed start prints one line and nothing else.
///
/// # Errors
/// When the system gives no thread.
pub fn start(format: LogFormat) -> io::Result<Flush> {
    let queue = Arc::new(Queue::default());
    let flush = queue::start_writer(&queue)?;
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(move || queue::Writer::new(Arc::clone(&queue)))
        .with_target(false);
    // Libraries warn of whatever a client does wrong, as often as it does so.
    let own = Targets::new().with_target(env!("CARGO_CRATE_NAME"), LevelFilter::INFO);
    match format {
        LogFormat::Text => lines
            .with_ansi(io::stderr().is_terminal())
            .finish()
            .with(own)
            .init(),
        LogFormat::Json => lines.json().flatten_event(true).finish().with(own).init(),
    }
    Ok(flush)
}
