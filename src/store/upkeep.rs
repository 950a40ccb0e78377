//! Counts, backups, checks, the clock, what instances share to have certificates, and whether the store can be written.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::error::Unavailable;
use super::facts::{DayCounts, Facts, Reckoning};
use super::operations::{AcmeChange, challenges, kept};
use super::time::{DEADLINE, millis};
use super::transfer::{Findings, RowSource, check};
use super::values::fact::Fact;
use super::{Store, reads};

/// How long callers wait for what instances share.
const SHARED_DEADLINE: Duration = Duration::from_secs(2);

impl Store {
    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// While the store cannot be written; then nothing was added, unless the disk hangs.
    pub async fn count(&self, day: Date, counts: DayCounts) -> Result<(), Unavailable> {
        self.write(move |tx| tx.count_up(day, &counts)).await
    }

    /// Returns the counts of all days from one on, in order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |view| reads::counts(view, since)).await
    }

    /// Returns whether an inquiry could be stored now. The answer comes from a commit of the last seconds if there was
    /// one and no write has failed since, else from a small durable write.
    pub async fn check_writable(&self) -> bool {
        let health = &self.context.health;
        if let Some(known) = health.known() {
            return known;
        }
        let ask = async {
            let _turn = self.checking.lock().await;
            if let Some(known) = health.known() {
                return known;
            }
            let is_writable = self.note(&[(Fact::Health, Some(self.now()))]).await.is_ok();
            if !is_writable {
                health.set(false);
            }
            is_writable
        };
        timeout(DEADLINE, ask).await.unwrap_or(false)
    }

    /// Returns everything as it is now, for a backup. Inquiries are stored meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rows(&self) -> Result<RowSource, Unavailable> {
        Ok(RowSource::View(self.view(true, Ok).await?, None))
    }

    /// Reads every record as it is now, however long that takes.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let view = self.view(true, Ok).await?;
        let checking = spawn_blocking(move || check(&*view));
        checking.await.map_err(|_| Unavailable)
    }

    /// Compacts a file if much of it is free, as happens by itself once a day; returns whether it did. Inquiries that
    /// arrive meanwhile wait. A database does so itself.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub async fn compact(&self) -> Result<bool, Unavailable> {
        Ok(self.writer.wipe(true).await?.unwrap_or_default())
    }

    /// Notes when a backup was made.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        self.note(&[(Fact::Backup, Some(made_at))]).await
    }

    /// Lets the clock go on for inquiries that were there when the store was restored from a backup.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        self.note(&[(Fact::Suspended, None)]).await
    }

    /// Believes the clock as it is, wherever it was before.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn believe_clock(&self) -> Result<(), Unavailable> {
        self.note_clock(Reckoning::believing(self.now())).await
    }

    /// Notes what is known of the time.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_clock(&self, clock: Reckoning) -> Result<(), Unavailable> {
        self.note(&clock.facts()).await
    }

    /// Notes how the clock was judged by what was read of the time, unless something else was noted meanwhile.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_judgement(&self, read: Reckoning, judged: Reckoning) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_judgement(read, judged)).await
    }

    async fn note(&self, facts: &[(Fact, Option<Timestamp>)]) -> Result<(), Unavailable> {
        let facts = facts.to_vec();
        self.write(move |tx| {
            tx.note_facts(&facts);
            Ok(())
        })
        .await
    }

    /// Returns what the store says of its backups, of the time, of pauses and of reviews.
    ///
    /// # Errors
    /// While it cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|view| Ok(Facts::of(&reads::facts(view)?))).await
    }

    /// Returns the time that one fact says.
    ///
    /// # Errors
    /// While it cannot be read.
    pub(super) async fn fact(&self, name: String) -> Result<Option<Timestamp>, Unavailable> {
        self.read(move |view| reads::fact_time(view, &name)).await
    }

    /// Returns what instances share by a name; `None` if that is nothing.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn shared(&self, name: String) -> Result<Option<Vec<u8>>, Unavailable> {
        soon(self.read(move |view| kept(view, &name))).await
    }

    /// Changes what instances share by a name; returns whether that was made: of a lease, whether nobody else has it.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn change_shared(&self, name: String, change: AcmeChange) -> Result<bool, Unavailable> {
        soon(self.write(move |tx| tx.change_acme(&name, &change))).await
    }

    /// Returns the challenges that every instance is to answer now, token and response.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let now = millis(self.now());
        soon(self.read(move |view| challenges(view, now))).await
    }
}

/// Waits only a little, for callers that can go on without an answer.
async fn soon<T>(call: impl Future<Output = Result<T, Unavailable>>) -> Result<T, Unavailable> {
    timeout(SHARED_DEADLINE, call).await.unwrap_or(Err(Unavailable))
}
