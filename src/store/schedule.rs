//! When the writer does what nobody asks it for.

use std::time::{Duration, Instant};

/// How often the writer renews leases, and checks that the store is still in place.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How often an instance writes so that others know that it is there.
const SHOW_EVERY: Duration = Duration::from_mins(1);

/// How long the writer waits before it opens the store again after that has failed, for the first time and at most. What is asked
/// for meanwhile is refused at once. A disk that has room again is used again within the latter.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// The same at most for a database, which another host may have taken over.
const BACK_OFF_SHARED: Duration = Duration::from_millis(250);

/// When a file is compacted if much of it is free: some time after the start of a server, and then once a day. No command takes that
/// long.
pub const COMPACT_AFTER_START: Duration = Duration::from_mins(1);
pub const COMPACT_EVERY: Duration = Duration::from_hours(24);

/// The largest file, in bytes, that is rewritten before those who wait hear of the commit: some 20,000 inquiries, which
/// takes 200 ms. A larger one is not rewritten soon because a visitor has removed a photo, which can be done again and again and of
/// 2 GB takes 10 to 20 s, in which inquiries are refused: that waits for the time of compacting, unless something else comes before.
pub const SMALL: u64 = 16 << 20;

/// How much longer than a rewrite the pause after it is: visitors who withdraw inquiries must not keep others from
/// storing theirs. Of a file with 100,000 inquiries, which takes a second, traces are gone within twenty seconds; of a
/// small one at once.
const PAUSE: u32 = 20;

/// How long to wait after a rewrite that failed.
const RETRY: Duration = Duration::from_mins(1);

/// When the writer does what.
#[derive(Debug)]
pub struct Schedule {
    look_at: Instant,
    show_at: Instant,
    compact_at: Instant,
    /// When traces are to be removed; `None` if there are none.
    wipe_at: Option<Instant>,
    /// When traces may be removed again.
    may_wipe_at: Instant,
    /// Until when the store is not opened again.
    away_until: Option<Instant>,
    pause: Duration,
    longest_pause: Duration,
}

impl Schedule {
    /// Begins, with the time until the file is compacted for the first time.
    pub fn new(compact_after: Duration, is_shared: bool) -> Self {
        let now = Instant::now();
        Self {
            look_at: now + LOOK_EVERY,
            show_at: now + SHOW_EVERY,
            compact_at: now + compact_after,
            wipe_at: None,
            may_wipe_at: now,
            away_until: None,
            pause: BACK_OFF.0,
            longest_pause: if is_shared { BACK_OFF_SHARED } else { BACK_OFF.1 },
        }
    }

    /// Returns when there is something to do next.
    pub fn wake_at(&self) -> Instant {
        let wipe_at = self.wipe_at.map(|at| at.max(self.may_wipe_at));
        let work_at = wipe_at.map_or(self.compact_at, |at| at.min(self.compact_at));
        match self.away_until {
            Some(until) => self.look_at.min(until).min(work_at.max(until)),
            None => self.look_at.min(work_at),
        }
    }

    /// Returns whether the store is to be looked after; the next time is then set.
    pub fn is_look_due(&mut self, now: Instant) -> bool {
        let is_back = self.away_until.is_some_and(|until| until <= now);
        is_due(&mut self.look_at, now, LOOK_EVERY) || is_back
    }

    /// Returns whether other instances are to be shown that this one is there; the next time is then set.
    pub fn is_show_due(&mut self, now: Instant) -> bool {
        is_due(&mut self.show_at, now, SHOW_EVERY)
    }

    /// Returns whether traces are to be removed.
    pub fn is_wipe_due(&self, now: Instant) -> bool {
        self.wipe_at.is_some_and(|at| at.max(self.may_wipe_at) <= now) && !self.is_away(now)
    }

    /// Returns whether the file is to be compacted.
    pub fn is_compaction_due(&self, now: Instant) -> bool {
        self.compact_at <= now && !self.is_away(now)
    }

    /// Notes that there are traces, which are to be removed when the file is compacted if they may wait, and otherwise now.
    pub fn add_traces(&mut self, may_wait: bool) {
        let at = if may_wait { self.compact_at } else { Instant::now() };
        self.wipe_at = Some(self.wipe_at.map_or(at, |before| before.min(at)));
    }

    /// Notes whether there are traces from before.
    pub fn found_traces(&mut self, are_there: bool) {
        if are_there && self.wipe_at.is_none() {
            self.add_traces(false);
        }
    }

    /// Notes that a rewrite has ended that had begun at some time, and whether the file was rewritten.
    pub fn wiped(&mut self, only_if_sparse: bool, is_rewritten: bool, started: Instant) {
        let now = Instant::now();
        if only_if_sparse {
            self.compact_at = now + COMPACT_EVERY;
        }
        if is_rewritten {
            self.wipe_at = None;
            self.may_wipe_at = now + started.elapsed() * PAUSE;
        } else if !only_if_sparse {
            self.may_wipe_at = now + RETRY;
        }
    }

    /// Returns whether the store could not be opened a moment ago.
    pub fn is_away(&self, now: Instant) -> bool {
        self.away_until.is_some_and(|until| now < until)
    }

    /// Notes that the store cannot be opened; returns whether that is new.
    pub fn set_away(&mut self) -> bool {
        let is_new = self.away_until.is_none();
        self.away_until = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).min(self.longest_pause);
        is_new
    }

    /// Notes that the store is open.
    pub fn set_here(&mut self) {
        if self.away_until.take().is_some() {
            tracing::info!("the store was opened again");
        }
        self.pause = BACK_OFF.0;
    }

    /// Returns how long to wait until the store can be tried again.
    pub fn pause(&self) -> Duration {
        let until = self.away_until.unwrap_or_else(Instant::now);
        until.saturating_duration_since(Instant::now())
    }
}

fn is_due(at: &mut Instant, now: Instant, every: Duration) -> bool {
    let is_due = *at <= now;
    if is_due {
        *at = now + every;
    }
    is_due
}
