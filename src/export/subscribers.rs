//! Subscribers of the newsletter, for a program that sends it.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::csv_injection::guard;
use super::error::ExportError;
use super::output::Output;

/// A subscriber who has confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Subscriber {
    /// The address.
    pub email_address: String,
    /// When it was confirmed, in UTC.
    pub confirmed_at: String,
    /// Where the subscriber ends it, for a link and the header `List-Unsubscribe` of each issue (RFC 8058).
    pub unsubscribe_link: String,
}

/// Writes subscribers as CSV or as one JSON array, to a file or to standard output.
///
/// # Errors
/// When they cannot be written; a file of that name is then as it was.
pub fn export_subscribers(
    subscribers: &[Subscriber],
    is_csv: bool,
    to: Option<&Path>,
) -> Result<(), ExportError> {
    let mut output = Output::open(to)?;
    let written = if is_csv {
        write_csv(subscribers, &mut output)
    } else {
        write_json(subscribers, &mut output)
    };
    written.map_err(|error| output.error(error))?;
    output.keep()
}

fn write_csv(subscribers: &[Subscriber], output: &mut Output) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(output);
    csv.write_record(["email_address", "confirmed_at", "unsubscribe_link"])?;
    for subscriber in subscribers {
        csv.write_record([
            guard(&subscriber.email_address).as_ref(),
            &subscriber.confirmed_at,
            &subscriber.unsubscribe_link,
        ])?;
    }
    csv.flush()
}

fn write_json(subscribers: &[Subscriber], output: &mut Output) -> io::Result<()> {
    let mut before = "[";
    for subscriber in subscribers {
        writeln!(output, "{before}")?;
        serde_json::to_writer(&mut *output, subscriber)?;
        before = ",";
    }
    output.write_all(if before == "[" { b"[]\n" } else { b"\n]\n" })
}
