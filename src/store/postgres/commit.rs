//! Committing a batch: reading what it needs, applying it, and writing what it changes, until it is known what became of it.

use std::mem;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::time::sleep;

use super::error::{Error, Remedy};
use super::load::{self, Loaded, Reading};
use super::save::{self, Attempt, Saving};
use super::session::in_time;
use super::writer::{BACK_OFF, Committed, State};
use crate::referral::Lane;
use crate::store::core::{Changes, Effects, Job, Transaction, WriterState, apply_all, read_set};
use crate::store::deadline::DEADLINE;

/// The longest pause before the writer repeats a transaction that collided with others.
const COLLIDED: Duration = Duration::from_millis(20);

/// How many times the writer repeats a batch that collides with others.
const MAX_COLLISIONS: usize = 50;

/// What is known of the attempts at a batch.
#[derive(Default)]
struct AttemptState {
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
        let mut state = AttemptState::default();
        let mut collisions = 0;
        let mut attempt = 0;
        loop {
            attempt += 1;
            state.is_sent = false;
            let error = match Box::pin(self.attempt(batch, attempt, &mut state)).await {
                Ok(committed) => return Ok(committed),
                Err(error) => error,
            };
            // It may say what the database does not.
            self.forget_turns();
            self.parts.context.health.forget();
            match error.remedy() {
                Remedy::Again if collisions < MAX_COLLISIONS => {
                    collisions += 1;
                    // Whoever stored the key has committed it: there is nobody to wait for, and reading finds it.
                    let finds_key = error.is_known_key() && !state.must_read;
                    state.must_read |= finds_key;
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
                    state.is_doubtful |= state.is_sent;
                    let is_wanted = asked_at.elapsed() < DEADLINE;
                    // What is not sent yet is refused at once while no host is there; what may be stored is found out.
                    if !is_wanted || !(was_connected || state.is_doubtful) {
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
        state: &mut AttemptState,
    ) -> Result<Committed, Error> {
        if self.connection.is_none() {
            self.connect().await?;
        }
        self.register().await?;
        let (Some(connection), Some(secret)) = (&self.connection, self.parts.sessions.secret()) else {
            return Err(Error::Silent);
        };
        let client = &connection.client;
        let started = Instant::now();
        let reads = read_set(batch, &self.matching.policy);
        let forgets = reads.due.contains_key(&Lane::Clock);
        let is_begun = state.must_read || state.is_doubtful || reads.locks || reads.turns;
        let mut loaded = Loaded::default();
        if is_begun {
            let reading = Reading {
                doubtful: state.is_doubtful.then_some(self.writer),
                reads: &reads,
                last_ask: i64::try_from(self.matching.rotation.last()).unwrap_or(i64::MAX),
                time: self.parts.sessions.time(),
            };
            loaded = in_time(Box::pin(load::load(client, &reading))).await?;
        }
        if let Some((batch, attempt)) = loaded.committed
            && batch == self.batch
        {
            in_time(async { Ok(client.batch_execute("ROLLBACK").await?) }).await?;
            return Ok(Committed {
                attempt,
                // What it was is not known any more.
                effects: Effects {
                    has_due: true,
                    touches_reviews: true,
                },
            });
        }
        self.matching.rotation.learn(mem::take(&mut loaded.asks));
        let may_begin = loaded.rows.mailboxes_to_confirm(&self.matching.policy, secret);
        if !may_begin.is_empty() {
            in_time(load::load_confirmations(client, &may_begin, &mut loaded.rows)).await?;
        }
        let now = self.parts.sessions.time().now();
        if !(may_begin.is_empty() && reads.mailboxes.is_empty()) {
            in_time(self.mailboxes.count(client, now)).await?;
        }
        let transaction = Transaction {
            rows: loaded.rows,
            state: WriterState {
                ids: &mut self.ids,
                matching: &mut self.matching,
                mailboxes_left: &mut self.mailboxes.left,
                holder: self.writer.into_bytes(),
                secret,
                // Leases tell what somebody has begun, whenever that was.
                opened_at: Timestamp::MIN,
            },
            now,
            changes: Changes::default(),
        };
        let (rows, changes) = apply_all(batch, attempt, &reads, transaction)?;
        let new = self.matching.rotation.take_new();
        let committed = Committed {
            attempt,
            effects: changes.effects(),
        };
        if changes.is_empty() && new.is_empty() && !forgets {
            if is_begun {
                in_time(async { Ok(client.batch_execute("ROLLBACK").await?) }).await?;
            }
            return Ok(committed);
        }
        let saving = Saving {
            changes,
            rows: &rows,
            asked: new.firms().cloned().collect(),
            rotation: &self.matching.rotation,
            now,
            forgets,
        };
        let sent = Attempt {
            writer: self.writer,
            batch: self.batch,
            number: attempt,
        };
        state.is_sent = true;
        in_time(save::save(client, saving, sent, is_begun)).await?;
        self.parts.context.activity.committed(started.elapsed());
        self.parts.context.health.set_committed();
        Ok(committed)
    }
}
