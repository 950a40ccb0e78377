//! `taubenabwehr newsletter`: the addresses that have confirmed their subscription.

use std::path::Path;

use super::failure::Failure;
use super::source::operate;
use crate::cli::{NewsletterAction, NewsletterArgs, NewsletterFormat};
use crate::control::client::AskError;
use crate::control::operations::ReadSubscriptions;
use crate::export::{Subscriber, export_subscribers};
use crate::inquiry::rfc3339_millis;
use crate::newsletter::{Subscription, SubscriptionState};
use crate::origin::Origin;
use crate::private_path::PrivatePath;

/// Writes the addresses.
///
/// # Errors
/// When they cannot all be read, or not be written.
pub fn run(args: &NewsletterArgs) -> Result<(), Failure> {
    let NewsletterAction::Export {
        format,
        output,
        public_url,
        data,
    } = &args.action;
    let mut subscribers = confirmed(&data.data_dir, public_url.as_ref())?;
    subscribers.sort_by(|one, other| one.confirmed_at.cmp(&other.confirmed_at));
    let is_csv = *format == NewsletterFormat::Csv;
    match export_subscribers(&subscribers, is_csv, output.as_deref()) {
        Err(error) if error.is_closed_pipe() => Ok(()),
        written => Ok(written?),
    }
}

fn confirmed(data_dir: &Path, public_url: Option<&Origin>) -> Result<Vec<Subscriber>, Failure> {
    let mut confirmed = Vec::new();
    for found in operate(data_dir, ReadSubscriptions {})? {
        let Subscription { email, state, .. } = found.read().ok_or(AskError::Strange)?;
        if let SubscriptionState::Confirmed(at) = state {
            let path = PrivatePath::Unsubscription(&found.token);
            confirmed.push(Subscriber {
                email_address: email,
                confirmed_at: rfc3339_millis(at),
                // Without a public address it is a path.
                unsubscribe_link: public_url.map_or_else(|| path.path(), |origin| path.link(origin)),
            });
        }
    }
    Ok(confirmed)
}
