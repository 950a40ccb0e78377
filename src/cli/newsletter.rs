//! `taubenabwehr newsletter`: the addresses that have confirmed their subscription.

use serde_json::{Value, json};

use super::CliError;
use crate::base::text::origin::Origin;
use crate::config::args::NewsletterAction;
use crate::control::Caller;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::newsletter::SubscriptionState;
use crate::operate::FoundSubscription;
use crate::operate::export::export_subscribers;
use crate::site::private_path::PrivatePath;

/// Writes the addresses, in no particular order.
///
/// # Errors
/// When they cannot all be read, or not be written.
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
    Ok(export_subscribers(
        subscribers,
        output.format,
        output.path.as_deref(),
    )?)
}

/// Returns the subscriber if the subscription was confirmed, with where it ends: for a link and the header `List-Unsubscribe` of each issue
/// (RFC 8058).
fn confirmed(found: &FoundSubscription, public_url: Option<&Origin>) -> Option<Value> {
    let SubscriptionState::Confirmed(at) = found.subscription.state else {
        return None;
    };
    let path = PrivatePath::Unsubscription(&found.token);
    Some(json!({
        "email_address": found.subscription.email,
        "confirmed_at": rfc3339_millis(at),
        // Without a public address it is a path.
        "unsubscribe_link": public_url.map_or_else(|| path.path(), |origin| path.link(origin)),
    }))
}
