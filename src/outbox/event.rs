//! The body of a webhook call.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::config::Handling;
use crate::domain::inquiry::Row;
use crate::domain::matching::Firm;
use crate::domain::referral::{Asked, Delivery, Event, InquiryRecord};
use crate::outbox::sending::SendError;

/// Returns the body of a call.
///
/// # Errors
/// When the inquiry is gone, and with it what was to be said.
pub fn body(
    event: Event,
    delivery: &Delivery,
    record: &InquiryRecord,
    handling: &Handling,
) -> Result<Bytes, SendError> {
    let mut data = match &record.inquiry {
        _ if event == Event::Withdrawn => json!({ "id": record.id.to_string() }),
        Some(inquiry) => serde_json::to_value(Row::from(inquiry))
            .map_err(|_| SendError::permanent("the inquiry cannot be written as JSON; please report it"))?,
        None => {
            return Err(SendError::permanent(
                "the inquiry was erased before the webhook was told",
            ));
        }
    };
    if let Value::Object(data) = &mut data {
        data.insert("firms".to_owned(), firms(record, handling));
        if event != Event::Withdrawn {
            let addition = record.referral.addition.clone();
            data.insert("addition".to_owned(), addition.into());
        }
        let meant = delivery
            .message
            .firm()
            .and_then(|number| record.referral.firm(number));
        if let Some(asked) = meant {
            data.insert("firm".to_owned(), firm(asked, handling));
        }
    }
    let body = json!({ "type": event.id(), "timestamp": delivery.since.to_string(), "data": data });
    Ok(body.to_string().into())
}

fn firms(record: &InquiryRecord, handling: &Handling) -> Value {
    let asked = record.referral.asked.iter();
    asked.map(|asked| firm(asked, handling)).collect()
}

fn firm(asked: &Asked, handling: &Handling) -> Value {
    let known = Firm::find(&handling.firms, &asked.firm).map(|firm| firm.name.as_str());
    let answered_at = asked.answered_at();
    json!({
        "id": asked.firm,
        "name": asked.name.as_deref().or(known),
        "state": asked.answer.id(),
        "asked_at": asked.at.to_string(),
        "answered_at": answered_at.map(|at| at.to_string()),
    })
}
