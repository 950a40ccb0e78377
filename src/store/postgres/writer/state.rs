//! What the writer's task does.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Receiver;
use tokio::sync::{Notify, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::load::{self, Loaded, Reading};
use super::needs::Needs;
use super::operation::Job;
use super::save::{self, Attempt};
use super::transaction::{Changes, Effects, Memory, Transaction};
use super::update::{self, Renew};
use super::{Message, pending};
use crate::matching::Roster;
use crate::referral::{Desk, Plan, Status};
use crate::store::DEADLINE;
use crate::store::activity::Activity;
use crate::store::health::Health;
use crate::store::ids::Ids;
use crate::store::postgres::connector::Connection;
use crate::store::postgres::error::{Error, Remedy};
use crate::store::postgres::holds::Holds;
use crate::store::postgres::session::{STEP, Sessions};

/// Requests committed together, at most: beyond a few hundred the sync of the database is no longer what takes the time.
const MAX_BATCH: usize = 512;

/// How often leases are renewed: three times before they run out.
const RENEW_EVERY: Duration = Duration::from_secs(12);

/// How long the writer waits before it connects again when no host was there. What is asked for meanwhile is refused at once.
const BACK_OFF: Duration = Duration::from_millis(250);

/// The pause before a transaction that others were in the way of is tried again, at most.
const COLLIDED: Duration = Duration::from_millis(20);

/// How often a batch is tried again that others were in the way of.
const MAX_COLLISIONS: usize = 50;

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
    parts: Parts,
    connection: Option<Connection>,
    /// Names this instance.
    writer: Uuid,
    /// The number of the last batch.
    batch: i64,
    ids: Ids,
    desk: Desk,
    /// Until when nothing is tried, since no host was there.
    away_until: Option<Instant>,
}

/// How a batch was committed.
struct Committed {
    attempt: i32,
    effects: Effects,
}

/// How far an attempt has come.
#[derive(Default)]
struct Course {
    /// Whether everything must be read, because another instance may have stored the same key.
    must_read: bool,
    /// Whether an attempt before may have been committed.
    is_doubtful: bool,
    /// Whether this attempt has sent the end of its transaction.
    is_sent: bool,
}

