//! What a command asks of whoever has the store, and what it is answered.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::commission::Percent;
use crate::domain::ledger::{Acceptance, Month};
use crate::domain::matching::FirmId;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{DeliveryId, InquiryRecord, ReviewId, Verdict};
use crate::store::{Erasure, PauseEnd, Selection, Store, TimeRange};

/// What a command asks for. This is also the form on the control socket. Each variant says what is sent back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The inquiries of a selection: an [`ExportRow`](crate::domain::inquiry::ExportRow) each.
    Inquiries(Selection),
    /// Everything that is known of the inquiries of a range, also of those that were withdrawn or erased: a
    /// [`InquiryRecord`](crate::domain::referral::InquiryRecord) each.
    InquiryRecords(TimeRange),
    /// The subscriptions to the newsletter: a [`FoundSubscription`] each.
    Subscriptions,
    /// A backup: its bytes.
    Backup,
    /// Everything that is known of one inquiry: `Option<FoundInquiry>`.
    InquiryRecord(Uuid),
    /// A photo of an inquiry: `Option<String>`, its large JPEG in Base64.
    Photo(Uuid, u16),
    /// What is remembered of each firm's asks: `HashMap<FirmId, RequestHistory>`.
    RequestHistory,
    /// Whether a firm was ever asked or paused, or is in the configuration: `bool`.
    KnowsFirm {
        /// The firm.
        firm: FirmId,
        /// Whether it is in the configuration of the command; the server fills in whether it is in its own.
        is_configured: bool,
    },
    /// What was counted from a day on: `Vec<(Date, DayCounts)>`.
    Counts(Date),
    /// The ledger of a month: `(Option<Closing>, Vec<Acceptance>, Percent)`, with the rate of value added tax that holds unless the
    /// month is closed.
    Ledger {
        /// The month.
        month: Month,
        /// The rate; where none is given, the server fills in its own.
        vat: Option<Percent>,
    },
    /// All reviews: `Vec<FoundReview>`.
    Reviews,
    /// What the store says of its backups, of the time, of pauses and of reviews: [`Facts`](crate::store::Facts).
    Facts,
    /// A check of every record: [`Findings`](crate::store::Findings).
    Check,
    /// Erases inquiries: `Result<u64, Uuid>`, their number, or an id that no inquiry has, in which case nothing
    /// was erased.
    Erase(Erasure),
    /// Releases a suspected inquiry, if its text still has the digest: `Result<(), Refusal>`, or the reason why nothing was changed.
    Release(Uuid, Option<Uuid>),
    /// Asks a firm about an inquiry by hand: `Result<InquiryRecord, Refusal>`, what is known of it then, or the reason why nothing was
    /// changed.
    Ask(Uuid, FirmId),
    /// Publishes a review, or does not, if it is still the one that was written at this time: `Result<(), Refusal>`, or the reason why
    /// nothing was changed.
    Judge(ReviewId, Verdict, Option<Timestamp>),
    /// Pauses a firm: `Result<u64, Refusal>`, how many open questions were passed on, or the reason why it was not paused.
    Pause(FirmId, PauseEnd),
    /// Has a firm asked again: `()`.
    Resume(FirmId),
    /// Tries a delivery now that waits for later, has failed or is held; `None` for all of them: `Result<Retried, Refusal>`, or
    /// the reason why nothing was changed.
    Retry(Option<DeliveryId>),
    /// Tries all deliveries of an inquiry now that wait for later, have failed or are held: `Result<Retried, String>`, or the reason
    /// why nothing was changed.
    RetryInquiry(Uuid),
    /// Ends the subscription of an address, whose letter case does not matter: `bool`, whether there was one.
    EndSubscription(String),
    /// Closes a month at a rate of value added tax: `Result<(), ClosingRefusal>`, or the reason why nothing was changed.
    CloseMonth {
        /// The month.
        month: Month,
        /// The rate, unless it is closed already; where none is given, the server fills in its own.
        vat: Option<Percent>,
    },
    /// Makes a code that lets somebody into the desk: `(String, Option<String>)`, the code and the desk's address, if a server has
    /// noted it.
    OfferDeskCode,
    /// Ends all sessions of the desk: `u64`, how many there were.
    EndDeskSessions,
    /// Notes when a backup was made: `()`.
    NoteBackup(Timestamp),
    /// Has the store believe the clock although it has leapt: `()`.
    BelieveClock,
}

impl Request {
    /// Returns whether it changes anything, so that one whose reply is lost may have been carried out.
    pub fn changes(&self) -> bool {
        match self {
            Self::Inquiries(_)
            | Self::InquiryRecords(_)
            | Self::Subscriptions
            | Self::Backup
            | Self::InquiryRecord(_)
            | Self::Photo(..)
            | Self::RequestHistory
            | Self::KnowsFirm { .. }
            | Self::Counts(_)
            | Self::Ledger { .. }
            | Self::Reviews
            | Self::Facts
            | Self::Check => false,
            Self::Erase(_)
            | Self::Release(..)
            | Self::Ask(..)
            | Self::Judge(..)
            | Self::Pause(..)
            | Self::Resume(_)
            | Self::Retry(_)
            | Self::RetryInquiry(_)
            | Self::EndSubscription(_)
            | Self::CloseMonth { .. }
            | Self::OfferDeskCode
            | Self::EndDeskSessions
            | Self::NoteBackup(_)
            | Self::BelieveClock => true,
        }
    }
}

