//! How many visitors see which page, reach which step, and send an inquiry: counts a day, and nothing about anybody.

mod day;
mod tally;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::store::{DayCounts, Store};
use day::Day;
use tally::Tally;
pub use tally::{Counted, STEPS};

/// Pause between two writes. What was counted since the last one is lost when the process is killed.
const FLUSH_EVERY: Duration = Duration::from_mins(1);

/// Days whose counts wait for a store that cannot be written. The oldest makes room for a new one.
const MAX_WAITING_DAYS: usize = 31;

/// What was counted since the store has got it last. It is shared by all connections.
#[derive(Debug)]
pub struct Funnel {
    counts: Mutex<Counts>,
}

#[derive(Debug)]
struct Counts {
    today: Day,
    tally: Tally,
    /// Earlier days, and what the store did not take.
    waiting: BTreeMap<Date, DayCounts>,
}

impl Default for Funnel {
    /// Creates one that has counted nothing.
    fn default() -> Self {
        Self::starting_at(Timestamp::now())
    }
}

impl Funnel {
    fn starting_at(now: Timestamp) -> Self {
        Self {
            counts: Mutex::new(Counts {
                today: Day::of(now),
                tally: Tally::default(),
                waiting: BTreeMap::new(),
            }),
        }
    }

    /// Counts something once. Names of pages come from the site, so that there are only so many.
    pub fn count(&self, what: Counted<'_>) {
        self.count_at(what, Timestamp::now());
    }

    fn count_at(&self, what: Counted<'_>, now: Timestamp) {
        let mut counts = self.lock();
        counts.turn(now);
        counts.tally.add(what);
    }

    /// Writes the counts again and again, for as long as it is polled.
    pub async fn keep_flushing(&self, store: &Store) {
        loop {
            tokio::time::sleep(FLUSH_EVERY).await;
            self.flush(store).await;
        }
    }

    /// Writes what was counted. What the store does not take, or is not asked for because nobody waits any more, waits for the
    /// next time.
    pub async fn flush(&self, store: &Store) {
        let mut unwritten = Unwritten {
            funnel: self,
            days: self.take(Timestamp::now()),
        };
        while let Some((day, counts)) = unwritten.days.pop_first() {
            // Once asked for, it is written even if nobody waits.
            if store.count(day, counts.clone()).await.is_err() {
                self.lock().put_back(day, counts);
            }
        }
    }

    /// Returns what was counted, and forgets it.
    fn take(&self, now: Timestamp) -> BTreeMap<Date, DayCounts> {
        let mut counts = self.lock();
        counts.turn(now);
        let today = counts.tally.take();
        let date = counts.today.date();
        counts.put_back(date, today);
        std::mem::take(&mut counts.waiting)
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Days that were taken to be written. Dropping it puts them back.
struct Unwritten<'f> {
    funnel: &'f Funnel,
    days: BTreeMap<Date, DayCounts>,
}

impl Drop for Unwritten<'_> {
    fn drop(&mut self) {
        for (day, counts) in std::mem::take(&mut self.days) {
            self.funnel.lock().put_back(day, counts);
        }
    }
}

impl Counts {
    /// Begins a new day if it is time.
    fn turn(&mut self, now: Timestamp) {
        if self.today.has(now) {
            return;
        }
        let over = self.tally.take();
        self.put_back(self.today.date(), over);
        self.today = Day::of(now);
    }

    /// Adds to what waits to be written.
    fn put_back(&mut self, day: Date, counts: DayCounts) {
        if counts.is_empty() {
            return;
        }
        let waiting = self.waiting.entry(day).or_default();
        for (name, count) in counts {
            *waiting.entry(name).or_default() += count;
        }
        while self.waiting.len() > MAX_WAITING_DAYS {
            self.waiting.pop_first();
        }
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
        let funnel = Funnel::starting_at(at("2026-11-21T22:00:00Z"));
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
        assert_eq!(funnel.take(at("2026-11-22T08:01:00Z")), expected);
        assert!(funnel.take(at("2026-11-22T08:02:00Z")).is_empty());
    }

    #[test]
    fn what_could_not_be_written_is_added_to_what_came_since() {
        let now = at("2026-11-22T08:00:00Z");
        let funnel = Funnel::starting_at(now);
        funnel.count_at(Counted::Step(0), now);
        for (day, counts) in funnel.take(now) {
            funnel.lock().put_back(day, counts);
        }
        funnel.count_at(Counted::Step(0), now);
        let taken = funnel.take(now);
        assert_eq!(taken[&day("2026-11-22")]["step:0"], 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn breaking_off_a_write_loses_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let funnel = Funnel::starting_at(at("2026-11-21T12:00:00Z"));
        for day in 20..=22 {
            let counts = DayCounts::from([("step:0".to_owned(), 1)]);
            funnel.lock().put_back(jiff::civil::date(2026, 11, day), counts);
        }
        // Whoever asked for a report has gone in its midst.
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
        let funnel = Funnel::starting_at(start);
        for days in 0..100 {
            funnel.count_at(Counted::Inquiry, start + Duration::from_hours(24 * days));
        }
        let taken = funnel.take(start + Duration::from_hours(24 * 99));
        assert_eq!(taken.len(), MAX_WAITING_DAYS);
        assert!(taken.contains_key(&day("2026-04-10")));
    }
}
