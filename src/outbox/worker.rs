//! The thread that sends.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use std::{io, mem, thread};

use jiff::Timestamp;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use super::clock::{self, Retention};
use super::dispatcher::{Dispatcher, OutboxSetup};
use super::farewells::WaitingFarewell;
use super::firm_changes::FirmChanges;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::domain::referral::{DeliveryId, Lane, Outcome};
use crate::site::templates::MailKind;

/// Attempts at the same time in one lane, and so to one host: what mail servers allow a client without notice. Both lanes
/// together make eight.
const AT_ONCE: usize = 4;

/// How many of them may be farewells, so that many withdrawals hold up no inquiry.
const FAREWELLS_AT_ONCE: usize = 2;

/// The lanes of deliveries. Each has attempts of its own, so that a mail server that hangs holds up no webhook.
const LANES: [Lane; 2] = [Lane::Mail, Lane::Webhook];

/// How much less processor time the thread gets than those that answer visitors.
const NICENESS: i32 = 10;

/// The pause after the store could not be read.
const STORE_PAUSE: Duration = Duration::from_secs(5);

/// The pause after an attempt whose outcome could not even be noted.
const BUG_PAUSE: Duration = Duration::from_mins(1);

/// The time that attempts under way have to end: less than requests have, so that the store is still open.
const END_TIME: Duration = Duration::from_secs(5);

/// Starts sending, in a thread of its own, until the process is to end.
///
/// # Errors
/// When the system gives no thread.
pub fn start(setup: OutboxSetup, shutdown: &Shutdown) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (alive, has_ended) = oneshot::channel::<()>();
    let ending = shutdown.requested();
    thread::Builder::new()
        .name("outbox".to_owned())
        .spawn(move || run(runtime, &setup, ending, alive))?;
    // Its end is waited for, whatever ends it.
    shutdown.spawn(async { drop(has_ended.await) });
    Ok(())
}

fn run(runtime: Runtime, setup: &OutboxSetup, ending: impl Future<Output = ()>, alive: oneshot::Sender<()>) {
    let mut ending = pin!(ending);
    // On Linux, this concerns the calling thread and those that it starts. Without it, everything works as well.
    let _ = rustix::process::nice(NICENESS);
    runtime.block_on(keep_alive("sending mails and webhooks", async || {
        Worker::new(setup.clone()).work(ending.as_mut()).await;
    }));
    // Looking up a host's name may hang, and nothing depends on it.
    runtime.shutdown_background();
    drop(alive);
}

/// An attempt that has ended.
struct Tried {
    delivery: DeliveryId,
    kind: &'static str,
    outcome: Outcome,
    /// What was tried, if the store does not know it.
    farewell: Option<WaitingFarewell>,
}

struct Worker {
    setup: OutboxSetup,
    dispatcher: Arc<Dispatcher>,
    mails: JoinSet<Tried>,
    calls: JoinSet<Tried>,
    log: DeliveryLog,
    retention: Retention,
    firms: FirmChanges,
    /// How many farewells are among the mails.
    farewells: usize,
    /// After a bug nothing is tried before this time.
    paused_until: Option<Instant>,
}

impl Worker {
    fn new(mut setup: OutboxSetup) -> Self {
        let handling = Arc::clone(&setup.handling.borrow_and_update());
        let dispatcher = Arc::new(Dispatcher::new(&setup, handling));
        Self {
            setup,
            dispatcher,
            mails: JoinSet::new(),
            calls: JoinSet::new(),
            log: DeliveryLog::default(),
            retention: Retention::default(),
            firms: FirmChanges::default(),
            farewells: 0,
            paused_until: None,
        }
    }