impl State {
    /// Prepares the task.
    pub fn new(parts: Parts) -> Self {
        Self {
            parts,
            connection: None,
            writer: Uuid::now_v7(),
            batch: 0,
            ids: Ids::after(None),
            desk: Desk::default(),
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
        let parameters = [(
            &self.writer as &(dyn tokio_postgres::types::ToSql + Sync),
            Type::UUID,
        )];
        let left = connection
            .client
            .query_typed("DELETE FROM writers WHERE id = $1", &parameters);
        let _ = in_time(async { Ok(left.await?) }).await;
    }

    /// Takes what waits, and commits it.
    async fn take(&mut self, first: Message, requests: &mut Receiver<Message>) {
        // Those that serve visitors have more at hand, which then share a commit.
        std::thread::yield_now();
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

    /// Commits a batch; does so again until it is known what became of it, or nobody waits for it any more.
    async fn write_until_known(&mut self, batch: &mut [Box<dyn Job>]) -> Result<Committed, Error> {
        self.batch += 1;
        let asked_at = batch
            .iter()
            .map(|job| job.asked_at())
            .max()
            .unwrap_or_else(Instant::now);
        let mut course = Course::default();
        let mut collisions = 0;
        let mut attempt = 0;
        loop {
            attempt += 1;
            course.is_sent = false;
            let error = match Box::pin(self.attempt(batch, attempt, &mut course)).await {
                Ok(committed) => return Ok(committed),
                Err(error) => error,
            };
            // It may say what the database does not.
            self.forget_turns();
            self.parts.health.forget();
            match error.remedy() {
                Remedy::Again if collisions < MAX_COLLISIONS => {
                    collisions += 1;
                    // Whoever stored the key has committed it: there is nobody to wait for, and reading finds it.
                    let finds_key = error.is_known_key() && !course.must_read;
                    course.must_read |= finds_key;
                    self.roll_back().await;
                    if !finds_key {
                        let chance = getrandom::u32().unwrap_or_default();
                        sleep(COLLIDED.mul_f64(f64::from(chance) / f64::from(u32::MAX))).await;
                    }
                }
                Remedy::Again | Remedy::None => {
                    self.roll_back().await;
                    return Err(error);
                }
                Remedy::Reconnect => {
                    let was_connected = self.disconnect();
                    course.is_doubtful |= course.is_sent;
                    let is_wanted = asked_at.elapsed() < DEADLINE;
                    // What is not sent yet is refused at once while no host is there; what may be stored is found out.
                    if !is_wanted || !(was_connected || course.is_doubtful) {
                        return Err(error);
                    }
                    tracing::warn!(%error, "the connection to the database was lost");
                    if !was_connected {
                        sleep(BACK_OFF).await;
                    }
                }
            }
        }
    }

    async fn attempt(
        &mut self,
        batch: &mut [Box<dyn Job>],
        attempt: i32,
        course: &mut Course,
    ) -> Result<Committed, Error> {
        if self.connection.is_none() {
            self.connect().await?;
        }
        let (Some(connection), Some(secret)) = (&self.connection, self.parts.sessions.secret()) else {
            return Err(Error::Silent);
        };
        let client = &connection.client;
        let started = Instant::now();
        let mut needs = Needs::default();
        for job in &*batch {
            job.gather(&mut needs, &self.desk.plan);
        }
        let is_begun = course.must_read || course.is_doubtful || needs.reads || needs.turns;
        let now = self.parts.sessions.time().now();
        let reading = Reading {
            doubtful: course.is_doubtful.then_some(self.writer),
            needs: &needs,
            last_ask: i64::try_from(self.desk.roster.last()).unwrap_or(i64::MAX),
            now,
        };
        let mut loaded = Loaded::default();
        if is_begun {
            loaded = in_time(Box::pin(load::load(client, &reading))).await?;
        }
        if let Some((batch, attempt)) = loaded.committed
            && batch == self.batch
        {
            in_time(async { Ok(client.batch_execute("ROLLBACK").await?) }).await?;
            return Ok(Committed {
                attempt,
                effects: Effects { has_due: true },
            });
        }
        if needs.clock {
            // Clocks of machines drift.
            in_time(self.parts.sessions.note_time(client)).await?;
        }
        self.desk.roster.learn(mem::take(&mut loaded.asks));
        let addresses = to_be_confirmed(&loaded, &self.desk.plan, secret);
        if !addresses.is_empty() {
            in_time(load::load_confirmations(client, &addresses, &mut loaded)).await?;
        }
        let mut transaction = Transaction {
            keys: loaded.keys,
            dossiers: loaded.dossiers,
            subscriptions: loaded.subscriptions,
            confirmations: loaded.confirmations,
            due: loaded.due,
            memory: Memory {
                ids: &mut self.ids,
                desk: &mut self.desk,
                holder: self.writer.into_bytes(),
                secret,
            },
            now,
            asked: Vec::new(),
            changes: Changes::default(),
            effects: Effects::default(),
        };
        for job in batch.iter_mut() {
            job.apply(&mut transaction, attempt)?;
        }
        let new = transaction.memory.desk.roster.take_new();
        transaction.asked = new.firms().cloned().collect();
        let effects = transaction.effects;
        if transaction.changes.is_empty() && transaction.asked.is_empty() {
            if is_begun {
                in_time(async { Ok(client.batch_execute("ROLLBACK").await?) }).await?;
            }
            return Ok(Committed { attempt, effects });
        }
        let sent = Attempt {
            writer: self.writer,
            batch: self.batch,
            number: attempt,
        };
        course.is_sent = true;
        in_time(async { Ok(save::save(client, transaction, sent, is_begun).await?) }).await?;
        self.parts.activity.committed(started.elapsed());
        self.parts.health.set_committed();
        Ok(Committed { attempt, effects })
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let connection = self.parts.sessions.open().await?;
        let newest = "SELECT id FROM inquiries ORDER BY id DESC LIMIT 1";
        let newest = in_time(async { Ok(connection.client.query_typed(newest, &[]).await?) }).await?;
        if let Some(row) = newest.first() {
            self.ids.skip_to(row.try_get::<_, Uuid>(0)?.into_bytes());
        }
        // So that a batch of which nobody knows what became waits for it.
        let known = "INSERT INTO writers (id, batch, attempt, seen_at) VALUES ($1, 0, 0, now()) ON CONFLICT (id) DO NOTHING";
        let parameters = [(
            &self.writer as &(dyn tokio_postgres::types::ToSql + Sync),
            Type::UUID,
        )];
        in_time(async { Ok(connection.client.query_typed(known, &parameters).await?) }).await?;
        if self.away_until.take().is_some() {
            tracing::info!("the database can be used again");
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Leaves a connection that is of no use any more; returns whether there was one.
    fn disconnect(&mut self) -> bool {
        let connection = self.connection.take();
        if let Some(connection) = &connection {
            self.parts.sessions.connector().distrust(connection);
        }
        connection.is_some()
    }

    async fn roll_back(&mut self) {
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
    fn forget_turns(&mut self) {
        self.desk.roster = Roster::new(Arc::clone(&self.desk.plan.firms), []);
    }
}

/// Waits for a step, but not for ever: a server that hangs says nothing at all. What it was asked for is never cancelled.
async fn in_time<T>(step: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    timeout(STEP, step).await.unwrap_or(Err(Error::Silent))
}

/// Returns the addresses whose confirmations must be known because their inquiries may begin.
fn to_be_confirmed(
    loaded: &Loaded,
    plan: &Plan,
    secret: &crate::referral::Secret,
) -> Vec<crate::store::ids::Id> {
    if !plan.visitor_mail {
        return Vec::new();
    }
    let entries = loaded.dossiers.values().filter(|entry| {
        let referral = entry.referral.as_ref();
        referral.is_some_and(|referral| matches!(referral.status, Status::Held | Status::Released(_)))
            || entry.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected)
    });
    let addresses = entries.filter_map(|entry| {
        let inquiry = entry.inquiry.as_ref()?;
        Some(update::address_key(
            secret,
            inquiry.answers.email_address.as_str(),
        ))
    });
    addresses.collect()
}
