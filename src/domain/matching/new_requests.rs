//! Requests in a row, as they are logged before they are kept with their firms.

use std::collections::HashMap;

use jiff::Timestamp;
use minicbor::{Decoder, Encoder};

use super::firm::FirmId;
use super::request_history::{MAX_NUMBER, RequestHistory};

/// The first byte of the stored form.
const VERSION: u8 = 1;

/// Requests with numbers in a row. A store logs them: with thousands of firms, that writes far less than what is remembered
/// of each firm that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequests {
    /// The number of the first.
    first: u64,
    /// Whom, and when, in milliseconds since 1970.
    asks: Vec<(FirmId, i64)>,
}

impl NewRequests {
    /// Returns none, of which the first will have this number.
    pub(super) fn none(first: u64) -> Self {
        Self {
            first,
            asks: Vec::new(),
        }
    }

    /// Adds the next ask.
    pub(super) fn push(&mut self, firm: FirmId, now: Timestamp) {
        self.asks.push((firm, now.as_millisecond()));
    }

    /// Returns the number of the first ask.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Whether nobody was asked.
    pub fn is_empty(&self) -> bool {
        self.asks.is_empty()
    }

    /// Returns who was asked.
    pub fn firms(&self) -> impl Iterator<Item = &FirmId> {
        self.asks.iter().map(|(firm, _)| firm)
    }

    /// Adds them to what is remembered of each firm.
    pub fn add_to(self, history: &mut HashMap<FirmId, RequestHistory>) {
        for (number, (firm, time)) in (self.first..).zip(self.asks) {
            history
                .entry(firm)
                .or_insert_with(RequestHistory::none)
                .replay(number, time);
        }
    }

    /// Returns the form in which stores log them, without the number of the first. An ask takes two bytes and its firm's
    /// id.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        let mut encoder = Encoder::new(&mut bytes);
        let mut before = 0;
        for (firm, time) in &self.asks {
            // Memory takes every byte, so that no step fails.
            let _ = encoder.i64(time.wrapping_sub(before));
            let _ = encoder.str(firm.as_str());
            before = *time;
        }
        bytes
    }

    /// Returns what [`Self::to_bytes`] was called on; `None` if the bytes are damaged.
    pub fn from_bytes(first: u64, bytes: &[u8]) -> Option<Self> {
        let (&VERSION, rest) = bytes.split_first()? else {
            return None;
        };
        let mut decoder = Decoder::new(rest);
        let mut asks = Vec::new();
        let mut time = 0_i64;
        while decoder.position() < rest.len() {
            time = time.checked_add(decoder.i64().ok()?)?;
            asks.push((FirmId::parse(decoder.str().ok()?).ok()?, time));
        }
        let count = u64::try_from(asks.len()).ok()?;
        (first.checked_add(count)? <= MAX_NUMBER).then_some(Self { first, asks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(first: u64, asks: &[(&str, i64)]) -> NewRequests {
        let asks = asks
            .iter()
            .map(|(firm, time)| (FirmId::parse(firm).unwrap(), *time));
        NewRequests {
            first,
            asks: asks.collect(),
        }
    }

    #[test]
    fn the_stored_form_leads_back() {
        for asks in [
            asks(1, &[]),
            asks(7, &[("nordnetz", 1_793_534_400_000)]),
            asks(
                7,
                &[
                    ("a", 1_793_534_400_000),
                    ("b", 1_793_534_300_000),
                    ("a", 1_793_534_400_000),
                ],
            ),
        ] {
            assert_eq!(
                NewRequests::from_bytes(asks.first(), &asks.to_bytes()),
                Some(asks)
            );
        }
    }

    #[test]
    fn damage_is_noticed() {
        let right = asks(7, &[("nordnetz", 1_793_534_400_000), ("stadttaube", 5)]).to_bytes();
        for length in (0..right.len()).filter(|&length| length != 1) {
            let damaged = NewRequests::from_bytes(7, &right[..length]);
            // What ends after an ask could be a shorter log.
            assert!(damaged.is_none_or(|asks| asks.asks.len() == 1), "{length} bytes");
        }
        let other_version = [&[2], &right[1..]].concat();
        assert_eq!(NewRequests::from_bytes(7, &other_version), None);
        assert_eq!(NewRequests::from_bytes(u64::MAX - 1, &right), None);
        let bad_name = asks(7, &[("a", 1)])
            .to_bytes()
            .iter()
            .map(|&byte| if byte == b'a' { b'A' } else { byte })
            .collect::<Vec<_>>();
        assert_eq!(NewRequests::from_bytes(7, &bad_name), None);
    }

    #[test]
    fn asks_are_added_to_what_is_remembered() {
        let mut history = HashMap::new();
        asks(7, &[("a", 10), ("b", 11), ("a", 12)]).add_to(&mut history);
        assert_eq!(history[&FirmId::parse("a").unwrap()].last(), 9);
        assert_eq!(history[&FirmId::parse("b").unwrap()].last(), 8);
    }
}