/// Everything that is known of an inquiry.
#[derive(Debug, Serialize, Deserialize)]
pub struct FoundInquiry {
    /// Its record.
    pub record: InquiryRecord,
    /// The tokens of its private pages.
    pub tokens: Tokens,
    /// What the ledger has of it.
    pub acceptances: Vec<Acceptance>,
}

/// The tokens of an inquiry's private pages.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tokens {
    /// That of the visitor.
    pub visitor: String,
    /// Those of the firms, in the order in which they were asked.
    pub firms: Vec<String>,
}

/// A subscription to the newsletter, and what names it.
#[derive(Debug, Serialize, Deserialize)]
pub struct FoundSubscription {
    /// The subscription.
    pub subscription: Subscription,
    /// Names it in the ids of its deliveries.
    pub key: [u8; 16],
    /// Names it in the address of the page that ends it.
    pub token: String,
}

impl FoundSubscription {
    /// Names a subscription of a store.
    pub fn new(subscription: Subscription, store: &Store) -> Self {
        let key = store.subscription_key(&subscription.email);
        Self {
            subscription,
            key,
            token: store.secret().newsletter_token(key),
        }
    }
}

/// What goes on because the operator has said so.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Retried {
    /// Deliveries that are tried again.
    pub deliveries: u64,
    /// Inquiries that stood still since the store was restored.
    pub inquiries: u64,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::store::Suspected;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        let time = |text: &str| Some(text.parse().unwrap());
        let mut requests = Vec::new();
        for since in [None, time("2026-11-01T00:00:00.5Z")] {
            for until in [None, time("2026-11-02T00:00:00Z")] {
                for suspected in [Suspected::LeftOut, Suspected::Included, Suspected::Only] {
                    let range = TimeRange { since, until };
                    requests.push(Request::Inquiries(Selection { range, suspected }));
                }
            }
        }
        let ids = BTreeSet::from([Uuid::from_u128(1), Uuid::from_u128(2)]);
        let noon = "2026-11-08T12:00:00.5Z".parse().unwrap();
        for what in [
            Erasure::Ids(ids),
            Erasure::Until(noon),
            Erasure::ReceivedBefore(noon),
        ] {
            requests.push(Request::Erase(what));
        }
        let month = "2026-11".parse().unwrap();
        for vat in [None, Some(Percent::USUAL_VAT)] {
            requests.extend([Request::Ledger { month, vat }, Request::CloseMonth { month, vat }]);
        }
        requests.extend([Request::Facts, Request::Retry(None)]);
        for request in requests {
            let written = serde_json::to_vec(&request).unwrap();
            assert_eq!(serde_json::from_slice::<Request>(&written).unwrap(), request);
        }
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let both =
            r#"{"inquiries":{"range":{"since":"2026-11-01T00:00:00Z","until":"2026-11-02T00:00:00+01:00"}}}"#;
        let Request::Inquiries(both) = serde_json::from_str(both).unwrap() else {
            panic!("not the inquiries");
        };
        assert_eq!(both.range.since.unwrap().to_string(), "2026-11-01T00:00:00Z");
        assert_eq!(both.range.until.unwrap().to_string(), "2026-11-01T23:00:00Z");
        assert_eq!(both.suspected, Suspected::LeftOut);
    }

    #[test]
    fn what_is_not_understood_is_no_request() {
        for wrong in [
            "",
            "{}",
            "[]",
            r#"{"inquiries":{"range":{"since":""}}}"#,
            r#"{"inquiries":{"range":{"since":"2026-11-01"}}}"#,
            r#"{"inquiries":{"range":{"from":"2026-11-01T00:00:00Z"}}}"#,
            r#"{"inquiries":{"range":{"since":"2026-11-01T00:00:00Z","since":"2026-11-01T00:00:00Z"}}}"#,
            r#"{"inquiries":{"suspected":""}}"#,
            r#"{"inquiries":{"suspected":true}}"#,
            r#"{"inquiries":{"suspected":"only","suspected":"only"}}"#,
            r#"{"erase":{}}"#,
            r#"{"erase":[]}"#,
            r#"{"erase":{"ids":["1"]}}"#,
            r#"{"erase":{"until":"2026-11-08"}}"#,
            r#"{"erase":{"until":null}}"#,
            r#"{"erase":{"ids":[],"until":"2026-11-08T12:00:00Z"}}"#,
            r#"{"erase":{"all":true}}"#,
        ] {
            assert!(serde_json::from_str::<Request>(wrong).is_err(), "{wrong}");
        }
    }
}
