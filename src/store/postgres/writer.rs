//! The writer's task: it takes what waits, and keeps the connection and the leases.

use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc::Receiver;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::connector::Connection;
use super::error::Error;
use super::session::{Sessions, in_time};
use super::writers;
use crate::matching::FirmRotation;
use crate::referral::MatchingState;
use crate::store::core::{Effects, Ids, Job, MAX_MAILBOXES, Pending, Renew, counts_since};
use crate::store::error::Damaged;
use crate::store::writer::{Context, MAX_BATCH, Message};

/// How many yields in a row must bring no further request before a batch counts as gathered. With 64 clients of two instances on
/// two cores, four instead of one take an eighth off what a row costs the database; eight take off no more.
const QUIET_YIELDS: usize = 4;

/// The longest time to gather a batch: on a machine that is busy with something else, a yield takes milliseconds.
const GATHER_TIME: Duration = Duration::from_millis(5);

/// How often mailboxes are counted, which takes some 20 ms when there are as many as may be. What other instances add meanwhile
/// comes on top.
const COUNT_EVERY: Duration = Duration::from_mins(1);

/// How often leases are renewed: three times before they run out.
const RENEW_EVERY: Duration = Duration::from_secs(12);

/// How long the writer waits before it connects again when no host was there. What is asked for meanwhile is refused at once.
pub const BACK_OFF: Duration = Duration::from_millis(250);

/// What the writer shares with others.
pub struct Parts {
    /// Opens connections.
    pub sessions: Sessions,
    /// What it shares with callers.
    pub context: Context,
}

/// What the writer's task works with.
pub struct State {
    pub(super) parts: Parts,
    pub(super) connection: Option<Connection>,
    /// Names this instance.
    pub(super) writer: Uuid,
    /// Whether the host of the connection knows it.
    is_known: bool,
    /// The number of the last batch.
    pub(super) batch: i64,
    pub(super) ids: Ids,
    pub(super) matching: MatchingState,
    pub(super) mailboxes: MailboxesLeft,
    /// Until when nothing is tried, since no host was there.
    away_until: Option<Instant>,
}

/// How a batch was committed.
pub struct Committed {
    /// The attempt that was.
    pub attempt: i32,
    /// What others are to hear of it.
    pub effects: Effects,
}

impl State {
    /// Prepares the task.
    pub fn new(parts: Parts) -> Self {
        Self {
            parts,
            connection: None,
            writer: Uuid::now_v7(),
            is_known: false,
            batch: 0,
            ids: Ids::after(None),
            matching: MatchingState::default(),
            mailboxes: MailboxesLeft::default(),
            away_until: None,
        }
    }

    /// Connects for the first time, tells what came of it, and works until nobody can ask any more.
    pub async fn run(mut self, mut requests: Receiver<Message>, opened: oneshot::Sender<Result<(), Error>>) {
        // Whoever opens the store may have given up.
        drop(opened.send(self.connect().await));
        let mut renewal = interval(RENEW_EVERY);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let holds = self.parts.context.holds.clone();
        loop {
            tokio::select! {
                request = requests.recv() => match request {
                    Some(first) => self.take(first, &mut requests).await,
                    None => break,
                },
                _ = renewal.tick() => self.renew().await,
                () = holds.has_let_go() => self.renew().await,
            }
        }
        // Other instances need not wait until leases have run out.
        self.parts.context.holds.let_all_go();
        self.renew().await;
        self.unregister().await;
    }

    /// Takes this instance from those that write, so that nobody waits for it. Its row is forgotten later, too.
    async fn unregister(&self) {
        let Some(connection) = &self.connection else {
            return;
        };
        let parameters = [(&self.writer as &(dyn ToSql + Sync), Type::UUID)];
        let left = connection.client.query_typed(writers::LEFT, &parameters);
        let _ = in_time(async { Ok(left.await?) }).await;
    }

    /// Takes what waits, and commits it.
    async fn take(&mut self, first: Message, requests: &mut Receiver<Message>) {
        gather(requests);
        let mut batch = Vec::new();
        let mut next = Some(first);
        let mut taken = 0;
        while let Some(message) = next {
            match message {
                Message::Write(job) => batch.push(job),
                Message::SetPolicy(policy) => {
                    self.write(mem::take(&mut batch)).await;
                    self.matching.set_policy(policy);
                }
                // A database rewrites its files itself.
                Message::Rewrite(rewrite) => drop(rewrite),
            }
            taken += 1;
            next = (taken < MAX_BATCH).then(|| requests.try_recv().ok()).flatten();
        }
        self.write(batch).await;
    }

    /// Renews what is leased, and gives back what was let go.
    async fn renew(&mut self) {
        let (held, let_go) = (
            self.parts.context.holds.held(),
            self.parts.context.holds.take_let_go(),
        );
        if held.is_empty() && let_go.is_empty() {
            return;
        }
        let (caller, _) = oneshot::channel();
        self.write(vec![Box::new(Pending::new(Renew { held, let_go }, caller))])
            .await;
    }

