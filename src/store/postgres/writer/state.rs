//! The writer's task: it takes what waits, and keeps the connection and the leases.

use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Receiver;
use tokio::sync::{Notify, oneshot};
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::operation::Job;
use super::room::Room;
use super::transaction::Effects;
use super::update::Renew;
use super::{Message, pending};
use crate::matching::Roster;
use crate::referral::{Desk, Plan};
use crate::store::activity::Activity;
use crate::store::health::Health;
use crate::store::ids::Ids;
use crate::store::postgres::connector::Connection;
use crate::store::postgres::error::Error;
use crate::store::postgres::holds::Holds;
use crate::store::postgres::session::{Sessions, in_time};
use crate::store::postgres::writers;

/// Requests committed together, at most: beyond a few hundred the sync of the database is no longer what takes the time.
const MAX_BATCH: usize = 512;

/// How many yields in a row must bring no further request before a batch counts as gathered. With 64 clients of two instances on
/// two cores, four instead of one take an eighth off what a row costs the database; eight take off no more.
const QUIET_YIELDS: usize = 4;

/// The longest time to gather a batch: on a machine that is busy with something else, a yield takes milliseconds.
const GATHER_TIME: Duration = Duration::from_millis(5);

/// How often leases are renewed: three times before they run out.
const RENEW_EVERY: Duration = Duration::from_secs(12);

/// How long the writer waits before it connects again when no host was there. What is asked for meanwhile is refused at once.
pub const BACK_OFF: Duration = Duration::from_millis(250);

/// What the writer shares with others.
pub struct Parts {
    /// Opens connections.
    pub sessions: Sessions,
    /// Whether the database can be written.
    pub health: Arc<Health>,
    /// What is done.
    pub activity: Arc<Activity>,
    /// The leases of this instance.
    pub holds: Holds,
    /// Told when something may have become due.
    pub has_due: Arc<Notify>,
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
    pub(super) desk: Desk,
    pub(super) room: Room,
    /// Until when nothing is tried, since no host was there.
    away_until: Option<Instant>,
}

/// How a batch was committed.
pub struct Committed {
    /// The attempt that was.
    pub attempt: i32,
    /// What came of it.
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
            desk: Desk::default(),
            room: Room::default(),
            away_until: None,
        }
    }

    /// Connects for the first time, tells what came of it, and works until nobody can ask any more.
    pub async fn run(mut self, mut requests: Receiver<Message>, opened: oneshot::Sender<Result<(), Error>>) {
        // Whoever opens the store may have given up.
        drop(opened.send(self.connect().await));
        let mut renewal = interval(RENEW_EVERY);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let holds = self.parts.holds.clone();
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
        self.parts.holds.let_all_go();
        self.renew().await;
        self.leave().await;
    }

    /// Takes this instance from those that write, so that nobody waits for it. Its row is forgotten later, too.
    async fn leave(&self) {
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
                Message::Follow(plan) => {
                    self.write(mem::take(&mut batch)).await;
                    self.follow(plan);
                }
            }
            taken += 1;
            next = (taken < MAX_BATCH).then(|| requests.try_recv().ok()).flatten();
        }
        self.write(batch).await;
    }

    fn follow(&mut self, plan: Arc<Plan>) {
        self.desk.roster.replace_firms(Arc::clone(&plan.firms));
        self.desk.plan = plan;
        self.desk.is_serving = true;
    }

    /// Renews what is leased, and gives back what was let go.
    async fn renew(&mut self) {
        let (held, let_go) = (self.parts.holds.held(), self.parts.holds.take_let_go());
        if held.is_empty() && let_go.is_empty() {
            return;
        }
        let (caller, _) = oneshot::channel();
        self.write(vec![Box::new(pending(Renew { held, let_go }, caller))])
            .await;
    }

    /// Commits a batch and replies to each request in it. Those that are dropped without a reply hear that the store is
    /// unavailable.
    async fn write(&mut self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() || self.away_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let written = self.write_until_known(&mut batch).await;
        self.parts.activity.step();
        match written {
            Ok(Committed { attempt, effects }) => {
                for job in batch {
                    job.answer(attempt);
                }
                if effects.has_due {
                    self.parts.has_due.notify_one();
                }
            }
            Err(error) => {
                self.parts.health.forget();
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
        self.is_known = match introduce(&connection, self.writer).await {
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
    pub(super) async fn introduce(&mut self) -> Result<(), Error> {
        if !self.is_known
            && let Some(connection) = &self.connection
        {
            introduce(connection, self.writer).await?;
            self.is_known = true;
        }
        Ok(())
    }

    /// Leaves a connection that is of no use any more; returns whether there was one.
    pub(super) fn disconnect(&mut self) -> bool {
        let connection = self.connection.take();
        if let Some(connection) = &connection {
            self.parts.sessions.connector().distrust(connection);
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

    /// Has everything read anew that an attempt has changed in memory.
    pub(super) fn forget_turns(&mut self) {
        self.desk.roster = Roster::new(Arc::clone(&self.desk.plan.firms), []);
    }
}

/// Adds an instance to those that write, so that a batch of which nobody knows what became waits for it.
async fn introduce(connection: &Connection, writer: Uuid) -> Result<(), Error> {
    let parameters = [(&writer as &(dyn ToSql + Sync), Type::UUID)];
    in_time(async { Ok(connection.client.query_typed(writers::KNOWN, &parameters).await?) }).await?;
    Ok(())
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
