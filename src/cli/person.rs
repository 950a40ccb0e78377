//! `taubenabwehr person`: shows or erases all that is kept of a person.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use uuid::Uuid;

use super::erase;
use super::failure::Failure;
use super::list::{Entry, List};
use crate::config::args::PersonArgs;
use crate::domain::inquiry::{Person, rfc3339_millis};
use crate::domain::newsletter::{Subscription, SubscriptionState};
use crate::domain::referral::InquiryRecord;
use crate::operate::view::InquiryView;
use crate::operate::{self, AskError, FoundInquiry, Request, find, records};
use crate::store::{Erasure, TimeRange};

/// Prints all that is kept of a person, or erases it.
///
/// # Errors
/// When that was not done.
pub fn run(args: &PersonArgs) -> Result<(), Failure> {
    if args.erase { erase(args) } else { show(args) }
}

fn show(args: &PersonArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    let mut list = List::begin(true)?;
    // The store cannot be asked for anything else while it is being read.
    for id in ids(args)? {
        // One that was withdrawn meanwhile no longer belongs to this person.
        let found: Option<FoundInquiry> = find(location, &Request::InquiryRecord(id))?;
        let Some(found) = found else { continue };
        if is_of(&found.record, &args.person) {
            let inquiry = InquiryView::new(&found, args.public_url.as_ref());
            let photos = photos(args, &found.record)?;
            list.add(&InquiryWithPhotos { inquiry, photos })?;
        }
    }
    for subscription in subscriptions(args)? {
        list.add(&SubscriptionView::from(&subscription))?;
    }
    Ok(list.finish()?)
}

/// Returns the photos of an inquiry as addresses that hold them (RFC 2397).
fn photos(args: &PersonArgs, record: &InquiryRecord) -> Result<Vec<String>, AskError> {
    let mut photos = Vec::new();
    for number in record.referral.photo_numbers() {
        // One that was removed meanwhile is left out.
        let photo: Option<String> = find(&args.data.location, &Request::Photo(record.id, *number))?;
        photos.extend(photo.map(|base64| format!("data:image/jpeg;base64,{base64}")));
    }
    Ok(photos)
}

fn erase(args: &PersonArgs) -> Result<(), Failure> {
    let ids = ids(args)?;
    let count = ids.len() as u64;
    let subscriptions = subscriptions(args)?;
    let what = match (count, !subscriptions.is_empty()) {
        (0, false) => {
            let known_by = match args.person {
                Person::Mail(_) => "address",
                Person::Phone(_) => "number",
            };
            let _ = writeln!(io::stdout(), "no data is stored for this {known_by}");
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
        find::<bool>(&args.data.location, &Request::EndSubscription(email))?;
    }
    // It is erased even if standard output is closed.
    let _ = writeln!(io::stdout(), "{what} erased");
    Ok(())
}

/// Returns the ids of the person's inquiries.
fn ids(args: &PersonArgs) -> Result<BTreeSet<Uuid>, AskError> {
    let mut ids = BTreeSet::new();
    for record in records(&args.data.location, TimeRange::default())? {
        let record = record?;
        if is_of(&record, &args.person) {
            ids.insert(record.id);
        }
    }
    Ok(ids)
}

fn is_of(record: &InquiryRecord, person: &Person) -> bool {
    let inquiry = record.inquiry.as_ref();
    inquiry.is_some_and(|inquiry| person.has_given(&inquiry.answers))
}

/// Returns the person's subscriptions: one, unless an older version took two spellings of an
/// address for two addresses.
fn subscriptions(args: &PersonArgs) -> Result<Vec<Subscription>, AskError> {
    let mut found = Vec::new();
    for subscription in operate::subscriptions(&args.data.location)? {
        let subscription = subscription?.subscription;
        if args.person.has_address(&subscription.email) {
            found.push(subscription);
        }
    }
    Ok(found)
}

/// An inquiry with what its visitor has sent of pictures.
#[derive(Debug, Serialize)]
struct InquiryWithPhotos {
    #[serde(flatten)]
    inquiry: InquiryView,
    photos: Vec<String>,
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

// Both are only ever printed as JSON.
impl Entry for SubscriptionView {}
impl Entry for InquiryWithPhotos {}
