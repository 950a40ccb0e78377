//! An inquiry or a subscription as one value, together with the leases of its deliveries.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Delivery, DeliveryId, Due, InquiryRecord, Lane};
use crate::store::map::{EngineError, EntryKind, Key, Value};
use crate::store::values::ids::{self, Id};
use crate::store::values::leases::Leases;
use crate::store::values::{decode, due_key, encode, millis};

/// The subject of a delivery.
#[derive(Debug)]
pub enum Delivering {
    /// An inquiry.
    Inquiry(Box<InquiryRecord>),
    /// A subscription to the newsletter.
    Subscription(Box<Subscription>),
}

/// A record that has deliveries.
pub trait Deliverable: Encode<i64> + for<'b> Decode<'b, i64> {
    /// Its kind of entry.
    const KIND: EntryKind;

    /// The number of its first lane in the index. Numbers are part of the format: never give one a new meaning.
    const FIRST_LANE: u8;

    /// The time that stored times are relative to.
    fn epoch(id: Id) -> i64;

    /// Completes a record that was read with this id.
    fn with_id(self, id: Id) -> Self;

    /// When something is next due.
    fn due(&self, leases: &Leases) -> Due;

    /// The deliveries that are due in a lane, each with the number of its lease and its permanent id.
    fn deliveries(&self, id: Id, lane: Lane, now: Timestamp) -> Vec<(u16, DeliveryId, Delivery)>;

    /// The subject of its deliveries.
    fn delivering(&self) -> Delivering;

    /// The number of a lane in the index.
    fn lane(lane: Lane) -> u8 {
        Self::FIRST_LANE
            + match lane {
                Lane::Clock => 0,
                Lane::Mail => 1,
                Lane::Webhook => 2,
            }
    }
}

/// The stored form of an inquiry or of a subscription to the newsletter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord<T = InquiryRecord> {
    /// Its key.
    pub id: Id,
    /// The inquiry, unless it was withdrawn or erased, and its referral; or the subscription.
    pub record: T,
    /// The leases of deliveries in progress.
    pub leases: Leases,
    /// Its keys in the index of what is due, which is updated on saving.
    pub(super) indexed: Vec<Key>,
}

impl<T: Deliverable> StoredRecord<T> {
    /// Returns a new entry.
    pub fn new(id: Id, record: T) -> Self {
        Self {
            id,
            record,
            leases: Leases::default(),
            indexed: Vec::new(),
        }
    }

    /// Decodes an entry.
    ///
    /// # Errors
    /// When key or value cannot be decoded.
    pub fn decode(key: &[u8], value: &[u8]) -> Result<Self, EngineError> {
        let mut entry = Self::decode_to_read(key, value)?;
        entry.indexed = entry.due_keys();
        Ok(entry)
    }

    /// Decodes an entry that is not saved again, so that its keys in the index are not needed.
    ///
    /// # Errors
    /// When key or value cannot be decoded.
    pub fn decode_to_read(key: &[u8], value: &[u8]) -> Result<Self, EngineError> {
        let id = super::values::id(key)?;
        let stored: Stored<T, Leases> =
            decode(value, T::epoch(id)).ok_or(EngineError::Damaged(match T::KIND {
                EntryKind::Inquiries => "an inquiry cannot be read",
                _ => "a subscription cannot be read",
            }))?;
        Ok(Self {
            leases: stored.leases,
            ..Self::new(id, stored.record.with_id(id))
        })
    }

    /// Encodes the value to store.
    pub fn encode(&self) -> Value {
        let stored = Stored {
            record: &self.record,
            leases: &self.leases,
        };
        encode(stored, T::epoch(self.id))
    }

    /// When something is next due.
    pub fn due(&self) -> Due {
        self.record.due(&self.leases)
    }

    /// The keys it must have in the index of what is due.
    pub fn due_keys(&self) -> Vec<Key> {
        let due = self.due();
        let key = |lane| Some(due_key(T::lane(lane), millis(*due.get(&lane)?), &self.id));
        Lane::ALL.into_iter().filter_map(key).collect()
    }
}

#[derive(Encode, Decode)]
struct Stored<R, L> {
    #[n(0)]
    record: R,
    #[n(1)]
    leases: L,
}

impl Deliverable for InquiryRecord {
    const KIND: EntryKind = EntryKind::Inquiries;
    const FIRST_LANE: u8 = 0;

    fn epoch(id: Id) -> i64 {
        i64::try_from(ids::millis(id)).unwrap_or_default()
    }

    fn with_id(mut self, id: Id) -> Self {
        self.id = Uuid::from_bytes(id);
        if let Some(inquiry) = &mut self.inquiry {
            inquiry.id = self.id;
        }
        self
    }

    fn due(&self, leases: &Leases) -> Due {
        self.referral.due(|number, due| leases.free(number, due))
    }

    fn deliveries(&self, _: Id, lane: Lane, now: Timestamp) -> Vec<(u16, DeliveryId, Delivery)> {
        let due = self.referral.due_deliveries(lane, now);
        let named = due.map(|(number, delivery)| {
            let inquiry = self.id;
            (number, DeliveryId { inquiry, number }, delivery.clone())
        });
        named.collect()
    }

    fn delivering(&self) -> Delivering {
        Delivering::Inquiry(Box::new(self.clone()))
    }
}

impl Deliverable for Subscription {
    const KIND: EntryKind = EntryKind::Subscriptions;
    const FIRST_LANE: u8 = 3;

    fn epoch(_: Id) -> i64 {
        // The id contains no time.
        0
    }

    fn with_id(self, _: Id) -> Self {
        self
    }

    fn due(&self, leases: &Leases) -> Due {
        let mut due = self.due();
        if let Some(mail) = due.get_mut(&Lane::Mail) {
            *mail = leases.free(0, *mail);
        }
        due
    }

    fn deliveries(&self, id: Id, lane: Lane, now: Timestamp) -> Vec<(u16, DeliveryId, Delivery)> {
        let is_due = lane == Lane::Mail && self.delivery.due().is_some_and(|due| due <= now);
        let mail = is_due.then(|| (0, self.delivery_id(id), self.delivery.clone()));
        mail.into_iter().collect()
    }

    fn delivering(&self) -> Delivering {
        Delivering::Subscription(Box::new(self.clone()))
    }
}
