//! Subscribers of the newsletter, for a program that sends it.

use std::path::Path;

use serde::Serialize;

use super::error::ExportError;
use super::format::{Csv, JsonArray, guard};
use super::output::Output;
use crate::config::args::SubscriberFormat;

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
pub enum SubscriberExport {
    /// As CSV.
    Csv(Box<Csv>),
    /// As JSON.
    Json(JsonArray),
}

impl SubscriberExport {
    /// Opens the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(format: SubscriberFormat, to: Option<&Path>) -> Result<Self, ExportError> {
        let output = Output::open(to)?;
        Ok(match format {
            SubscriberFormat::Csv => {
                let columns = ["email_address", "confirmed_at", "unsubscribe_link"];
                Self::Csv(Box::new(Csv::new(output, &columns)?))
            }
            SubscriberFormat::Json => Self::Json(JsonArray::new(output)),
        })
    }

    /// Adds a subscriber.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn add(&mut self, subscriber: &Subscriber) -> Result<(), ExportError> {
        match self {
            Self::Csv(csv) => csv.write([
                guard(&subscriber.email_address).as_ref(),
                &subscriber.confirmed_at,
                &subscriber.unsubscribe_link,
            ]),
            Self::Json(json) => json.write(subscriber),
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), ExportError> {
        let output = match self {
            Self::Csv(csv) => csv.finish()?,
            Self::Json(json) => json.finish()?,
        };
        output.keep()
    }
}
