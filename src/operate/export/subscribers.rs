//! Subscribers of the newsletter, for a program that sends it.

use std::path::Path;

use serde_json::Value;

use super::error::ExportError;
use super::format::{Csv, JsonArray, guard};
use super::output::Output;
use crate::config::args::SubscriberFormat;
use crate::operate::CallError;

const COLUMNS: [&str; 3] = ["email_address", "confirmed_at", "unsubscribe_link"];

/// Writes subscribers to a file or to standard output.
///
/// # Errors
/// When something went wrong; a file of that name is then as it was.
pub fn export_subscribers(
    subscribers: impl Iterator<Item = Result<Value, CallError>>,
    format: SubscriberFormat,
    to: Option<&Path>,
) -> Result<(), ExportError> {
    let output = Output::open(to)?;
    let output = match format {
        SubscriberFormat::Csv => {
            let mut csv = Csv::new(output, &COLUMNS)?;
            for subscriber in subscribers {
                let subscriber = subscriber?;
                let text = |column| subscriber.get(column).and_then(Value::as_str).unwrap_or_default();
                csv.write(COLUMNS.map(|column| guard(text(column))))?;
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
