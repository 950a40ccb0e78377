//! The rows of a store, and their tally.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::ledger::{Acceptance, Closing};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::confirmation_quota::counts_since;
use crate::domain::referral::{InquiryRecord, PhotoSize};
use crate::store::entry::StoredRecord;
use crate::store::facts::{self, is_copied};
use crate::store::map::{EngineError, EntryKind, Key, Span, Value, View, scan};
use crate::store::reads;
use crate::store::values::{
    KeyEntry, acceptance_key, decode_billed, id, millis, month_key, number, parts_of_confirmation,
    parts_of_count, time_key,
};

/// An entry of a store with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// The kind.
    pub kind: EntryKind,
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Value,
}

/// The parsed contents of a row.
#[derive(Default)]
pub struct ParsedRow {
    /// Whether another store needs it: not expired, and not specific to this store.
    pub is_of_use: bool,
    /// Whether it contains an inquiry rather than only the remains of one.
    pub has_inquiry: bool,
    /// The keys of its index entries.
    pub indexes: Vec<(EntryKind, Key)>,
}

impl TableRow {
    /// Parses the row as of `now`.
    ///
    /// # Errors
    /// When it cannot be decoded.
    pub fn parse(&self, now: Timestamp) -> Result<ParsedRow, EngineError> {
        let (key, value) = (self.key.as_slice(), self.value.as_slice());
        let must = |is_right, what| {
            if is_right {
                Ok(true)
            } else {
                Err(EngineError::Damaged(what))
            }
        };
        let due = |keys: Vec<Key>| keys.into_iter().map(|key| (EntryKind::Due, key)).collect();
        let mut parsed = ParsedRow::default();
        parsed.is_of_use = match self.kind {
            EntryKind::Secrets => must(
                key == reads::SECRET && value.len() == 32,
                "the secret of private pages cannot be read",
            )?,
            EntryKind::Facts => {
                number(value)?;
                let name =
                    std::str::from_utf8(key).map_err(|_| EngineError::Damaged("a fact cannot be read"))?;
                is_copied(name) || [facts::BACKUP, facts::SUSPENDED].contains(&name)
            }
            EntryKind::Inquiries => {
                let entry = StoredRecord::<InquiryRecord>::decode(key, value)?;
                parsed.indexes = due(entry.due_keys());
                parsed.has_inquiry = entry.record.inquiry.is_some();
                parsed.has_inquiry || !entry.record.referral.is_over(now)
            }
            EntryKind::Keys => {
                let name = id(key)?;
                let expires_at = KeyEntry::decode(value)?.expires_at;
                parsed.indexes = vec![(EntryKind::Expiries, time_key(expires_at, &name))];
                expires_at > millis(now)
            }
            EntryKind::Asks => reads::ask(key, value).map(|_| true)?,
            EntryKind::Confirmations => parts_of_confirmation(key)?.0 >= counts_since(now),
            EntryKind::Counts => parts_of_count(key).and(number(value)).map(|_| true)?,
            EntryKind::Subscriptions => {
                let entry = StoredRecord::<Subscription>::decode(key, value)?;
                parsed.indexes = due(entry.due_keys());
                !entry.record.is_expired(now)
            }
            EntryKind::Ledger => {
                let acceptance: Acceptance = decode_billed(value, "an acceptance cannot be read")?;
                let is_key = key == acceptance_key(acceptance.inquiry, &acceptance.firm);
                must(is_key, "an acceptance has the key of another")?
            }
            EntryKind::Closings => {
                let closing: Closing = decode_billed(value, "a closed month cannot be read")?;
                must(
                    key == month_key(closing.month),
                    "a closed month has the key of another",
                )?
            }
            EntryKind::Photos => {
                let size = key.get(18..).unwrap_or_default();
                let is_known = PhotoSize::ALL.iter().any(|known| size == [known.number()]);
                let is_whole = value.starts_with(&[0xff, 0xd8, 0xff]) && value.ends_with(&[0xff, 0xd9]);
                must(is_known && is_whole, "a photo cannot be read")?
            }
            EntryKind::Erased => id(key).and(number(value)).map(|_| true)?,
            EntryKind::Expiries | EntryKind::Due | EntryKind::Acme | EntryKind::Writers => false,
        };
        Ok(parsed)
    }

