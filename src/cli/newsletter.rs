//! `taubenabwehr newsletter`: exports the addresses with a confirmed subscription.

use serde_json::{Value, json};

use super::CliError;
use crate::base::text::origin::Origin;
use crate::config::args::{NewsletterAction, SubscriberFormat};
use crate::control::Caller;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::newsletter::SubscriptionState;
use crate::operate::export::{Csv, ExportError, JsonArray, Output, guard};
use crate::operate::{CallError, FoundSubscription};
use crate::site::private_path::PrivatePath;

/// The columns of the export.
const COLUMNS: [&str; 3] = ["email_address", "confirmed_at", "unsubscribe_link"];

/// Exports the addresses, in no particular order.
///
/// # Errors
/// When the addresses cannot all be read or written. An existing file at the output path is left untouched.
pub fn run(action: &NewsletterAction) -> Result<(), CliError> {
    let NewsletterAction::Export {
        output,
        public_url,
        data,
    } = action;
    let caller = Caller::new(&data.location)?;
    let subscribers = caller.subscriptions()?.filter_map(|found| {
        found
            .map(|found| confirmed(&found, public_url.as_ref()))
            .transpose()
    });
    let written = Output::open(output.path.as_deref())?;
    Ok(write(subscribers, output.format, written)?.keep()?)
}

fn write(
    subscribers: impl Iterator<Item = Result<Value, CallError>>,
    format: SubscriberFormat,
    output: Output,
) -> Result<Output, ExportError> {
    Ok(match format {
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
    })
}

/// A confirmed subscriber, with the link that ends the subscription, for each issue's text and its `List-Unsubscribe` header (RFC
/// 8058). `None` for subscriptions that are not confirmed.
fn confirmed(found: &FoundSubscription, public_url: Option<&Origin>) -> Option<Value> {
    let SubscriptionState::Confirmed(at) = found.subscription.state else {
        return None;
    };
    let path = PrivatePath::Unsubscription(&found.token);
    Some(json!({
        "email_address": found.subscription.email,
        "confirmed_at": rfc3339_millis(at),
        // Only the path, if the public address is unknown.
        "unsubscribe_link": public_url.map_or_else(|| path.path(), |origin| path.link(origin)),
    }))
}
