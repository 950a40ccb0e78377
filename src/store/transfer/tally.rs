//! How many rows there are of each kind, and a digest of what they hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::row::{Row, Section};

/// The rows of a store, counted, with a digest of each kind.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    sections: BTreeMap<Section, Rows>,
    /// The bytes of the row that was added last.
    row: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
struct Rows {
    count: u64,
    digest: Sha256,
}

impl Tally {
    /// Adds the row that is next in its order; returns it as a backup has it.
    pub fn add(&mut self, row: &Row) -> &[u8] {
        self.row.clear();
        // Memory takes every byte.
        let _ = minicbor::encode(row, &mut self.row);
        let rows = self.sections.entry(row.section()).or_default();
        rows.count += 1;
        rows.digest.update(&self.row);
        &self.row
    }

    /// Returns how many rows there are of a kind.
    pub fn count(&self, section: Section) -> u64 {
        self.sections.get(&section).map_or(0, |rows| rows.count)
    }

    /// Returns a digest of all rows, which tells how many of each kind there are, too.
    pub fn digest(&self) -> [u8; 32] {
        let mut all = Sha256::new();
        // Backups from before there were photos have a digest without them.
        let is_counted = |section: &Section| *section != Section::Photos || self.count(*section) > 0;
        for section in Section::ALL.into_iter().filter(is_counted) {
            all.update(self.count(section).to_be_bytes());
            all.update(self.digest_of(section));
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
    pub fn difference(&self, other: &Self) -> Option<Section> {
        Section::ALL.into_iter().find(|&section| {
            self.count(section) != other.count(section) || self.digest_of(section) != other.digest_of(section)
        })
    }

    fn digest_of(&self, section: Section) -> [u8; 32] {
        let digest = self.sections.get(&section).map(|rows| rows.digest.clone());
        digest.unwrap_or_default().finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erased(id: u8, at: u64) -> Row {
        Row::Erased { id: [id; 16], at }
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
        let one = tally(&[erased(1, 1), erased(2, 2)]);
        assert_eq!(one.difference(&tally(&[erased(1, 1), erased(2, 2)])), None);
        assert_eq!(one.count(Section::Erased), 2);
        for other in [
            tally(&[]),
            tally(&[erased(1, 1)]),
            tally(&[erased(1, 1), erased(2, 3)]),
            tally(&[erased(2, 2), erased(1, 1)]),
        ] {
            assert_eq!(one.difference(&other), Some(Section::Erased));
            assert_ne!(one.digest(), other.digest());
        }
    }

    #[test]
    fn parts_are_told_from_each_other() {
        let count = |name: &str, count| Row::Count {
            day: 1,
            name: name.to_owned(),
            count,
        };
        assert_ne!(tally(&[count("a", 1)]).digest(), tally(&[count("b", 1)]).digest());
        let secret = |name: &str, value: &[u8]| Row::Secret {
            name: name.to_owned(),
            value: value.to_vec(),
        };
        assert_ne!(
            tally(&[secret("ab", b"c")]).digest(),
            tally(&[secret("a", b"bc")]).digest()
        );
    }
}
