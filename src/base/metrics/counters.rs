//! The counters.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::histogram::Histogram;
use super::labels::{InquiryResult, Refusal, RequestKind, StatusClass};

/// Means no certificate: none ended at the epoch.
const NO_CERTIFICATE: i64 = 0;

/// All counts and measurements since the start.
#[derive(Debug)]
pub struct Metrics {
    requests: [[AtomicU64; StatusClass::ALL.len()]; RequestKind::ALL.len()],
    durations: [Histogram; RequestKind::ALL.len()],
    refusals: [AtomicU64; Refusal::ALL.len()],
    inquiries: [AtomicU64; InquiryResult::ALL.len()],
    certificate_end: AtomicI64,
    started_at: Duration,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Default::default(),
            durations: Default::default(),
            refusals: Default::default(),
            inquiries: Default::default(),
            certificate_end: AtomicI64::new(NO_CERTIFICATE),
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

    /// Records when the certificate in use ends, in seconds since 1970.
    pub fn set_certificate_end(&self, at: i64) {
        self.certificate_end.store(at, Ordering::Relaxed);
    }

    /// Returns when the certificate in use ends, if there is one.
    pub(super) fn certificate_end(&self) -> Option<i64> {
        let end = self.certificate_end.load(Ordering::Relaxed);
        (end != NO_CERTIFICATE).then_some(end)
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
