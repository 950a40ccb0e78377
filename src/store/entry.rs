//! What is known of an inquiry, as one value: what the visitor has sent, what became of it, and who is trying its deliveries.

use minicbor::data::Type;
use minicbor::{Decoder, Encoder};
use uuid::Uuid;

use super::map::{EngineError, Value};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Due, InquiryRecord, Referral};
use crate::store::error::Damaged;
use crate::store::values::ids::Id;
use crate::store::values::leases::Leases;
use crate::store::values::{record, referral_record, subscription_record};

/// The first byte of every value that holds several parts.
const VERSION: u8 = 1;

/// Room for a usual entry, so that encoding one allocates once.
const USUAL_LENGTH: usize = 384;

/// What is known of an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The inquiry, unless it was withdrawn or erased, and its referral.
    pub record: InquiryRecord,
    /// The deliveries that somebody has begun to try.
    pub leases: Leases,
    /// When it is due by the index.
    indexed: Due,
}

impl Entry {
    /// Returns a new entry.
    pub fn new(record: InquiryRecord) -> Self {
        Self {
            record,
            leases: Leases::default(),
            indexed: Due::default(),
        }
    }

    /// Reads the value of an inquiry.
    ///
    /// # Errors
    /// When a part of it is not what was written.
    pub fn decode(id: &Id, value: &[u8]) -> Result<Self, EngineError> {
        let damaged = Damaged("an inquiry cannot be read");
        let [inquiry, referral, leases] = parts(value).ok_or(damaged)?;
        if inquiry.is_none() && referral.is_none() {
            return Err(damaged.into());
        }
        let inquiry = match inquiry {
            Some(inquiry) => Some(record::decode(*id, inquiry).ok_or(damaged)?),
            None => None,
        };
        let is_suspected = inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected);
        let referral = match referral {
            Some(referral) => referral_record::decode(id, referral)?,
            None => Referral::implied(is_suspected),
        };
        let leases = Leases::decode(leases)?;
        let indexed = leases.due(&referral);
        let record = InquiryRecord {
            id: Uuid::from_bytes(*id),
            inquiry,
            referral,
        };
        Ok(Self {
            record,
            leases,
            indexed,
        })
    }

    /// Returns the value that is stored. A referral that follows from the inquiry takes no room.
    ///
    /// # Errors
    /// Never: memory takes every byte.
    pub fn encode(&self) -> Result<Value, EngineError> {
        let InquiryRecord {
            id,
            inquiry,
            referral,
        } = &self.record;
        let is_implied = inquiry
            .as_ref()
            .is_some_and(|inquiry| *referral == Referral::implied(inquiry.suspected));
        let inquiry = inquiry.as_ref().map(record::encode_stored).transpose()?;
        let referral = (!is_implied).then(|| referral_record::encode(id.as_bytes(), referral));
        Ok(join([inquiry, referral.transpose()?, self.leases.encode()]))
    }

    /// Returns when somebody may do something for it.
    pub fn due(&self) -> Due {
        self.leases.due(&self.record.referral)
    }

    /// Returns when it is due by the index, which follows when it is saved.
    pub fn indexed(&self) -> Due {
        self.indexed
    }
}

/// What is known of a subscription to the newsletter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionEntry {
    /// The subscription.
    pub subscription: Subscription,
    /// Its mail, if somebody has begun to send it.
    pub leases: Leases,
    indexed: Due,
}

impl SubscriptionEntry {
    /// Returns a new entry.
    pub fn new(subscription: Subscription) -> Self {
        Self {
            subscription,
            leases: Leases::default(),
            indexed: Due::default(),
        }
    }

    /// Reads the value of a subscription.
    ///
    /// # Errors
    /// When a part of it is not what was written.
    pub fn decode(value: &[u8]) -> Result<Self, EngineError> {
        let damaged = Damaged("a subscription cannot be read");
        let [subscription, leases, None] = parts(value).ok_or(damaged)? else {
            return Err(damaged.into());
        };
        let mut entry = Self {
            subscription: subscription_record::decode(subscription.ok_or(damaged)?)?,
            leases: Leases::decode(leases)?,
            indexed: Due::default(),
        };
        entry.indexed = entry.due();
        Ok(entry)
    }

    /// Returns the value that is stored.
    ///
    /// # Errors
    /// As for [`Entry::encode`].
    pub fn encode(&self) -> Result<Value, EngineError> {
        let subscription = subscription_record::encode(&self.subscription)?;
        Ok(join([Some(subscription), self.leases.encode(), None]))
    }

    /// Returns when somebody may do something for it.
    pub fn due(&self) -> Due {
        let due = self.subscription.due();
        Due {
            mail: due.mail.map(|mail| self.leases.free(0, mail)),
            ..due
        }
    }

    /// Returns when it is due by the index, which follows when it is saved.
    pub fn indexed(&self) -> Due {
        self.indexed
    }
}

/// Joins parts, each of which has a version of its own, to one value.
fn join(parts: [Option<Vec<u8>>; 3]) -> Value {
    let mut value = Vec::with_capacity(USUAL_LENGTH);
    value.push(VERSION);
    let mut encoder = Encoder::new(&mut value);
    for part in parts {
        // Memory takes every byte, so that no step fails.
        let _ = match part {
            Some(part) => encoder.bytes(&part).map(drop),
            None => encoder.null().map(drop),
        };
    }
    value
}

/// Returns the parts of a value; `None` if it is damaged.
fn parts(value: &[u8]) -> Option<[Option<&[u8]>; 3]> {
    let (&VERSION, rest) = value.split_first()? else {
        return None;
    };
    let mut decoder = Decoder::new(rest);
    let mut parts = [None; 3];
    for part in &mut parts {
        match decoder.datatype().ok()? {
            Type::Null => decoder.null().ok()?,
            _ => *part = Some(decoder.bytes().ok()?),
        }
    }
    (decoder.position() == rest.len()).then_some(parts)
}
