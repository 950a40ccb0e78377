//! `taubenabwehr person`: shows or erases all that is kept of a person.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;

use super::erase;
use super::failure::Failure;
use super::inquiry_view::InquiryView;
use super::list::{Entry, List};
use super::source::{each_dossier, each_subscription, operate};
use crate::cli::PersonArgs;
use crate::control::client::AskError;
use crate::control::operations::{EndSubscription, ReadDossier};
use crate::inquiry::{Person, rfc3339_millis};
use crate::newsletter::{Subscription, SubscriptionState};
use crate::referral::Dossier;
use crate::store::{Erasure, TimeRange};

/// Why it failed; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PersonError {
    /// The data cannot be read.
    #[error(transparent)]
    Read(#[from] Failure),
    /// The data was not erased.
    #[error(transparent)]
    Erase(#[from] erase::CommandError),
}

/// Prints all that is kept of a person, or erases it.
///
/// # Errors
/// When that was not done.
pub fn run(args: &PersonArgs) -> Result<(), PersonError> {
    if args.erase { erase(args) } else { Ok(show(args)?) }
}

fn show(args: &PersonArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    let mut list = List::begin(true)?;
    // The store is not asked for anything else while it is read.
    for id in ids(args)? {
        // One that was withdrawn meanwhile is no longer of this person.
        let found = operate(location, ReadDossier::of(id))?;
        let Some((line, tokens)) = found else { continue };
        let dossier = line.dossier().ok_or(AskError::Strange)?;
        if is_of(&dossier, &args.person) {
            list.add(&InquiryView::new(
                &dossier,
                Some(&tokens),
                args.public_url.as_ref(),
            ))?;
        }
    }
    for subscription in subscriptions(args)? {
        list.add(&SubscriptionView::from(&subscription))?;
    }
    list.finish()
}

fn erase(args: &PersonArgs) -> Result<(), PersonError> {
    let ids = ids(args)?;
    let count = ids.len() as u64;
    let subscriptions = subscriptions(args)?;
    let what = match (count, !subscriptions.is_empty()) {
        (0, false) => {
            let known_by = match args.person {
                Person::Mail(_) => "address",
                Person::Phone(_) => "number",
            };
            let _ = writeln!(io::stdout(), "nothing is kept of this {known_by}");
            return Ok(());
        }
        (0, true) => "the newsletter subscription".to_owned(),
        (_, true) => format!("{} and the newsletter subscription", erase::inquiries(count)),
        (_, false) => erase::inquiries(count),
    };
    if !args.yes {
        erase::ask(&format!("Erase {what} for good?"))?;
    }
    if !ids.is_empty() {
        erase::erase(&args.data.location, Erasure::Ids(ids))?;
    }
    for Subscription { email, .. } in subscriptions {
        operate(&args.data.location, EndSubscription { email })?;
    }
    // It is erased even if standard output is closed.
    let _ = writeln!(io::stdout(), "{what} erased");
    Ok(())
}

/// Returns the ids of the person's inquiries.
fn ids(args: &PersonArgs) -> Result<BTreeSet<uuid::Uuid>, Failure> {
    let mut ids = BTreeSet::new();
    each_dossier(&args.data.location, TimeRange::default(), |dossier| {
        if is_of(&dossier, &args.person) {
            ids.insert(dossier.id);
        }
        Ok(())
    })?;
    Ok(ids)
}

fn is_of(dossier: &Dossier, person: &Person) -> bool {
    let inquiry = dossier.inquiry.as_ref();
    inquiry.is_some_and(|inquiry| person.has_given(&inquiry.answers))
}

/// Returns the person's subscriptions: one, unless older versions took two spellings of an address for two.
fn subscriptions(args: &PersonArgs) -> Result<Vec<Subscription>, Failure> {
    let mut subscriptions = Vec::new();
    each_subscription(&args.data.location, |found| {
        let subscription = found.read().ok_or(AskError::Strange)?;
        if args.person.has_address(&subscription.email) {
            subscriptions.push(subscription);
        }
        Ok(())
    })?;
    Ok(subscriptions)
}

/// A subscription to the newsletter. Times are in UTC.
#[derive(Debug, Serialize)]
struct SubscriptionView {
    kind: &'static str,
    email_address: String,
    state: &'static str,
    requested_at: String,
    confirmed_at: Option<String>,
    /// When it is forgotten unless it is confirmed.
    confirm_until: Option<String>,
}

impl From<&Subscription> for SubscriptionView {
    fn from(subscription: &Subscription) -> Self {
        let (state, confirmed_at, confirm_until) = match subscription.state {
            SubscriptionState::Pending(until) => ("pending", None, Some(until)),
            SubscriptionState::Confirmed(at) => ("confirmed", Some(at), None),
        };
        Self {
            kind: "newsletter",
            email_address: subscription.email.clone(),
            state,
            requested_at: rfc3339_millis(subscription.delivery.since),
            confirmed_at: confirmed_at.map(rfc3339_millis),
            confirm_until: confirm_until.map(rfc3339_millis),
        }
    }
}

/// They are only ever printed as JSON.
impl Entry for SubscriptionView {
    const COLUMNS: &'static [(&'static str, usize)] = &[];

    fn cells(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Entry for InquiryView {
    const COLUMNS: &'static [(&'static str, usize)] = &[];

    fn cells(&self) -> Vec<String> {
        Vec::new()
    }
}
