//! How many rows there are of each kind, and a digest of what they hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::row::{Row, copied_kinds};
use crate::store::map::Kind;

/// The rows of a store, counted, with a digest of each kind.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    kinds: BTreeMap<Kind, Counted>,
    inquiries: u64,
    /// The bytes of the row that was added last.
    row: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
struct Counted {
    count: u64,
    digest: Sha256,
}

impl Tally {
    /// Adds the row that is next in its order; returns it as a backup has it.
    pub fn add(&mut self, row: &Row) -> &[u8] {
        self.row.clear();
        row.encode(&mut self.row);
        let counted = self.kinds.entry(row.kind).or_default();
        counted.count += 1;
        counted.digest.update(&self.row);
        self.inquiries += u64::from(row.has_inquiry());
        &self.row
    }

    /// Returns the number of rows of a kind.
    pub fn count(&self, kind: Kind) -> u64 {
        self.kinds.get(&kind).map_or(0, |counted| counted.count)
    }

    /// Returns the number of all rows.
    pub fn rows(&self) -> u64 {
        self.kinds.values().map(|counted| counted.count).sum()
    }

    /// Returns the number of inquiries: some rows hold only what is left of one.
    pub fn inquiries(&self) -> u64 {
        self.inquiries
    }

    /// Returns what was counted, by the names that operators read.
    pub fn counts(&self) -> Vec<(String, u64)> {
        let count = |kind| match kind {
            Kind::Inquiries => self.inquiries,
            kind => self.count(kind),
        };
        copied_kinds()
            .map(|kind| (kind.label().to_owned(), count(kind)))
            .collect()
    }

    /// Returns a digest of all rows, which tells how many of each kind there are, too.
    pub fn digest(&self) -> [u8; 32] {
        let mut all = Sha256::new();
        for kind in copied_kinds() {
            all.update(self.count(kind).to_be_bytes());
            all.update(self.digest_of(kind));
        }
        all.finalize().into()
    }

    /// Returns the digest as text.
    pub fn digest_text(&self) -> String {
        let mut text = String::new();
        for byte in self.digest() {
            // A string takes every text.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// Returns the first kind of which another store holds something else.
    pub fn difference(&self, other: &Self) -> Option<Kind> {
        copied_kinds().find(|&kind| self.difference_of(other, kind))
    }

    /// Returns whether another store holds something else of a kind.
    pub fn difference_of(&self, other: &Self, kind: Kind) -> bool {
        self.count(kind) != other.count(kind) || self.digest_of(kind) != other.digest_of(kind)
    }

    fn digest_of(&self, kind: Kind) -> [u8; 32] {
        let digest = self.kinds.get(&kind).map(|counted| counted.digest.clone());
        digest.unwrap_or_default().finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &[u8], value: &[u8]) -> Row {
        Row {
            kind: Kind::Erased,
            key: key.to_vec(),
            value: value.to_vec(),
        }
    }

    fn tally(rows: &[Row]) -> Tally {
        let mut tally = Tally::default();
        for row in rows {
            tally.add(row);
        }
        tally
    }

    #[test]
    fn any_difference_shows() {
        let rows = [row(b"ab", b"c"), row(b"b", b"2")];
        let one = tally(&rows);
        assert_eq!(one.difference(&tally(&rows)), None);
        assert_eq!(one.count(Kind::Erased), 2);
        for other in [
            tally(&[]),
            tally(&[row(b"ab", b"c")]),
            tally(&[row(b"ab", b"c"), row(b"b", b"3")]),
            tally(&[row(b"b", b"2"), row(b"ab", b"c")]),
            tally(&[row(b"a", b"bc"), row(b"b", b"2")]),
        ] {
            assert_eq!(one.difference(&other), Some(Kind::Erased));
            assert_ne!(one.digest(), other.digest());
        }
    }
}
