//! Counts, facts, backups, checks, the clock, and whether the store can be written.

use jiff::Timestamp;
use jiff::civil::Date;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::domain::reckoning::Reckoning;
use crate::store::facts::{DayCounts, Facts};
use crate::store::map::{EngineError, EntryKind, View};
use crate::store::transfer::{Findings, RowSource, check};
use crate::store::tx::Tx;
use crate::store::values::{count_key, millis, number};
use crate::store::{DEADLINE, Store, Unavailable, facts, reads};

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
            let is_writable = self.note(&[(facts::HEALTH, Some(self.now()))]).await.is_ok();
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
        self.note(&[(facts::BACKUP, Some(made_at))]).await
    }

    /// Lets the clock go on for inquiries that were there when the store was restored from a backup.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        self.note(&[(facts::SUSPENDED, None)]).await
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
        self.note(&clock_facts(clock)).await
    }

    /// Notes how the clock was judged by what was read of the time, unless something else was noted meanwhile.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_judgement(&self, read: Reckoning, judged: Reckoning) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_judgement(read, judged)).await
    }

    async fn note(&self, facts: &[(&'static str, Option<Timestamp>)]) -> Result<(), Unavailable> {
        let facts: Vec<_> = facts
            .iter()
            .map(|(name, time)| ((*name).to_owned(), *time))
            .collect();
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
}

impl Tx<'_> {
    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn count_up(&mut self, day: Date, counts: &DayCounts) -> Result<(), EngineError> {
        for (name, count) in counts {
            let key = count_key(day, name);
            let before = self.get(EntryKind::Counts, &key)?;
            let before = before.map_or(Ok(0), |before| number(&before))?;
            self.put(
                EntryKind::Counts,
                key,
                before.saturating_add(*count).to_be_bytes(),
            );
        }
        Ok(())
    }

    /// Notes facts, or that they are no longer true.
    pub fn note_facts(&mut self, noted: &[(impl AsRef<str>, Option<Timestamp>)]) {
        for (name, time) in noted {
            self.note(name.as_ref(), time.map(millis));
            self.effects.has_due |= name.as_ref() != facts::HEALTH;
        }
    }

    /// Notes how the clock was judged by what was read of the time, unless something else was noted since: an operator's word must not be
    /// taken back by a judgement that is older.
    ///
    /// # Errors
    /// When what is noted cannot be read.
    pub fn note_judgement(&mut self, read: Reckoning, judged: Reckoning) -> Result<(), EngineError> {
        let in_millis = |time: Option<Timestamp>| time.map(millis);
        let known = in_millis(reads::fact_time(self, facts::CLOCK)?);
        let doubted_since = in_millis(reads::fact_time(self, facts::CLOCK_DOUBTED)?);
        if (known, doubted_since) == (in_millis(read.known), in_millis(read.doubted_since)) {
            self.note_facts(&clock_facts(judged));
        }
        Ok(())
    }
}

/// Returns the facts by which it is kept what is known of the time.
fn clock_facts(clock: Reckoning) -> [(&'static str, Option<Timestamp>); 2] {
    [
        (facts::CLOCK, clock.known),
        (facts::CLOCK_DOUBTED, clock.doubted_since),
    ]
}
