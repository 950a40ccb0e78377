//! Subscribers of the newsletter, for a program that sends it.

use std::path::Path;

use serde::Serialize;

use super::error::ExportError;
use super::format::{Csv, JsonArray, guard};
use super::output::Output;
use crate::config::args::SubscriberFormat;
use crate::operate::CallError;

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

/// Writes subscribers to a file or to standard output.
///
/// # Errors
/// When something went wrong; a file of that name is then as it was.
pub fn export_subscribers(
    subscribers: impl Iterator<Item = Result<Subscriber, CallError>>,
    format: SubscriberFormat,
    to: Option<&Path>,
) -> Result<(), ExportError> {
    let output = Output::open(to)?;
    let output = match format {
        SubscriberFormat::Csv => {
            let mut csv = Csv::new(output, &["email_address", "confirmed_at", "unsubscribe_link"])?;
            for subscriber in subscribers {
                let subscriber = subscriber?;
                csv.write([
                    &*guard(&subscriber.email_address),
                    &subscriber.confirmed_at,
                    &subscriber.unsubscribe_link,
                ])?;
            }
            csv.finish()?
        }
        SubscriberFormat::Json => {
            let mut json = JsonArray::new(output);
            for subscriber in subscribers {
                json.write(&subscriber?)?;
            }
            json.finish()?
        }
    };
    output.keep()
}
