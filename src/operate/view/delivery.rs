//! A delivery as commands show it.

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::{Time, by_id};
use crate::domain::referral::{Delivery, DeliveryId, DeliveryState, Message, Referral};
use crate::operate::FoundSubscription;

/// A delivery as commands show it.
#[derive(Debug, Serialize)]
pub struct DeliveryView {
    /// What `deliveries retry` takes.
    pub id: String,
    /// The inquiry that it is about; `None` for the newsletter, and for mails about many.
    pub inquiry: Option<String>,
    /// What is sent.
    pub kind: &'static str,
    /// `operator`, from the second of its mailboxes on with a number, `visitor`, `subscriber`, or `firm:` and its id.
    pub recipient: String,
    /// What became of it.
    #[serde(serialize_with = "by_id")]
    pub state: DeliveryState,
    /// How many tries have failed.
    pub attempts: u16,
    /// When it is tried next.
    pub next_try: Option<Time>,
    /// When it was delivered or given up.
    pub ended_at: Option<Time>,
    /// Why the last try failed.
    pub reason: Option<String>,
}

/// Returns the deliveries of an inquiry.
pub fn deliveries(inquiry: Uuid, referral: &Referral) -> impl Iterator<Item = DeliveryView> {
    let numbered = (0..=u16::MAX).zip(&referral.deliveries);
    numbered.map(move |(number, delivery)| {
        let recipient = recipient(delivery.message, referral);
        DeliveryView {
            // A mail about many inquiries belongs to none.
            inquiry: (!referral.is_notice()).then(|| inquiry.to_string()),
            ..DeliveryView::new(DeliveryId { inquiry, number }, delivery, recipient)
        }
    })
}

/// Returns the mail that asks a subscriber of the newsletter to confirm.
pub fn confirmation(found: &FoundSubscription) -> DeliveryView {
    let subscription = &found.subscription;
    let id = subscription.delivery_id(found.key);
    DeliveryView::new(id, &subscription.delivery, "subscriber".to_owned())
}

impl DeliveryView {
    fn new(id: DeliveryId, delivery: &Delivery, recipient: String) -> Self {
        let ended: Option<Timestamp> = match delivery.state {
            DeliveryState::Delivered(at) | DeliveryState::Failed(at) => Some(at),
            DeliveryState::Waiting(_) | DeliveryState::Cancelled | DeliveryState::Suspended(_) => None,
        };
        Self {
            id: id.to_string(),
            inquiry: None,
            kind: delivery.message.id(),
            recipient,
            state: delivery.state,
            attempts: delivery.attempts,
            next_try: delivery.due().map(Time),
            ended_at: ended.map(Time),
            reason: delivery.reason.clone(),
        }
    }
}

fn recipient(message: Message, referral: &Referral) -> String {
    if let Some(mailbox) = message.operator() {
        return match mailbox {
            Some(number) if number > 0 => format!("operator:{}", u16::from(number) + 1),
            _ => "operator".to_owned(),
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