    async fn work(mut self, mut ending: Pin<&mut impl Future<Output = ()>>) {
        let store = Arc::clone(&self.setup.store);
        let mut look = interval(self.setup.pace.look_every);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let farewells = Arc::clone(&self.setup.farewells);
        let mut policy = self.setup.policy.clone();
        policy.mark_unchanged();
        let (mut may_change, mut may_rematch) = (true, true);
        loop {
            let wait = self.start_tries().await;
            tokio::select! {
                () = ending.as_mut() => break,
                Some(tried) = self.mails.join_next() => self.note(tried),
                Some(tried) = self.calls.join_next() => self.note(tried),
                changed = self.setup.handling.changed(), if may_change => match changed {
                    Ok(()) => self.apply_configuration(),
                    // It can no longer change.
                    Err(_) => may_change = false,
                },
                changed = policy.changed(), if may_rematch => match changed {
                    Ok(()) => {
                        self.firms.note();
                        self.follow_firms().await;
                    }
                    Err(_) => may_rematch = false,
                },
                () = farewells.has_more() => {}
                _ = look.tick() => self.catch_up().await,
                () = store.has_due() => {}
                () = sleep(wait) => {}
            }
        }
        self.end().await;
    }

    /// Starts as many attempts as may run; returns how long to wait for the next ones if nothing happens.
    async fn start_tries(&mut self) -> Duration {
        if let Some(until) = self.paused_until.filter(|&until| Instant::now() < until) {
            return until - Instant::now();
        }
        let mut wait = self.setup.pace.look_every;
        let next = self.start_farewells();
        wait = wait.min(self.until(next));
        for lane in LANES {
            let free = AT_ONCE.saturating_sub(self.tries(lane).len());
            if free == 0 {
                continue;
            }
            let next = match self.setup.store.lease(lane, free).await {
                Ok(claimed) => {
                    // An attempt must not use a configuration that has been replaced, and a database takes a moment to claim.
                    if self.setup.handling.has_changed().unwrap_or(false) {
                        self.apply_configuration();
                    }
                    for claim in claimed.claims {
                        let dispatcher = Arc::clone(&self.dispatcher);
                        self.tries(lane).spawn(async move {
                            Tried {
                                outcome: dispatcher.try_once(&claim).await,
                                delivery: claim.id,
                                kind: claim.delivery.message.id(),
                                farewell: None,
                            }
                        });
                    }
                    self.until(claimed.next)
                }
                Err(_) => STORE_PAUSE,
            };
            wait = wait.min(next);
        }
        wait
    }

    /// Starts as many farewells as may be tried; returns when the next one is due.
    fn start_farewells(&mut self) -> Option<Timestamp> {
        let free = AT_ONCE.saturating_sub(self.mails.len());
        let free = free.min(FAREWELLS_AT_ONCE.saturating_sub(self.farewells));
        if free == 0 {
            return None;
        }
        let (due, next) = self.setup.farewells.due(free, self.setup.store.now());
        for farewell in due {
            self.farewells += 1;
            let dispatcher = Arc::clone(&self.dispatcher);
            self.mails.spawn(async move {
                Tried {
                    outcome: dispatcher.try_farewell(&farewell).await,
                    delivery: farewell.farewell.id(),
                    kind: MailKind::VisitorWithdrawn.name(),
                    farewell: Some(farewell),
                }
            });
        }
        next
    }

    /// Returns how long to wait for something that is due at a time.
    fn until(&self, due: Option<Timestamp>) -> Duration {
        due.map_or(self.setup.pace.look_every, |due| {
            Duration::try_from(due.duration_since(self.setup.store.now())).unwrap_or_default()
        })
    }

    fn tries(&mut self, lane: Lane) -> &mut JoinSet<Tried> {
        match lane {
            Lane::Webhook => &mut self.calls,
            Lane::Mail | Lane::Clock => &mut self.mails,
        }
    }

