//! `taubenabwehr newsletter`: exports the addresses with a confirmed subscription.

use serde_json::{Value, json};

use super::CliError;
use crate::base::text::origin::Origin;
use crate::config::args::{NewsletterAction, SubscriberFormat};
use crate::control::Caller;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::newsletter::SubscriptionState;
use crate::operate::FoundSubscription;
use crate::operate::export::{List, ListFormat, Output};
use crate::site::private_path::PrivatePath;

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
    let caller = Caller::new(data)?;
    let format = match output.format {
        SubscriberFormat::Csv => ListFormat::Csv(&COLUMNS),
        SubscriberFormat::Json => ListFormat::Json,
    };
    let subscriptions = caller.subscriptions()?;
    let mut list = List::new(Output::open(output.path.as_deref())?, format)?;
    for found in subscriptions {
        if let Some(subscriber) = confirmed(&found?, public_url.as_ref()) {
            list.write(&subscriber)?;
        }
    }
    Ok(list.finish()?)
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
