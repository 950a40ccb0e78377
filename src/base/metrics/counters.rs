//! Counters and histograms of requests, refusals and inquiries.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use super::labels::{InquiryResult, Refusal, RequestKind, status_class};

/// All counters since the start.
#[derive(Debug)]
pub struct Metrics {
    pub(super) counts: Mutex<Counters>,
    /// The start time as a Unix timestamp.
    pub(super) started_at: Duration,
}

/// The counters; an absent entry counts as zero.
#[derive(Debug, Clone, Default)]
pub(super) struct Counters {
    /// Requests by kind and status class.
    pub(super) requests: BTreeMap<(RequestKind, &'static str), u64>,
    /// Request durations by kind.
    pub(super) durations: BTreeMap<RequestKind, Distribution>,
    pub(super) refusals: BTreeMap<Refusal, u64>,
    pub(super) inquiries: BTreeMap<InquiryResult, u64>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            counts: Mutex::default(),
            started_at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        }
    }
}

impl Metrics {
    /// Counts a request with its duration, and the reason if it was refused.
    pub fn count_request(&self, kind: RequestKind, status: u16, refusal: Option<Refusal>, time: Duration) {
        let mut counts = self.counts.lock();
        let answered = counts.requests.entry((kind, status_class(status)));
        *answered.or_default() += 1;
        counts.durations.entry(kind).or_default().add(time);
        if let Some(refusal) = refusal.or_else(|| Refusal::of(status)) {
            *counts.refusals.entry(refusal).or_default() += 1;
        }
    }

    /// Counts a refusal.
    pub fn count_refusal(&self, reason: Refusal) {
        *self.counts.lock().refusals.entry(reason).or_default() += 1;
    }

    /// Counts an inquiry that was not refused.
    pub fn count_inquiry(&self, result: InquiryResult) {
        *self.counts.lock().inquiries.entry(result).or_default() += 1;
    }
}

/// Upper bounds of the buckets in microseconds, from a page served from memory to an inquiry that exhausts the disk's time limit.
/// Three per decade are precise enough.
const BOUNDS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
];

/// A histogram of durations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The number of durations in each bucket of [`BOUNDS`], not cumulative; the last bucket has no bound.
    buckets: [u64; BOUNDS.len() + 1],
    total: Duration,
}

impl Distribution {
    /// Records a duration.
    pub fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        if let Some(bucket) = self
            .buckets
            .get_mut(BOUNDS.partition_point(|&bound| bound < micros))
        {
            *bucket += 1;
        }
        self.total = self.total.saturating_add(time);
    }

    /// The upper bound of each bucket in seconds and its count, not cumulative.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let ends = BOUNDS.map(|bound| Duration::from_micros(bound).as_secs_f64());
        ends.into_iter().chain([f64::INFINITY]).zip(self.buckets)
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The sum of the durations in seconds.
    pub fn sum(&self) -> f64 {
        self.total.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_the_bucket_that_ends_behind_it() {
        let mut durations = Distribution::default();
        for micros in [0, 100, 101, 10_000_000, 10_000_001] {
            durations.add(Duration::from_micros(micros));
        }
        let filled: Vec<_> = durations.buckets().filter(|(_, count)| *count > 0).collect();
        assert_eq!(
            filled,
            [(0.0001, 2), (0.000_25, 1), (10.0, 1), (f64::INFINITY, 1)]
        );
        assert_eq!((durations.count(), durations.sum()), (5, 20.000_202));
    }
}
