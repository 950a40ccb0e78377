//! Committing a batch: reading what it needs, applying it, and writing what it changes, until it is known what became of it.

use std::mem;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::load::{self, Loaded, Reading};
use super::needs::Needs;
use super::operation::Job;
use super::save::{self, Attempt};
use super::state::{BACK_OFF, Committed, State};
use super::transaction::{Changes, Effects, Memory, Transaction};
use crate::referral::{Plan, Secret, Status};
use crate::store::confirmation::Quota;
use crate::store::deadline::DEADLINE;
use crate::store::ids::Id;
use crate::store::postgres::error::{Error, Remedy};
use crate::store::postgres::session::in_time;

/// The pause before a transaction that others were in the way of is tried again, at most.
const COLLIDED: Duration = Duration::from_millis(20);

/// How often a batch is tried again that others were in the way of.
const MAX_COLLISIONS: usize = 50;

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
    /// Commits a batch; does so again until it is known what became of it, or nobody waits for it any more.
    pub(super) async fn write_until_known(&mut self, batch: &mut [Box<dyn Job>]) -> Result<Committed, Error> {
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
        self.introduce().await?;
        let (Some(connection), Some(secret)) = (&self.connection, self.parts.sessions.secret()) else {
            return Err(Error::Silent);
        };
        let client = &connection.client;
        let started = Instant::now();
        let needs = needs_of(batch, &self.desk.plan);
        let is_begun = course.must_read || course.is_doubtful || needs.reads || needs.turns;
        let reading = Reading {
            doubtful: course.is_doubtful.then_some(self.writer),
            needs: &needs,
            last_ask: i64::try_from(self.desk.roster.last()).unwrap_or(i64::MAX),
            time: self.parts.sessions.time(),
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
        self.desk.roster.learn(mem::take(&mut loaded.asks));
        let addresses = to_be_confirmed(&loaded, &self.desk.plan, secret);
        if !addresses.is_empty() {
            in_time(load::load_confirmations(client, &addresses, &mut loaded)).await?;
        }
        let now = self.parts.sessions.time().now();
        if !(addresses.is_empty() && needs.addresses.is_empty()) {
            in_time(self.room.look(client, now)).await?;
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
                room: &mut self.room,
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
}

fn needs_of(batch: &[Box<dyn Job>], plan: &Plan) -> Needs {
    let mut needs = Needs::default();
    for job in batch {
        job.gather(&mut needs, plan);
    }
    needs
}

/// Returns the addresses whose confirmations must be known because their inquiries may begin.
fn to_be_confirmed(loaded: &Loaded, plan: &Plan, secret: &Secret) -> Vec<Id> {
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
        Some(Quota::inquiries(secret, inquiry.answers.email_address.as_str()).key)
    });
    addresses.collect()
}
