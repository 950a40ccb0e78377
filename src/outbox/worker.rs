//! The outbox thread.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use std::{io, mem, thread};

use jiff::Timestamp;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout_at};

use super::clock;
use super::dispatcher::{Dispatcher, OutboxSetup, Tried};
use super::firm_changes::FirmChanges;
use crate::base::logging::LogThrottle;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::domain::referral::{Failure, Lane};

/// Maximum concurrent attempts per lane, and so per host: as many as mail servers usually tolerate. Lanes are separate, so that a
/// hanging mail server does not delay webhooks.
const AT_ONCE: usize = 4;

/// The pause after the store could not be read.
const STORE_PAUSE: Duration = Duration::from_secs(5);

/// The pause after an attempt that panicked and whose outcome is therefore unknown.
const BUG_PAUSE: Duration = Duration::from_mins(1);

/// How long running attempts may take at shutdown: less than requests may, so that the store is still open.
const END_TIME: Duration = Duration::from_secs(5);

/// Starts the outbox in its own thread, until shutdown.
///
/// # Errors
/// When the thread or its runtime cannot be created.
pub fn start(setup: OutboxSetup, shutdown: &Shutdown) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (alive, has_ended) = oneshot::channel::<()>();
    let ending = shutdown.requested();
    let run = move || {
        let mut ending = pin!(ending);
        runtime.block_on(keep_alive("sending mails and webhooks", async || {
            tokio::select! {
                () = Worker::new(setup.clone()).work(ending.as_mut()) => {}
                () = clock::keep_erasing(&setup) => {}
            }
        }));
        // A DNS lookup may hang, and nothing depends on it.
        runtime.shutdown_background();
        drop(alive);
    };
    thread::Builder::new().name("outbox".to_owned()).spawn(run)?;
    // Shutdown waits for the thread, however it ends.
    shutdown.tasks.spawn(async { drop(has_ended.await) });
    Ok(())
}

struct Worker {
    setup: OutboxSetup,
    dispatcher: Arc<Dispatcher>,
    tries: JoinSet<Tried>,
    /// Attempts that may start now; each holds a permit while it runs.
    mails: Arc<Semaphore>,
    calls: Arc<Semaphore>,
    firms: FirmChanges,
    /// After a bug, no attempt starts before this time.
    paused_until: Instant,
    /// Deliveries since the last log line about them.
    delivered: u64,
    /// Throttles the log while a mail server is down or many addresses are wrong.
    retried: LogThrottle,
    failed: LogThrottle,
}

impl Worker {
    fn new(mut setup: OutboxSetup) -> Self {
        let handling = Arc::clone(&setup.handling.borrow_and_update());
        setup.policy.mark_unchanged();
        Self {
            dispatcher: Arc::new(Dispatcher::new(&setup, handling)),
            setup,
            tries: JoinSet::new(),
            mails: Arc::new(Semaphore::new(AT_ONCE)),
            calls: Arc::new(Semaphore::new(AT_ONCE)),
            firms: FirmChanges::default(),
            paused_until: Instant::now(),
            delivered: 0,
            retried: LogThrottle::default(),
            failed: LogThrottle::default(),
        }
    }