    fn note(&mut self, tried: Result<Tried, tokio::task::JoinError>) {
        if let Ok(tried) = tried {
            self.log.note(tried.delivery, tried.kind, &tried.outcome);
            if let Some(farewell) = tried.farewell {
                self.farewells = self.farewells.saturating_sub(1);
                if let Outcome::Retry { at, .. } = tried.outcome {
                    self.setup.farewells.put(farewell.until(at));
                }
            }
        } else {
            tracing::error!("what came of a delivery could not be noted, by a bug; please report it");
            // It is claimed again, and must not fail in a tight loop.
            self.paused_until = Some(Instant::now() + BUG_PAUSE);
        }
    }

    /// Takes over a changed configuration. Attempts under way end with the old one.
    fn apply_configuration(&mut self) {
        let handling = Arc::clone(&self.setup.handling.borrow_and_update());
        self.dispatcher = Arc::new(Dispatcher::new(&self.setup, handling));
    }

    /// Does what the clock brings.
    async fn catch_up(&mut self) {
        self.log.sum_up(self.setup.farewells.take_dropped());
        clock::catch_up(&self.setup.store).await;
        self.follow_firms().await;
        let kept = self.setup.handling.borrow().retention;
        let now = self.setup.store.now();
        self.retention.look(&self.setup.store, kept, now).await;
    }

    async fn follow_firms(&mut self) {
        let policy = Arc::clone(&self.setup.policy.borrow());
        self.firms.follow(&self.setup.store, &policy).await;
    }

    /// Lets attempts under way end. What does not end in time is tried again after the next start.
    async fn end(mut self) {
        let all = async {
            for lane in LANES {
                while let Some(tried) = self.tries(lane).join_next().await {
                    self.note(tried);
                }
            }
        };
        if timeout(END_TIME, all).await.is_err() {
            tracing::info!("some deliveries were under way; they are tried again after the next start");
        }
        self.log.sum_up(self.setup.farewells.take_dropped());
    }
}

/// Sums up what happens, so that neither a mail server that is away for a day nor many wrong addresses fill the log.
#[derive(Debug, Default)]
pub struct DeliveryLog {
    delivered: u64,
    retried: Failures,
    failed: Failures,
}

/// Failures since the last summary, of which the first is logged at once.
#[derive(Debug, Default)]
struct Failures {
    count: u64,
    last: Option<(DeliveryId, String)>,
}

impl Failures {
    /// Adds one; returns true for the first.
    fn add(&mut self, delivery: DeliveryId, reason: &str) -> bool {
        self.count += 1;
        let is_first = self.count == 1;
        self.last = (!is_first).then(|| (delivery, reason.to_owned()));
        is_first
    }
}

impl DeliveryLog {
    /// Notes an attempt.
    pub fn note(&mut self, delivery: DeliveryId, kind: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Delivered => self.delivered += 1,
            Outcome::Retry { reason, .. } => {
                if self.retried.add(delivery, reason) {
                    tracing::warn!(%delivery, kind, "not delivered, and tried again: {reason}");
                }
            }
            Outcome::Failed { reason, .. } | Outcome::Refused { reason, .. } => {
                if self.failed.add(delivery, reason) {
                    tracing::error!(%delivery, kind, "given up: {reason}; see `taubenabwehr deliveries`");
                }
            }
        }
    }

    /// Logs what has gathered since the last time, and how many confirmations of withdrawals were not sent since too many waited.
    pub fn sum_up(&mut self, dropped: u64) {
        let Self {
            delivered,
            retried,
            failed,
        } = mem::take(self);
        if delivered > 0 {
            tracing::info!(delivered, "mails and webhooks were delivered");
        }
        if let Some((delivery, reason)) = retried.last {
            let retried = retried.count;
            tracing::warn!(retried, %delivery, "not delivered, and tried again; the last one: {reason}");
        }
        if let Some((delivery, reason)) = failed.last {
            let failed = failed.count;
            tracing::error!(failed, %delivery, "given up; the last one: {reason}; see `taubenabwehr deliveries`");
        }
        if dropped > 0 {
            tracing::warn!(
                dropped,
                "withdrawals are not confirmed by mail, since too many waited for the mail server"
            );
        }
    }
}
