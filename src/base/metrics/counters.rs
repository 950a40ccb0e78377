//! The counters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::labels::{InquiryResult, Refusal, RequestKind, StatusClass};

/// All counts and measurements since the start.
#[derive(Debug)]
pub struct Metrics {
    requests: [[AtomicU64; StatusClass::ALL.len()]; RequestKind::ALL.len()],
    durations: [Histogram; RequestKind::ALL.len()],
    refusals: [AtomicU64; Refusal::ALL.len()],
    inquiries: [AtomicU64; InquiryResult::ALL.len()],
    started_at: Duration,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Default::default(),
            durations: Default::default(),
            refusals: Default::default(),
            inquiries: Default::default(),
            started_at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        }
    }
}

impl Metrics {
    /// Counts a request by status and duration, and the reason if it was refused.
    pub fn count_request(&self, kind: RequestKind, status: u16, refusal: Option<Refusal>, time: Duration) {
        let counts = self.requests.get(kind as usize);
        add(counts.and_then(|counts| counts.get(StatusClass::of(status) as usize)));
        if let Some(durations) = self.durations.get(kind as usize) {
            durations.observe(time);
        }
        if let Some(refusal) = refusal.or_else(|| Refusal::of(status)) {
            self.count_refusal(refusal);
        }
    }

    /// Counts something that was refused.
    pub fn count_refusal(&self, reason: Refusal) {
        add(self.refusals.get(reason as usize));
    }

    /// Counts an inquiry that was not refused.
    pub fn count_inquiry(&self, result: InquiryResult) {
        add(self.inquiries.get(result as usize));
    }

    /// Returns the time of the start, since 1970.
    pub(super) fn started_at(&self) -> Duration {
        self.started_at
    }

    /// Returns how many requests there were of each kind and status.
    pub(super) fn requests(&self) -> impl Iterator<Item = (RequestKind, StatusClass, u64)> {
        let kinds = RequestKind::ALL.iter().zip(&self.requests);
        kinds.flat_map(|(&kind, counts)| {
            let classes = StatusClass::ALL.iter().zip(counts);
            classes.map(move |(&class, count)| (kind, class, count.load(Ordering::Relaxed)))
        })
    }

    /// Returns how long requests of each kind took.
    pub(super) fn durations(&self) -> impl Iterator<Item = (RequestKind, &Histogram)> {
        RequestKind::ALL.iter().copied().zip(&self.durations)
    }

    /// Returns the counts of refusals.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (Refusal, u64)> {
        let counts = self.refusals.iter().map(|count| count.load(Ordering::Relaxed));
        Refusal::ALL.iter().copied().zip(counts)
    }

    /// Returns the counts of inquiries by result.
    pub(super) fn inquiries(&self) -> impl Iterator<Item = (InquiryResult, u64)> {
        let counts = self.inquiries.iter().map(|count| count.load(Ordering::Relaxed));
        InquiryResult::ALL.iter().copied().zip(counts)
    }
}

fn add(counter: Option<&AtomicU64>) {
    if let Some(counter) = counter {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// Upper ends of the buckets, in microseconds: from a page in memory to an inquiry that uses all of the disk's
/// time limit. Three a decade are precise enough.
const BOUNDS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
];

/// Durations, by their size.
#[derive(Debug, Default)]
pub struct Histogram {
    /// One for each bound, and one for everything above.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    total_micros: AtomicU64,
}

/// A snapshot of a histogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The upper end of each bucket in seconds, and how many durations it has, without those of the buckets before.
    pub buckets: Vec<(f64, u64)>,
    /// How many durations there are.
    pub count: u64,
    /// Their sum in seconds.
    pub sum: f64,
}

impl Histogram {
    /// Adds a duration.
    pub fn observe(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|&bound| bound < micros);
        if let Some(bucket) = self.buckets.get(bucket) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.total_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns a snapshot. The count is the sum of its buckets, even under concurrent additions.
    pub fn read(&self) -> Distribution {
        let ends = BOUNDS.map(|bound| Duration::from_micros(bound).as_secs_f64());
        let ends = ends.into_iter().chain([f64::INFINITY]);
        let counts = self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed));
        let buckets: Vec<_> = ends.zip(counts).collect();
        Distribution {
            count: buckets.iter().map(|(_, count)| count).sum(),
            sum: Duration::from_micros(self.total_micros.load(Ordering::Relaxed)).as_secs_f64(),
            buckets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_the_bucket_that_ends_behind_it() {
        let histogram = Histogram::default();
        for micros in [0, 100, 101, 10_000_000, 10_000_001] {
            histogram.observe(Duration::from_micros(micros));
        }
        let read = histogram.read();
        let filled: Vec<_> = read.buckets.iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!(
            filled,
            [&(0.0001, 2), &(0.000_25, 1), &(10.0, 1), &(f64::INFINITY, 1)]
        );
        assert_eq!((read.count, read.sum), (5, 20.000_202));
    }
}