    async fn work(mut self, mut ending: Pin<&mut impl Future<Output = ()>>) {
        let mut look = interval(self.setup.pace.look_every);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let wait = self.start_tries().await;
            tokio::select! {
                () = ending.as_mut() => break,
                Some(tried) = self.tries.join_next() => self.note(tried),
                Ok(()) = self.setup.handling.changed() => self.apply_configuration(),
                Ok(()) = self.setup.policy.changed() => {
                    self.firms.note();
                    self.follow_firms().await;
                }
                _ = look.tick() => self.catch_up().await,
                () = self.setup.farewells.has_more() => {}
                () = self.setup.store.has_due() => {}
                () = sleep(wait) => {}
            }
        }
        self.end().await;
    }

    /// Starts as many attempts as allowed; returns how long to wait for the next one.
    async fn start_tries(&mut self) -> Duration {
        let pause = self.paused_until.saturating_duration_since(Instant::now());
        if !pause.is_zero() {
            return pause;
        }
        let (mails, calls) = (Arc::clone(&self.mails), Arc::clone(&self.calls));
        // Half of the slots are left to deliveries, so that many withdrawals do not delay inquiries.
        while mails.available_permits() > AT_ONCE / 2
            && let Some(farewell) = self.setup.farewells.next()
        {
            let dispatcher = Arc::clone(&self.dispatcher);
            self.start(Arc::clone(&mails), async move {
                dispatcher.try_farewell(&farewell).await
            });
        }
        let mails = self.start_lane(Lane::Mail, mails).await;
        mails.min(self.start_lane(Lane::Webhook, calls).await)
    }

    async fn start_lane(&mut self, lane: Lane, slots: Arc<Semaphore>) -> Duration {
        let free = slots.available_permits();
        if free == 0 {
            return self.until(None);
        }
        let Ok(leased) = self.setup.store.lease(lane, free).await else {
            return STORE_PAUSE;
        };
        // Leasing takes a moment with a database, and attempts must not use an outdated configuration.
        if self.setup.handling.has_changed().unwrap_or(false) {
            self.apply_configuration();
        }
        for claim in leased.claims {
            let dispatcher = Arc::clone(&self.dispatcher);
            let slots = Arc::clone(&slots);
            self.start(slots, async move { dispatcher.try_once(&claim).await });
        }
        self.until(leased.next)
    }

    /// Starts an attempt, which holds one of the slots while it runs.
    fn start(&mut self, slots: Arc<Semaphore>, attempt: impl Future<Output = Tried> + Send + 'static) {
        let slot = slots.try_acquire_owned();
        self.tries.spawn(async move {
            let _slot = slot;
            attempt.await
        });
    }

    /// How long to wait until `due`, at most until the next check.
    fn until(&self, due: Option<Timestamp>) -> Duration {
        due.map_or(self.setup.pace.look_every, |due| {
            let wait = Duration::try_from(due.duration_since(self.setup.store.now()));
            wait.unwrap_or_default().min(self.setup.pace.look_every)
        })
    }

    fn note(&mut self, tried: Result<Tried, JoinError>) {
        let Ok(Tried {
            delivery,
            kind,
            outcome,
        }) = tried
        else {
            tracing::error!("what came of a delivery could not be noted, by a bug; please report it");
            // The delivery will be leased again and must not fail in a tight loop.
            self.paused_until = Instant::now() + BUG_PAUSE;
            return;
        };
        match outcome {
            Ok(()) => self.delivered += 1,
            Err(Failure {
                reason,
                retry_at: Some(_),
                ..
            }) => {
                if let Some(others) = self.retried.admit() {
                    tracing::warn!(%delivery, kind, others, "not delivered, and tried again: {reason}");
                }
            }
            Err(Failure { reason, .. }) => {
                if let Some(others) = self.failed.admit() {
                    tracing::error!(%delivery, kind, others, "given up: {reason}; see `taubenabwehr deliveries`");
                }
            }
        }
    }

    /// Applies a changed configuration. Running attempts keep the old one.
    fn apply_configuration(&mut self) {
        let handling = Arc::clone(&self.setup.handling.borrow_and_update());
        self.dispatcher = Arc::new(Dispatcher::new(&self.setup, handling));
    }

    /// Handles work that depends on the clock.
    async fn catch_up(&mut self) {
        self.log_delivered();
        self.setup.farewells.drop_old();
        clock::catch_up(&self.setup.store).await;
        self.follow_firms().await;
    }

    fn log_delivered(&mut self) {
        let delivered = mem::take(&mut self.delivered);
        if delivered > 0 {
            tracing::info!(delivered, "mails and webhooks were delivered");
        }
    }

    async fn follow_firms(&mut self) {
        let policy = Arc::clone(&self.setup.policy.borrow());
        self.firms.follow(&self.setup.store, &policy).await;
    }

    /// Lets running attempts finish. Those that do not finish in time are attempted again after the next start.
    async fn end(mut self) {
        let end = Instant::now() + END_TIME;
        loop {
            match timeout_at(end, self.tries.join_next()).await {
                Ok(Some(tried)) => self.note(tried),
                Ok(None) => break,
                Err(_) => {
                    tracing::info!(
                        "some deliveries were under way; they are tried again after the next start"
                    );
                    break;
                }
            }
        }
        self.log_delivered();
    }
}
