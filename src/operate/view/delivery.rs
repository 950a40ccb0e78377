//! JSON views of mails and webhooks.

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::referral::{Delivery, DeliveryId, DeliveryState, InquiryRecord, Message, Referral};
use crate::operate::FoundSubscription;

/// The deliveries of an inquiry.
pub fn deliveries(record: &InquiryRecord) -> impl Iterator<Item = (&Delivery, Value)> {
    let (id, referral) = (record.id, &record.referral);
    let numbered = (0..=u16::MAX).zip(&referral.deliveries);
    numbered.map(move |(number, delivery)| {
        let recipient = recipient(delivery.message, referral);
        // A mail about several inquiries belongs to none of them.
        let inquiry = (!referral.is_notice()).then_some(id);
        let id = DeliveryId { inquiry: id, number };
        (delivery, view(id, inquiry, delivery, &recipient))
    })
}

/// The mail that asks a newsletter's subscriber to confirm.
pub fn confirmation(found: &FoundSubscription) -> Value {
    let subscription = &found.subscription;
    let id = subscription.delivery_id(found.key);
    view(id, None, &subscription.delivery, "subscriber")
}

/// A delivery. It has an inquiry if it is about one, and at most one of a next try and an end.
fn view(id: DeliveryId, inquiry: Option<Uuid>, delivery: &Delivery, recipient: &str) -> Value {
    let ended: Option<Timestamp> = match delivery.state {
        DeliveryState::Delivered(at) | DeliveryState::Failed(at) => Some(at),
        DeliveryState::Waiting(_) | DeliveryState::Cancelled | DeliveryState::Held(_) => None,
    };
    json!({
        "id": id.to_string(),
        "inquiry": inquiry,
        "kind": delivery.message.id(),
        "recipient": recipient,
        "state": delivery.state.id(),
        "attempts": delivery.attempts,
        "next_try": delivery.due().map(rfc3339_millis),
        "ended_at": ended.map(rfc3339_millis),
        "reason": delivery.reason,
    })
}

/// The recipient: `operator`, with a number from the second mailbox on, `visitor`, `subscriber`, or `firm:` and its id.
fn recipient(message: Message, referral: &Referral) -> String {
    if let Some(mailbox) = message.operator() {
        return match mailbox {
            0 => "operator".to_owned(),
            number => format!("operator:{}", u16::from(number) + 1),
        };
    }
    match message {
        Message::Webhook(_) | Message::FirmWebhook(..) => "operator".to_owned(),
        Message::NewsletterConfirm => "subscriber".to_owned(),
        Message::VisitorReceived | Message::VisitorAccepted(_) | Message::VisitorNobody => {
            "visitor".to_owned()
        }
        _ => match message.firm().and_then(|number| referral.firm(number)) {
            Some(asked) => format!("firm:{}", asked.firm),
            None => "firm".to_owned(),
        },
    }
}