    /// Commits a batch and replies to each request in it. Those that are dropped without a reply hear that the store is
    /// unavailable.
    async fn write(&mut self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() || self.away_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let written = self.write_until_known(&mut batch).await;
        self.parts.context.activity.step();
        match written {
            Ok(Committed { attempt, effects }) => self.parts.context.tell(batch, attempt, effects),
            Err(error) => {
                self.parts.context.health.forget();
                tracing::error!(%error, "the database cannot be written");
                if self.connection.is_none() {
                    self.away_until = Some(Instant::now() + BACK_OFF);
                }
            }
        }
    }

    pub(super) async fn connect(&mut self) -> Result<(), Error> {
        let connection = self.parts.sessions.open().await?;
        let newest = "SELECT id FROM inquiries ORDER BY id DESC LIMIT 1";
        let newest = in_time(async { Ok(connection.client.query_typed(newest, &[]).await?) }).await?;
        if let Some(row) = newest.first() {
            self.ids.skip_to(row.try_get::<_, Uuid>(0)?.into_bytes());
        }
        self.is_known = match register(&connection, self.writer).await {
            Ok(()) => true,
            // What only reads needs no room.
            Err(error) if error.is_full() => false,
            Err(error) => return Err(error),
        };
        if self.away_until.take().is_some() {
            tracing::info!("the database can be used again");
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Adds this instance to those that write, unless it is known there.
    pub(super) async fn register(&mut self) -> Result<(), Error> {
        if !self.is_known
            && let Some(connection) = &self.connection
        {
            register(connection, self.writer).await?;
            self.is_known = true;
        }
        Ok(())
    }

    /// Leaves a connection that is of no use any more; returns whether there was one.
    pub(super) fn disconnect(&mut self) -> bool {
        let connection = self.connection.take();
        if let Some(connection) = &connection {
            self.parts.sessions.connector().deprioritize_host(connection);
        }
        connection.is_some()
    }

    pub(super) async fn roll_back(&mut self) {
        let Some(connection) = &self.connection else {
            return;
        };
        if in_time(async { Ok(connection.client.batch_execute("ROLLBACK").await?) })
            .await
            .is_err()
        {
            self.disconnect();
        }
    }

    /// Discards state changed by a failed attempt, so that it is reloaded.
    pub(super) fn forget_turns(&mut self) {
        self.matching.rotation = FirmRotation::new(Arc::clone(&self.matching.policy.firms), []);
    }
}

/// Adds an instance to those that write, so that a batch of which nobody knows what became waits for it.
async fn register(connection: &Connection, writer: Uuid) -> Result<(), Error> {
    let parameters = [(&writer as &(dyn ToSql + Sync), Type::UUID)];
    in_time(async { Ok(connection.client.query_typed(writers::KNOWN, &parameters).await?) }).await?;
    Ok(())
}

/// How many more mailboxes may get confirmations, as far as this instance knows.
#[derive(Default)]
pub struct MailboxesLeft {
    /// How many.
    pub left: usize,
    counted_at: Option<Instant>,
}

impl MailboxesLeft {
    /// Counts the mailboxes again, unless that was done a moment ago.
    pub async fn count(&mut self, client: &Client, now: Timestamp) -> Result<(), Error> {
        if self.counted_at.is_some_and(|at| at.elapsed() < COUNT_EVERY) {
            return Ok(());
        }
        let damaged = Damaged("addresses that got confirmations cannot be counted");
        let since = i64::try_from(counts_since(now)).map_err(|_| damaged)?;
        let since = Timestamp::from_millisecond(since).map_err(|_| damaged)?;
        let most = i64::try_from(MAX_MAILBOXES).map_err(|_| damaged)?;
        let count = "SELECT count(*) FROM (SELECT FROM confirmations WHERE last >= $1 LIMIT $2) AS recent";
        let rows = client
            .query_typed(count, &[(&since, Type::TIMESTAMPTZ), (&most, Type::INT8)])
            .await?;
        let count: i64 = rows.first().ok_or(damaged)?.try_get(0)?;
        let count = usize::try_from(count).map_err(|_| damaged)?;
        self.left = MAX_MAILBOXES.saturating_sub(count);
        self.counted_at = Some(Instant::now());
        Ok(())
    }
}

/// Yields the core to the threads that serve visitors: they may have more requests at hand, which then share a commit. Where nobody
/// waits for the core, a yield takes half a microsecond.
fn gather(requests: &Receiver<Message>) {
    let begun = Instant::now();
    let mut waiting = requests.len();
    let mut quiet = 0;
    while quiet < QUIET_YIELDS && begun.elapsed() < GATHER_TIME {
        thread::yield_now();
        let now_waiting = requests.len();
        quiet = if now_waiting > waiting { 0 } else { quiet + 1 };
        waiting = now_waiting;
    }
}
