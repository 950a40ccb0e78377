//! When the writer does its housekeeping.

use std::time::{Duration, Instant};

/// How often the writer renews leases and checks that the store is still in place.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How often an instance writes to show others that it is alive.
const SHOW_EVERY: Duration = Duration::from_mins(1);

/// How long the writer waits before it reopens the store after a failure: at first, and at most. Until then, requests are refused
/// at once. A disk with free space again is back in use within the latter.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// The longest wait for a database, which may have failed over to another host.
const BACK_OFF_SHARED: Duration = Duration::from_millis(250);

/// The largest file, in bytes, that is rewritten before callers get their replies: some 20,000 inquiries, which takes 200 ms.
pub const SMALL: u64 = 16 << 20;

/// When a larger file is rewritten because a photo was removed, unless something else requires it sooner: visitors can remove photos
/// again and again, and rewriting 2 GB takes 10 to 20 s during which inquiries are refused.
const LATER: Duration = Duration::from_hours(24);

/// Length of the pause after a rewrite, in multiples of its duration: visitors who withdraw inquiries must not keep others from
/// storing theirs. A file with 100,000 inquiries takes a second to rewrite, so its traces are gone within twenty seconds; those
/// of a small one are gone at once.
const PAUSE: u32 = 20;

/// How long to wait after a failed rewrite.
const RETRY: Duration = Duration::from_mins(1);

/// The writer's timetable.
#[derive(Debug)]
pub struct Schedule {
    look_at: Instant,
    show_at: Instant,
    /// When to remove traces; `None` if there are none.
    wipe_at: Option<Instant>,
    /// The earliest time of the next removal of traces.
    may_wipe_at: Instant,
    /// Until when the store is not reopened.
    away_until: Option<Instant>,
    pause: Duration,
    longest_pause: Duration,
}

impl Schedule {
    /// Creates the timetable of a store that was just opened.
    pub fn new(is_shared: bool) -> Self {
        let now = Instant::now();
        Self {
            look_at: now + LOOK_EVERY,
            show_at: now + SHOW_EVERY,
            wipe_at: None,
            may_wipe_at: now,
            away_until: None,
            pause: BACK_OFF.0,
            longest_pause: if is_shared { BACK_OFF_SHARED } else { BACK_OFF.1 },
        }
    }

    /// The next time there is something to do.
    pub fn wake_at(&self) -> Instant {
        let wipe_at = self.wipe_at.map(|at| at.max(self.may_wipe_at));
        let work_at = self.away_until.or(wipe_at);
        work_at.map_or(self.look_at, |at| at.min(self.look_at))
    }

    /// Whether it is time to check the store; if so, schedules the next check.
    pub fn is_look_due(&mut self, now: Instant) -> bool {
        let is_back = self.away_until.is_some_and(|until| until <= now);
        is_due(&mut self.look_at, now, LOOK_EVERY) || is_back
    }

    /// Whether it is time to show other instances that this one is alive; if so, schedules the next time.
    pub fn is_show_due(&mut self, now: Instant) -> bool {
        is_due(&mut self.show_at, now, SHOW_EVERY)
    }

    /// Whether it is time to remove traces.
    pub fn is_wipe_due(&self, now: Instant) -> bool {
        self.wipe_at.is_some_and(|at| at.max(self.may_wipe_at) <= now) && !self.is_away(now)
    }

    /// Schedules the removal of traces: within a day if it may wait, otherwise now.
    pub fn add_traces(&mut self, may_wait: bool) {
        let at = Instant::now() + if may_wait { LATER } else { Duration::ZERO };
        self.wipe_at = Some(self.wipe_at.map_or(at, |before| before.min(at)));
    }

    /// Schedules the removal of traces left by an earlier process, if there are any.
    pub fn found_traces(&mut self, are_there: bool) {
        if are_there && self.wipe_at.is_none() {
            self.add_traces(false);
        }
    }

    /// Records the end of a rewrite that began at `started`.
    pub fn wiped(&mut self, is_rewritten: bool, started: Instant) {
        let pause = if is_rewritten {
            self.wipe_at = None;
            started.elapsed() * PAUSE
        } else {
            RETRY
        };
        self.may_wipe_at = Instant::now() + pause;
    }

    /// Whether opening the store failed a moment ago.
    pub fn is_away(&self, now: Instant) -> bool {
        self.away_until.is_some_and(|until| now < until)
    }

    /// Records that the store cannot be opened; returns whether this is new.
    pub fn set_away(&mut self) -> bool {
        let is_new = self.away_until.is_none();
        self.away_until = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).min(self.longest_pause);
        is_new
    }

    /// Records that the store is open.
    pub fn set_here(&mut self) {
        if self.away_until.take().is_some() {
            tracing::info!("the store was opened again");
        }
        self.pause = BACK_OFF.0;
    }

    /// How long to wait before retrying the store.
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
