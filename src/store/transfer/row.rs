//! One row of a store.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use crate::domain::ledger::{Acceptance, Closing};
use crate::domain::matching::{FirmId, RequestHistory};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::InquiryRecord;
use crate::domain::referral::PhotoSize;
use crate::store::entry::Entry;
use crate::store::map::{EngineError, Key, Kind, Span, Value, View, scan};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::values::confirmation::counts_since;
use crate::store::values::fact::{Fact, is_copied};
use crate::store::values::{
    KeyEntry, acceptance_key, decode_billed, expiry_key, id, month_key, number, parts_of_confirmation,
    parts_of_count,
};

/// An entry of a store with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Value,
}

/// A row as backups have it.
#[derive(Encode, Decode)]
struct Stored<'a> {
    #[b(0)]
    kind: &'a str,
    #[cbor(b(1), with = "minicbor::bytes")]
    key: &'a [u8],
    #[cbor(b(2), with = "minicbor::bytes")]
    value: &'a [u8],
}

impl Row {
    /// Writes the row as backups have it.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let stored = Stored {
            kind: self.kind.name(),
            key: &self.key,
            value: &self.value,
        };
        // Memory takes every byte.
        let _ = minicbor::encode(stored, bytes);
    }

    /// Reads what [`Self::encode`] has written; the inner `None` if it is of a kind that is not known.
    pub fn decode(bytes: &[u8]) -> Option<Option<Self>> {
        let mut decoder = minicbor::Decoder::new(bytes);
        let stored: Stored<'_> = decoder.decode().ok()?;
        if decoder.position() < bytes.len() {
            return None;
        }
        let kind = copied_kinds().find(|kind| kind.name() == stored.kind);
        Some(kind.map(|kind| Self {
            kind,
            key: stored.key.to_vec(),
            value: stored.value.to_vec(),
        }))
    }

    /// Returns whether it is of use to another store at a time: not over, and not about this store alone.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn is_of_use(&self, now: Timestamp) -> Result<bool, EngineError> {
        let (key, value) = (self.key.as_slice(), self.value.as_slice());
        Ok(match self.kind {
            Kind::Secrets => {
                let is_known = key == reads::SECRET && value.len() == 32;
                is_known
                    .then_some(true)
                    .ok_or(EngineError::Damaged("the secret of private pages cannot be read"))?
            }
            Kind::Facts => {
                number(value)?;
                let name =
                    std::str::from_utf8(key).map_err(|_| EngineError::Damaged("a fact cannot be read"))?;
                let kept = [Fact::Backup, Fact::Suspended].map(Fact::name);
                is_copied(name) || kept.contains(&name)
            }
            Kind::Inquiries => {
                let record = Entry::<InquiryRecord>::decode(key, value)?.record;
                record.inquiry.is_some() || !record.referral.is_over(now)
            }
            Kind::Keys => {
                id(key)?;
                KeyEntry::decode(value)?.expires_at > millis(now)
            }
            Kind::Asks => {
                let firm = std::str::from_utf8(key)
                    .ok()
                    .and_then(|firm| FirmId::parse(firm).ok());
                let read = firm.zip(RequestHistory::from_bytes(value));
                read.map(|_| true)
                    .ok_or(EngineError::Damaged("what a firm was asked cannot be read"))?
            }
            Kind::Confirmations => parts_of_confirmation(key)?.0 >= counts_since(now),
            Kind::Counts => {
                parts_of_count(key)?;
                number(value).map(|_| true)?
            }
            Kind::Subscriptions => !Entry::<Subscription>::decode(key, value)?.record.is_expired(now),
            Kind::Ledger => {
                let acceptance: Acceptance = decode_billed(value, "an acceptance cannot be read")?;
                let is_key = key == acceptance_key(acceptance.inquiry, &acceptance.firm);
                is_key
                    .then_some(true)
                    .ok_or(EngineError::Damaged("an acceptance has the key of another"))?
            }
            Kind::Closings => {
                let closing: Closing = decode_billed(value, "a closed month cannot be read")?;
                let is_key = key == month_key(closing.month);
                is_key
                    .then_some(true)
                    .ok_or(EngineError::Damaged("a closed month has the key of another"))?
            }
            Kind::Photos => {
                let is_known = PhotoSize::ALL
                    .iter()
                    .any(|known| key.get(18..) == Some(&[known.number()]));
                let is_whole = value.starts_with(&[0xff, 0xd8, 0xff]) && value.ends_with(&[0xff, 0xd9]);
                let is_photo = is_known && is_whole;
                is_photo
                    .then_some(true)
                    .ok_or(EngineError::Damaged("a photo cannot be read"))?
            }
            Kind::Erased => {
                id(key)?;
                number(value).map(|_| true)?
            }
            Kind::Expiries | Kind::Due | Kind::Acme | Kind::Writers => false,
        })
    }

    /// Returns the keys of the indexes that follow from it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn indexes(&self) -> Result<Vec<(Kind, Key)>, EngineError> {
        Ok(match self.kind {
            Kind::Inquiries => Entry::<InquiryRecord>::decode(&self.key, &self.value)?.due_keys(),
            Kind::Subscriptions => Entry::<Subscription>::decode(&self.key, &self.value)?.due_keys(),
            Kind::Keys => {
                let expires_at = KeyEntry::decode(&self.value)?.expires_at;
                vec![(Kind::Expiries, expiry_key(expires_at, &id(&self.key)?))]
            }
            _ => Vec::new(),
        })
    }

    /// Returns whether it holds an inquiry, and not only what is left of one.
    pub fn has_inquiry(&self) -> bool {
        let entry = Entry::<InquiryRecord>::decode(&self.key, &self.value);
        self.kind == Kind::Inquiries && entry.is_ok_and(|entry| entry.record.inquiry.is_some())
    }

    /// Names it for an operator.
    pub fn label(&self) -> String {
        let section = self.kind.label();
        let begin = self.key.get(..16).and_then(|id| Uuid::from_slice(id).ok());
        let rest = self.key.get(16..).unwrap_or_default();
        match (self.kind, begin) {
            (Kind::Inquiries | Kind::Subscriptions, Some(id)) => format!("{section} {id}"),
            (Kind::Ledger, Some(id)) => format!("{section} {id} of {}", String::from_utf8_lossy(rest)),
            (Kind::Photos, Some(id)) => {
                let number = rest.first_chunk().map_or(0, |number| u16::from_be_bytes(*number));
                format!("{section} {number} of {id}")
            }
            (Kind::Asks | Kind::Facts | Kind::Secrets, _) => {
                format!("{section} {}", String::from_utf8_lossy(&self.key))
            }
            (Kind::Closings, _) => {
                let month = self
                    .key
                    .first_chunk()
                    .map_or(0, |month| u32::from_be_bytes(*month));
                format!("{section} {month}")
            }
            _ => section.to_owned(),
        }
    }
}

/// Returns the kinds that another store gets, in the order of their rows.
pub fn copied_kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| !kind.is_own())
}

/// Calls `each` for every row that another store gets, whether or not it is of use.
pub fn rows<E: From<EngineError>>(
    view: &dyn View,
    mut each: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    for kind in copied_kinds() {
        scan(view, Span::all(kind), |key, value| {
            each(Row { kind, key, value }).map(|()| true)
        })?;
    }
    Ok(())
}