    /// The name shown to operators.
    pub fn label(&self) -> String {
        let section = self.kind.label();
        let begin = self.key.get(..16).and_then(|id| Uuid::from_slice(id).ok());
        let rest = self.key.get(16..).unwrap_or_default();
        match (self.kind, begin) {
            (EntryKind::Inquiries | EntryKind::Subscriptions, Some(id)) => format!("{section} {id}"),
            (EntryKind::Ledger, Some(id)) => format!("{section} {id} of {}", String::from_utf8_lossy(rest)),
            (EntryKind::Photos, Some(id)) => {
                let number = rest.first_chunk().map_or(0, |number| u16::from_be_bytes(*number));
                format!("{section} {number} of {id}")
            }
            (EntryKind::Asks | EntryKind::Facts | EntryKind::Secrets, _) => {
                format!("{section} {}", String::from_utf8_lossy(&self.key))
            }
            (EntryKind::Closings, _) => {
                let month = self.key.first_chunk();
                format!(
                    "{section} {}",
                    month.map_or(0, |month| u32::from_be_bytes(*month))
                )
            }
            _ => section.to_owned(),
        }
    }
}

/// The kinds that are copied to another store, in the order of their rows.
pub fn copied_kinds() -> impl Iterator<Item = EntryKind> {
    EntryKind::ALL.into_iter().filter(|kind| !kind.is_own())
}

/// Calls a function for each row of a store that is copied, in order.
///
/// # Errors
/// When a row cannot be read, or the function fails.
pub fn rows<E: From<EngineError>>(
    view: &dyn View,
    mut each: impl FnMut(TableRow) -> Result<(), E>,
) -> Result<(), E> {
    copied_kinds().try_for_each(|kind| {
        scan(view, Span::all(kind), |key, value| {
            each(TableRow { kind, key, value }).map(|()| true)
        })
    })
}

/// Number of rows of each kind, with their digests.
#[derive(Debug, Clone, Default)]
pub struct RowTally {
    kinds: BTreeMap<EntryKind, (u64, Sha256)>,
    inquiries: u64,
}

impl RowTally {
    /// Adds the next row of its kind.
    pub fn add(&mut self, row: &TableRow, has_inquiry: bool) {
        let (count, digest) = self.kinds.entry(row.kind).or_default();
        *count += 1;
        for part in [&row.key, &row.value] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        self.inquiries += u64::from(has_inquiry);
    }

    /// Number of rows of a kind.
    pub fn count(&self, kind: EntryKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |(count, _)| *count)
    }

    /// Number of inquiries; some rows hold only the remains of one.
    pub fn inquiries(&self) -> u64 {
        self.inquiries
    }

    /// The counts by the names shown to operators.
    pub fn counts(&self) -> Vec<(String, u64)> {
        let count = |kind| match kind {
            EntryKind::Inquiries => self.inquiries,
            kind => self.count(kind),
        };
        copied_kinds()
            .map(|kind| (kind.label().to_owned(), count(kind)))
            .collect()
    }

    /// A digest of all rows, in hexadecimal.
    pub fn digest(&self) -> String {
        let mut all = Sha256::new();
        copied_kinds().for_each(|kind| all.update(self.digest_of(kind)));
        all.finalize().iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// The first kind in which two stores differ.
    pub fn difference(&self, other: &Self) -> Option<EntryKind> {
        copied_kinds().find(|&kind| self.digest_of(kind) != other.digest_of(kind))
    }

    fn digest_of(&self, kind: EntryKind) -> [u8; 32] {
        let digest = self.kinds.get(&kind).map(|(_, digest)| digest.clone());
        digest.unwrap_or_default().finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(rows: &[(&[u8], &[u8])]) -> RowTally {
        let mut tally = RowTally::default();
        for (key, value) in rows {
            let (kind, key, value) = (EntryKind::Erased, key.to_vec(), value.to_vec());
            tally.add(&TableRow { kind, key, value }, false);
        }
        tally
    }

    #[test]
    fn any_difference_shows() {
        let one = tally(&[(b"ab", b"c"), (b"b", b"2")]);
        assert_eq!(one.difference(&one.clone()), None);
        assert_eq!(one.count(EntryKind::Erased), 2);
        for other in [
            tally(&[]),
            tally(&[(b"ab", b"c")]),
            tally(&[(b"ab", b"c"), (b"b", b"3")]),
            tally(&[(b"b", b"2"), (b"ab", b"c")]),
            tally(&[(b"a", b"bc"), (b"b", b"2")]),
        ] {
            assert_eq!(one.difference(&other), Some(EntryKind::Erased));
            assert_ne!(one.digest(), other.digest());
        }
    }
}
