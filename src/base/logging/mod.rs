//! Logging to standard error. Log lines never contain personal data: no field of an inquiry and no client address, unless the
//! operator asks for addresses.

mod queue;

use std::io;

use clap::ValueEnum;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use queue::Queue;
pub use queue::{Flush, LogThrottle};

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event
    Json,
}

/// What to log about each request.
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

/// Starts logging. A dedicated thread writes the lines, so that a blocked standard error cannot stall the server. Call it only
/// after a successful start, so that a failed start prints one line and nothing else.
///
/// # Errors
/// When the thread cannot be spawned.
pub fn start(format: LogFormat) -> io::Result<Flush> {
    let (queue, queued) = Queue::new();
    let flush = queue::start_writer(&queue, queued)?;
    subscriber(format, queue).init();
    Ok(flush)
}

fn subscriber(format: LogFormat, queue: Queue) -> Box<dyn Subscriber + Send + Sync> {
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(move || queue.clone())
        .with_target(false);
    // Libraries log a warning for every client error.
    let own = Targets::new().with_target(env!("CARGO_CRATE_NAME"), LevelFilter::INFO);
    match format {
        LogFormat::Text => Box::new(lines.finish().with(own)),
        LogFormat::Json => Box::new(lines.json().flatten_event(true).finish().with(own)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::mail_address::is_unprintable;

    #[test]
    fn nothing_that_is_logged_begins_a_line_or_moves_the_cursor() {
        let hostile =
            "a\n2026-01-01 INFO b\r\nc\x0bd\x0ce\0f\x1b[2Jg\u{9b}Kh\u{85}i\x08j\x7fk\u{2028}l\u{202e}m\n";
        let error = io::Error::other(hostile);
        for format in [LogFormat::Text, LogFormat::Json] {
            let (queue, queued) = Queue::new();
            tracing::subscriber::with_default(subscriber(format, queue), || {
                tracing::warn!("{hostile}");
                tracing::warn!(%error, "display");
                tracing::warn!(?error, "debug");
                tracing::warn!(hostile, "value");
                tracing::warn!(error = &error as &dyn std::error::Error, "error");
            });
            for what in ["message", "display", "debug", "value", "error"] {
                let line = String::from_utf8(queued.try_recv().unwrap()).unwrap();
                let line = line.strip_suffix('\n').unwrap();
                assert!(
                    !line.contains(is_unprintable) && !line.contains('\u{2028}'),
                    "{format:?} {what}: {line:?}"
                );
                assert!(line.contains("WARN") && line.contains("INFO b"), "{line:?}");
            }
            assert!(queued.try_recv().is_err());
        }
    }
}
