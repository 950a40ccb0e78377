//! The numbers of an inquiry's photos. The images are stored separately.

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// The maximum number of photos of an inquiry: the whole front, the spot, a close-up, and two more.
pub const MAX_PHOTOS: usize = 5;

/// The size of a stored image; each photo is stored in both. Stores hold the numbers: never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PhotoSize {
    /// For viewing in detail.
    Large = 0,
    /// For the thumbnails in a row.
    Small = 1,
}

impl PhotoSize {
    /// Both sizes.
    pub const ALL: [Self; 2] = [Self::Large, Self::Small];

    /// The number used in stores.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// The photos of an inquiry, by numbers that are never reused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct PhotoList {
    /// The existing photos, in order.
    #[n(0)]
    numbers: Vec<u16>,
    /// The last assigned number.
    #[n(1)]
    last: u16,
}

impl PhotoList {
    /// The numbers of the existing photos.
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// How many more photos may be added.
    pub fn room(&self) -> usize {
        let numbers_left = usize::from(u16::MAX - self.last);
        MAX_PHOTOS.saturating_sub(self.numbers.len()).min(numbers_left)
    }

    /// Adds `count` photos; returns their numbers, or `None` if there is no room for all of them.
    pub fn add(&mut self, count: usize) -> Option<Vec<u16>> {
        let count = u16::try_from(count)
            .ok()
            .filter(|count| usize::from(*count) <= self.room())?;
        let new: Vec<u16> = (1..=count).map(|ahead| self.last + ahead).collect();
        self.last += count;
        self.numbers.extend(&new);
        Some(new)
    }

    /// Removes a photo; returns whether it existed.
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
