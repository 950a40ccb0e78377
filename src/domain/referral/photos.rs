//! The numbers of an inquiry's photos. The pictures are stored separately.

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// How many photos an inquiry may have: the whole front, the spot, a close view, and two more.
pub const MAX_PHOTOS: usize = 5;

/// The size of a stored picture; a photo is stored in both. The numbers are stored: never give one a new meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PhotoSize {
    /// For looking closely.
    Large = 0,
    /// Shown in a row.
    Small = 1,
}

impl PhotoSize {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Large, Self::Small];

    /// Returns its number in stores.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// The photos of an inquiry, by numbers that are never reused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "super::millis::Epoch")]
pub struct PhotoList {
    /// Those that there are, in order.
    #[n(0)]
    numbers: Vec<u16>,
    /// The last number that was assigned.
    #[n(1)]
    last: u16,
}

impl PhotoList {
    /// Returns the numbers of those that there are.
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// Returns how many more there may be.
    pub fn room(&self) -> usize {
        let numbers_left = usize::from(u16::MAX - self.last);
        MAX_PHOTOS.saturating_sub(self.numbers.len()).min(numbers_left)
    }

    /// Adds this many; returns their numbers, or `None` if there is no room for all of them.
    pub fn add(&mut self, count: usize) -> Option<Vec<u16>> {
        let count = u16::try_from(count)
            .ok()
            .filter(|count| usize::from(*count) <= self.room())?;
        let new: Vec<u16> = (1..=count).map(|ahead| self.last + ahead).collect();
        self.last += count;
        self.numbers.extend(&new);
        Some(new)
    }

    /// Removes one; returns whether it was there.
    pub fn remove(&mut self, number: u16) -> bool {
        let before = self.numbers.len();
        self.numbers.retain(|known| *known != number);
        self.numbers.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_once() {
        let mut photos = PhotoList::default();
        assert_eq!(photos.add(3), Some(vec![1, 2, 3]));
        assert_eq!(photos.add(3), None, "six are one too many");
        assert_eq!(photos.numbers(), [1, 2, 3]);
        assert!(photos.remove(3) && !photos.remove(3) && !photos.remove(9));
        assert_eq!(photos.add(3), Some(vec![4, 5, 6]));
        assert_eq!((photos.numbers(), photos.room()), (&[1, 2, 4, 5, 6][..], 0));
        assert_eq!(photos.add(0), Some(vec![]));
    }

    #[test]
    fn numbers_run_out() {
        let mut photos = PhotoList {
            numbers: Vec::new(),
            last: u16::MAX - 1,
        };
        assert_eq!(photos.add(2), None);
        assert_eq!(photos.add(1), Some(vec![u16::MAX]));
        assert!(photos.remove(u16::MAX));
        assert_eq!(photos.add(1), None);
    }
}
