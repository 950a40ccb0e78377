//! The history of a firm's requests, and its stored form.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decoder, Encoder};
use serde::{Deserialize, Serialize};

/// The period of `per_week`.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The minimum number of times kept, so that a firm whose limit is set or raised is not asked too often in the following days.
/// Limits are rarely higher.
const KEPT_TIMES: usize = 16;

/// The largest valid number of a request; leaves room for further requests.
const MAX_NUMBER: u64 = u64::MAX / 2;

/// The first byte of the stored form.
const VERSION: u8 = 1;

/// When a firm was asked, as needed to determine its turn and apply its limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestHistory {
    /// The number of the last request, counted across all firms. Times cannot order requests within one millisecond or after the
    /// clock was set back.
    last: u64,
    /// The times of requests, in milliseconds since 1970, in the order of the requests. Times older than a week are dropped.
    times: VecDeque<i64>,
}

impl RequestHistory {
    /// The number of the last request. Numbers increase across all firms.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Adds a request. `per_week` is the firm's limit.
    pub(super) fn add(&mut self, last: u64, now: Timestamp, per_week: Option<u32>) {
        self.last = last;
        self.times.push_back(now.as_millisecond());
        let limit = per_week.and_then(|limit| usize::try_from(limit).ok());
        let kept = limit.unwrap_or_default().max(KEPT_TIMES);
        while self.times.len() > kept || self.times.front().is_some_and(|&first| !is_recent(first, now)) {
            self.times.pop_front();
        }
    }

    /// The time of the request that decides whether a firm with this limit may be asked again: not while that time is recent.
    /// `None` while the firm was asked fewer times than its limit.
    pub(super) fn deciding(&self, per_week: Option<u32>) -> Option<i64> {
        let limit = usize::try_from(per_week?).ok()?;
        self.times.get(self.times.len().checked_sub(limit)?).copied()
    }

    /// The stored form. A request takes one byte for busy firms and five at most for others.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        let mut encoder = Encoder::new(&mut bytes);
        // Writing to memory cannot fail.
        let _ = encoder.u64(self.last);
        let mut before = 0;
        for &time in &self.times {
            let _ = encoder.i64(time.wrapping_sub(before));
            before = time;
        }
        bytes
    }

    /// Decodes the result of [`Self::to_bytes`]; `None` if the bytes are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&VERSION, numbers) = bytes.split_first()? else {
            return None;
        };
        let mut decoder = Decoder::new(numbers);
        let last = decoder.u64().ok()?;
        let mut times = VecDeque::new();
        let mut before = 0_i64;
        while decoder.position() < numbers.len() {
            before = before.checked_add(decoder.i64().ok()?)?;
            times.push_back(before);
        }
        (last <= MAX_NUMBER).then_some(Self { last, times })
    }
}

/// Whether a time, in milliseconds since 1970, is within a week of now. A time further ahead comes from a wrong clock, and must not
/// block the firm until then.
pub(super) fn is_recent(time: i64, now: Timestamp) -> bool {
    u128::from(now.as_millisecond().abs_diff(time)) < WEEK.as_millis().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(last: u64, times: &[i64]) -> RequestHistory {
        RequestHistory {
            last,
            times: times.iter().copied().collect(),
        }
    }

    #[test]
    fn the_stored_form_leads_back() {
        for asks in [
            asks(1, &[]),
            asks(1, &[1_793_534_400_000]),
            asks(u64::MAX / 2 - 1, &[i64::MIN, -1]),
            asks(7, &[1_793_534_400_000, 1_793_534_400_000, 1_793_534_300_000]),
            asks(7, &[1_793_534_400_000; 200]),
        ] {
            assert_eq!(RequestHistory::from_bytes(&asks.to_bytes()), Some(asks));
        }
    }

    #[test]
    fn the_stored_form_of_a_busy_firm_is_small() {
        let times: Vec<i64> = (0..64).map(|ask| 1_793_534_400_000 + ask * 13).collect();
        assert!(asks(3_000_000, &times).to_bytes().len() <= 80);
    }

    #[test]
    fn damage_is_noticed() {
        let right = asks(7, &[1_793_534_400_000, 1_793_534_400_500]).to_bytes();
        for length in [0, 1, 3, right.len() - 1] {
            assert_eq!(
                RequestHistory::from_bytes(&right[..length]),
                None,
                "{length} bytes"
            );
        }
        let longer = [right.as_slice(), &[0xff]].concat();
        assert_eq!(RequestHistory::from_bytes(&longer), None);
        let other_version = [&[2], &right[1..]].concat();
        assert_eq!(RequestHistory::from_bytes(&other_version), None);
        assert_eq!(RequestHistory::from_bytes(&asks(u64::MAX, &[]).to_bytes()), None);
        // The second time would overflow.
        assert_eq!(
            RequestHistory::from_bytes(&asks(1, &[1, i64::MIN]).to_bytes()),
            None
        );
    }

    #[test]
    fn only_asks_of_a_week_are_kept_and_only_as_many_as_matter() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut asks = RequestHistory::default();
        for second in 0..100 {
            asks.add(1, at(second), Some(10));
        }
        assert_eq!(asks.times.len(), KEPT_TIMES);
        for second in 100..200 {
            asks.add(1, at(second), Some(80));
        }
        assert_eq!(asks.times.len(), 80);
        asks.add(1, at(199) + WEEK, Some(80));
        assert_eq!(asks.times.len(), 1);
    }
}
