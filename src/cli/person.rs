//! `taubenabwehr person`: shows or erases all data about a person.

use serde_json::{Value, json};

use super::CliError;
use super::erase;
use super::output::{inquiries, say};
use crate::config::args::PersonArgs;
use crate::control::Caller;
use crate::domain::inquiry::{Person, rfc3339_millis};
use crate::domain::newsletter::{Subscription, SubscriptionState};
use crate::domain::referral::InquiryRecord;
use crate::operate::CallError;
use crate::operate::calls::{ErasePerson, FindPerson, ShowInquiry, ShowPhoto};
use crate::operate::export::{List, ListFormat, Output};
use crate::operate::view::{extended, inquiry};

/// Prints all data about a person, or erases it.
///
/// # Errors
/// When the data cannot be read or erased, or the output cannot be written.
pub fn run(args: &PersonArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    if args.erase {
        erase(args, &caller)
    } else {
        Ok(show(args, &caller)?)
    }
}

fn show(args: &PersonArgs, caller: &Caller) -> Result<(), CallError> {
    let mut list = List::new(Output::open(None)?, ListFormat::Json)?;
    let person = args.person.clone();
    let (ids, subscriptions) = caller.call(FindPerson { person })?;
    for id in ids {
        // An inquiry withdrawn in the meantime no longer belongs to this person.
        let Some(found) = caller.call(ShowInquiry { id })? else {
            continue;
        };
        let sent = found.record.inquiry.as_ref();
        if sent.is_some_and(|sent| args.person.has_given(&sent.answers)) {
            let photos = json!({ "photos": photos(caller, &found.record)? });
            list.write(&extended(inquiry(&found, args.public_url.as_ref()), photos))?;
        }
    }
    for subscription in subscriptions {
        list.write(&view(&subscription))?;
    }
    list.finish()
}

/// The photos of an inquiry as `data:` URLs (RFC 2397).
fn photos(caller: &Caller, record: &InquiryRecord) -> Result<Vec<String>, CallError> {
    let mut photos = Vec::new();
    for &number in record.referral.photo_numbers() {
        // Photos removed in the meantime are omitted.
        let photo = caller.call(ShowPhoto {
            id: record.id,
            number,
        })?;
        photos.extend(photo.map(|base64| format!("data:image/jpeg;base64,{base64}")));
    }
    Ok(photos)
}

fn erase(args: &PersonArgs, caller: &Caller) -> Result<(), CliError> {
    let person = args.person.clone();
    let (ids, subscriptions) = caller.call(FindPerson { person })?;
    let count = ids.len() as u64;
    let what = match (count, !subscriptions.is_empty()) {
        (0, false) => {
            let known_by = match args.person {
                Person::Mail(_) => "address",
                Person::Phone(_) => "number",
            };
            say(format!("no data is stored for this {known_by}\n"));
            return Ok(());
        }
        (0, true) => "the newsletter subscription".to_owned(),
        (_, true) => format!("{} and the newsletter subscription", inquiries(count)),
        (_, false) => inquiries(count),
    };
    if !args.yes {
        erase::ask(|| Ok(format!("Erase {what} for good?")))?;
    }
    let person = args.person.clone();
    erase::erase(caller, ErasePerson { person })?;
    say(format!("{what} erased\n"));
    Ok(())
}

/// A subscription as JSON. A pending one has the time until which it can be confirmed.
fn view(subscription: &Subscription) -> Value {
    let (state, confirmed_at, confirm_until) = match subscription.state {
        SubscriptionState::Pending(until) => ("pending", None, Some(until)),
        SubscriptionState::Confirmed(at) => ("confirmed", Some(at), None),
    };
    json!({
        "kind": "newsletter",
        "email_address": subscription.email,
        "state": state,
        "requested_at": rfc3339_millis(subscription.delivery.since),
        "confirmed_at": confirmed_at.map(rfc3339_millis),
        "confirm_until": confirm_until.map(rfc3339_millis),
    })
}
