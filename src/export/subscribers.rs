//! Subscribers of the newsletter, for a program that sends it.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use csv::WriterBuilder;
use serde::Serialize;

use super::csv_injection::guard;
use super::error::ExportError;
use super::output::Output;

/// Room for a line, in bytes, with the longest usual address and link.
const LINE: usize = 512;

/// What subscribers are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SubscriberFormat {
    /// RFC 4180: UTF-8, CRLF, header line
    Csv,
    /// One array of objects
    Json,
}

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

/// Subscribers on their way to a file or to standard output. A file of that name stays as it was until they are complete.
pub struct SubscriberExport {
    output: Output,
    format: SubscriberFormat,
    /// What stands before the next object of an array.
    before: &'static str,
}

impl SubscriberExport {
    /// Opens the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(format: SubscriberFormat, to: Option<&Path>) -> Result<Self, ExportError> {
        let mut begun = Self {
            output: Output::open(to)?,
            format,
            before: "[",
        };
        if format == SubscriberFormat::Csv {
            begun.csv(&["email_address", "confirmed_at", "unsubscribe_link"])?;
        }
        Ok(begun)
    }

    /// Adds a subscriber.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn add(&mut self, subscriber: &Subscriber) -> Result<(), ExportError> {
        match self.format {
            SubscriberFormat::Csv => self.csv(&[
                guard(&subscriber.email_address).as_ref(),
                &subscriber.confirmed_at,
                &subscriber.unsubscribe_link,
            ]),
            SubscriberFormat::Json => {
                let before = std::mem::replace(&mut self.before, ",");
                let written = writeln!(self.output, "{before}")
                    .and_then(|()| Ok(serde_json::to_writer(&mut self.output, subscriber)?));
                self.check(written)
            }
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), ExportError> {
        if self.format == SubscriberFormat::Json {
            let end = if self.before == "[" { "[]\n" } else { "\n]\n" };
            let written = self.output.write_all(end.as_bytes());
            self.check(written)?;
        }
        self.output.keep()
    }

    fn csv(&mut self, cells: &[&str]) -> Result<(), ExportError> {
        let mut builder = WriterBuilder::new();
        let mut line = builder
            .terminator(csv::Terminator::CRLF)
            // One line: the output collects them.
            .buffer_capacity(LINE)
            .from_writer(&mut self.output);
        let written = line.write_record(cells).map_err(io::Error::from);
        let written = written.and_then(|()| line.flush());
        drop(line);
        self.check(written)
    }

    fn check(&self, written: io::Result<()>) -> Result<(), ExportError> {
        written.map_err(|error| self.output.error(error))
    }
}
