//! The messages sent about an inquiry. They hold no personal data: the text is composed at the time of sending from the contents of
//! the store.

use std::collections::BTreeMap;

use jiff::civil::{Date, Time, Weekday};
use jiff::{Timestamp, ToSpan};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};

use crate::base::text::berlin;

/// A message and its recipient. Firms are numbered in the order in which they were asked, the operator's mailboxes as in the
/// configuration.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Message {
    /// Mail to the operator: a new inquiry.
    #[n(0)]
    OperatorNew(#[n(0)] u8),
    /// Mail to the operator: no firm matches or is left to ask.
    #[n(1)]
    OperatorUnmatched(#[n(0)] u8),
    /// Mail to the operator: the visitor has withdrawn the inquiry.
    #[n(2)]
    OperatorWithdrawn(#[n(0)] u8),
    /// Webhook to the operator.
    #[n(3)]
    Webhook(#[n(0)] Event),
    /// Mail to a firm: an inquiry that it may take.
    #[n(4)]
    FirmRequest(#[n(0)] u8),
    /// Mail to a firm: the visitor has changed the addition.
    #[n(5)]
    FirmAddition(#[n(0)] u8),
    /// Mail to a firm: the visitor has withdrawn the inquiry.
    #[n(6)]
    FirmWithdrawn(#[n(0)] u8),
    /// Mail to a firm: the inquiry was erased (Art. 19 GDPR).
    #[n(7)]
    FirmErased(#[n(0)] u8),
    /// Mail to the visitor: the inquiry has arrived.
    #[n(8)]
    VisitorReceived,
    /// Mail to the visitor: a firm has accepted.
    #[n(9)]
    VisitorAccepted(#[n(0)] u8),
    /// Mail to the visitor: no firm has been found yet.
    #[n(10)]
    VisitorNobody,
    /// Mail to a newsletter subscriber: the link that confirms the subscription.
    #[n(11)]
    NewsletterConfirm,
    /// Mail to the operator: an inquiry is held back because its sender has reached the daily limit.
    #[n(12)]
    OperatorHeld(#[n(0)] u8),
    /// Mail to the operator: a firm has accepted.
    #[n(13)]
    OperatorAccepted(#[n(0)] u8, #[n(1)] u8),
    /// Mail to the operator: inquiries are waiting because they may come from robots.
    #[n(14)]
    OperatorSuspected(#[n(0)] u8),
    /// Mail to the operator: the daily or weekly digest.
    #[n(15)]
    OperatorDigest(#[n(0)] u8, #[n(1)] DigestPeriod),
    /// Mail to a firm that has not answered: its time ends soon.
    #[n(16)]
    FirmReminder(#[n(0)] u8),
    /// Mail to a firm that has accepted: the visitor's contact details.
    #[n(17)]
    FirmContact(#[n(0)] u8),
    /// Webhook to the operator about a firm.
    #[n(18)]
    FirmWebhook(#[n(0)] Event, #[n(1)] u8),
    /// Mail to the operator: a firm's mail server refuses its address.
    #[n(19)]
    OperatorUnreachable(#[n(0)] u8, #[n(1)] u8),
    /// Mail to a firm that has accepted: the contact details were corrected.
    #[n(20)]
    FirmCorrected(#[n(0)] u8),
    /// Mail to a firm that has accepted: what became of the inquiry?
    #[n(21)]
    FirmOutcome(#[n(0)] u8),
    /// Mail to the operator: a link that logs in at the desk.
    #[n(22)]
    OperatorLogin(#[n(0)] u8),
}

/// The queue that handles what is due. Lanes are independent, so that a mail server that hangs does not hold up webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The clock: an answer is overdue, a released inquiry begins, a withdrawn one is dropped.
    Clock,
    /// The mail server.
    Mail,
    /// The operator's webhook.
    Webhook,
}

impl Lane {
    /// All lanes.
    pub const ALL: [Self; 3] = [Self::Clock, Self::Mail, Self::Webhook];
}

/// When each lane is next due. Lanes with nothing due are absent.
pub type Due = BTreeMap<Lane, Timestamp>;

/// How often the operator gets a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cbor(index_only)]
pub enum DigestPeriod {
    /// Every morning.
    #[n(0)]
    Daily,
    /// On Mondays.
    #[n(1)]
    Weekly,
}

/// The event that a webhook reports.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, IntoStaticStr, VariantNames,
)]
#[cbor(index_only)]
#[strum(serialize_all = "lowercase", prefix = "inquiry.")]
pub enum Event {
    /// An inquiry was stored.
    #[n(0)]
    Created,
    /// A firm has accepted.
    #[n(1)]
    Accepted,
    /// A firm has declined.
    #[n(2)]
    Declined,
    /// No firm matches or is left to ask.
    #[n(3)]
    Unmatched,
    /// The visitor has withdrawn the inquiry.
    #[n(4)]
    Withdrawn,
}

impl Event {
    /// The `type` in the webhook's body.
    pub fn id(self) -> &'static str {
        self.into()
    }
}

impl Message {
    /// The lane in which the message is sent.
    pub fn lane(self) -> Lane {
        match self {
            Self::Webhook(_) | Self::FirmWebhook(..) => Lane::Webhook,
            _ => Lane::Mail,
        }
    }

    /// The name used in the output of commands.
    pub fn id(self) -> &'static str {
        match self {
            Self::Webhook(event) | Self::FirmWebhook(event, _) => event.id(),
            _ => self.into(),
        }
    }

    /// The number of the firm that receives the mail.
    pub fn to_firm(self) -> Option<u8> {
        match self {
            Self::FirmRequest(firm)
            | Self::FirmAddition(firm)
            | Self::FirmWithdrawn(firm)
            | Self::FirmErased(firm)
            | Self::FirmReminder(firm)
            | Self::FirmContact(firm)
            | Self::FirmCorrected(firm)
            | Self::FirmOutcome(firm) => Some(firm),
            _ => None,
        }
    }

    /// Whether the visitor receives the mail.
    pub fn is_to_visitor(self) -> bool {
        matches!(
            self,
            Self::VisitorReceived | Self::VisitorAccepted(_) | Self::VisitorNobody
        )
    }

    /// The number of the firm that receives the message or is its subject.
    pub fn firm(self) -> Option<u8> {
        match self {
            Self::FirmWebhook(_, firm)
            | Self::OperatorAccepted(firm, _)
            | Self::OperatorUnreachable(firm, _)
            | Self::VisitorAccepted(firm) => Some(firm),
            _ => self.to_firm(),
        }
    }

    /// The number of the operator's mailbox that receives the mail; `None` for other recipients.
    pub fn operator(self) -> Option<u8> {
        match self {
            Self::OperatorNew(mailbox)
            | Self::OperatorUnmatched(mailbox)
            | Self::OperatorWithdrawn(mailbox)
            | Self::OperatorHeld(mailbox)
            | Self::OperatorSuspected(mailbox)
            | Self::OperatorLogin(mailbox)
            | Self::OperatorAccepted(_, mailbox)
            | Self::OperatorUnreachable(_, mailbox)
            | Self::OperatorDigest(mailbox, _) => Some(mailbox),
            _ => None,
        }
    }

    /// Whether the message may still be sent once the inquiry is withdrawn or erased. Such a message contains no personal data.
    pub fn outlives_inquiry(self) -> bool {
        matches!(
            self,
            Self::OperatorWithdrawn(_)
                | Self::OperatorUnreachable(..)
                | Self::Webhook(Event::Withdrawn)
                | Self::FirmWithdrawn(_)
                | Self::FirmErased(_)
                | Self::FirmOutcome(_)
        )
    }
}

/// When digests are sent, Hamburg time: before work begins.
const MORNING: Time = Time::constant(7, 0, 0, 0);

impl DigestPeriod {
    /// The most recent time at which a digest was due.
    pub fn last_morning(self, now: Timestamp) -> Timestamp {
        let today = berlin::day(now);
        let days = (0_i64..=7).filter_map(|back| today.checked_sub(back.days()).ok());
        let days = days.filter(|day| self == Self::Daily || day.weekday() == Weekday::Monday);
        let mut mornings = days.filter_map(morning);
        mornings.find(|morning| *morning <= now).unwrap_or(now)
    }

    /// The morning at which the period of a digest begins.
    pub fn since(self, until: Timestamp) -> Timestamp {
        let days: i64 = match self {
            Self::Daily => 1,
            Self::Weekly => 7,
        };
        let since = berlin::day(until).checked_sub(days.days());
        since.ok().and_then(morning).unwrap_or(until)
    }
}

fn morning(day: Date) -> Option<Timestamp> {
    let morning = day.to_datetime(MORNING).to_zoned(berlin::zone());
    morning.ok().map(|morning| morning.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_due_at_seven_in_hamburg() {
        use DigestPeriod::{Daily, Weekly};
        for (period, now, morning, since) in [
            (
                Daily,
                "2026-11-24T06:00:00Z",
                "2026-11-24T06:00:00Z",
                "2026-11-23T06:00:00Z",
            ),
            (
                Daily,
                "2026-11-24T05:59:59Z",
                "2026-11-23T06:00:00Z",
                "2026-11-22T06:00:00Z",
            ),
            // A day of 25 hours, and one of 23.
            (
                Daily,
                "2026-10-25T12:00:00Z",
                "2026-10-25T06:00:00Z",
                "2026-10-24T05:00:00Z",
            ),
            (
                Daily,
                "2026-03-29T12:00:00Z",
                "2026-03-29T05:00:00Z",
                "2026-03-28T06:00:00Z",
            ),
            (
                Weekly,
                "2026-11-24T06:00:00Z",
                "2026-11-23T06:00:00Z",
                "2026-11-16T06:00:00Z",
            ),
            (
                Weekly,
                "2026-11-23T05:00:00Z",
                "2026-11-16T06:00:00Z",
                "2026-11-09T06:00:00Z",
            ),
            (
                Weekly,
                "2026-10-26T06:00:00Z",
                "2026-10-26T06:00:00Z",
                "2026-10-19T05:00:00Z",
            ),
        ] {
            let time = |text: &str| text.parse::<Timestamp>().unwrap();
            assert_eq!(period.last_morning(time(now)), time(morning), "{period:?} {now}");
            assert_eq!(period.since(time(morning)), time(since), "{period:?} {now}");
        }
    }
}
