//! Anonymous daily counts of pages shown, steps reached and inquiries sent.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;
use crate::store::{DayCounts, Store};

/// The number of steps of the questionnaire.
pub const STEPS: usize = 5;

/// Interval at which counts are written. Newer counts are lost when the process is killed.
const FLUSH_EVERY: Duration = Duration::from_mins(1);

/// Maximum number of days whose counts wait for a store that cannot be written. A new day replaces the oldest.
const MAX_WAITING_DAYS: usize = 31;

/// An event to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<'a> {
    /// A page was shown. Paths come from the site, so their number is bounded.
    Page(&'a str),
    /// A step of the questionnaire was reached; less than [`STEPS`].
    Step(u8),
    /// An inquiry sent by the questionnaire was stored.
    Inquiry,
    /// An inquiry sent by a program was stored.
    OtherInquiry,
}

impl Counted<'_> {
    /// The name of the count in the store.
    fn name(self) -> String {
        match self {
            Self::Page(path) => format!("page:{path}"),
            Self::Step(step) => format!("step:{step}"),
            Self::Inquiry => "inquiry".to_owned(),
            Self::OtherInquiry => "inquiry:other".to_owned(),
        }
    }
}

/// Counts that are not yet in the store, shared by all connections.
#[derive(Debug, Default)]
pub struct Funnel {
    days: Mutex<BTreeMap<Date, DayCounts>>,
}

impl Funnel {
    /// Counts an event.
    pub fn count(&self, what: Counted<'_>) {
        self.count_at(what, Timestamp::now());
    }

    fn count_at(&self, what: Counted<'_>, now: Timestamp) {
        self.add(berlin::day(now), DayCounts::from([(what.name(), 1)]));
    }

    /// Writes the counts periodically. Never returns.
    pub async fn keep_flushing(&self, store: &Store) {
        loop {
            tokio::time::sleep(FLUSH_EVERY).await;
            self.flush(store).await;
        }
    }

    /// Writes the counts to the store. Counts that the store does not accept, or that remain when this is cancelled, are kept for
    /// the next time.
    pub async fn flush(&self, store: &Store) {
        let days: Vec<Date> = self.lock().keys().copied().collect();
        for day in days {
            let Some(counts) = self.take(day) else {
                continue;
            };
            // Once requested, the store writes the counts even if this future is dropped.
            if store.count(day, counts.clone()).await.is_err() {
                self.add(day, counts);
            }
        }
    }

    /// Removes and returns the counts of a day.
    fn take(&self, day: Date) -> Option<DayCounts> {
        self.lock().remove(&day)
    }

    /// Adds to the counts that wait to be written.
    fn add(&self, day: Date, counts: DayCounts) {
        let mut days = self.lock();
        let waiting = days.entry(day).or_default();
        for (name, count) in counts {
            *waiting.entry(name).or_default() += count;
        }
        while days.len() > MAX_WAITING_DAYS {
            days.pop_first();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Date, DayCounts>> {
        self.days.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    fn day(date: &str) -> Date {
        date.parse().unwrap()
    }

    #[test]
    fn days_end_at_midnight_in_hamburg() {
        let funnel = Funnel::default();
        for (time, what) in [
            ("2026-11-21T22:59:59Z", Counted::Page("/")),
            ("2026-11-21T23:00:00Z", Counted::Page("/")),
            ("2026-11-22T08:00:00Z", Counted::Page("/")),
            ("2026-11-22T08:00:01Z", Counted::Step(4)),
            ("2026-11-22T08:00:02Z", Counted::Inquiry),
        ] {
            funnel.count_at(what, at(time));
        }
        let counts = |list: &[(&str, u64)]| {
            list.iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect::<DayCounts>()
        };
        let expected = BTreeMap::from([
            (day("2026-11-21"), counts(&[("page:/", 1)])),
            (
                day("2026-11-22"),
                counts(&[("inquiry", 1), ("page:/", 2), ("step:4", 1)]),
            ),
        ]);
        assert_eq!(*funnel.lock(), expected);
    }

    #[test]
    fn what_could_not_be_written_is_added_to_what_came_since() {
        let now = at("2026-11-22T08:00:00Z");
        let funnel = Funnel::default();
        funnel.count_at(Counted::Step(0), now);
        let taken = funnel.take(day("2026-11-22")).unwrap();
        funnel.count_at(Counted::Step(0), now);
        funnel.add(day("2026-11-22"), taken);
        let taken = funnel.take(day("2026-11-22")).unwrap();
        assert_eq!(taken["step:0"], 2);
        assert_eq!(funnel.take(day("2026-11-22")), None);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn breaking_off_a_write_loses_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let funnel = Funnel::default();
        for day in 20..=22 {
            let counts = DayCounts::from([("step:0".to_owned(), 1)]);
            funnel.add(jiff::civil::date(2026, 11, day), counts);
        }
        // The client that requested a report disconnects halfway through.
        let mut begun = Box::pin(funnel.flush(&store));
        let is_done = std::future::poll_fn(|context| {
            std::task::Poll::Ready(Future::poll(begun.as_mut(), context).is_ready())
        });
        assert!(!is_done.await);
        drop(begun);
        funnel.flush(&store).await;
        let written = store.counts(Date::MIN).await.unwrap();
        let counted: u64 = written.iter().flat_map(|(_, counts)| counts.values()).sum();
        assert_eq!(counted, 3, "{written:?}");
    }

    #[test]
    fn a_store_that_stays_away_does_not_fill_the_memory() {
        let start = at("2026-01-01T12:00:00Z");
        let funnel = Funnel::default();
        for days in 0..100 {
            funnel.count_at(Counted::Inquiry, start + Duration::from_hours(24 * days));
        }
        let waiting = funnel.lock();
        assert_eq!(waiting.len(), MAX_WAITING_DAYS);
        assert!(waiting.contains_key(&day("2026-04-10")));
    }
}
