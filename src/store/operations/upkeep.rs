//! Counts, facts, backups, checks, the clock, and the health check.

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

    /// Returns the counts of all days from `since` on, in order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |view| reads::counts(view, since)).await
    }

    /// Whether an inquiry could be stored now. Relies on a commit within the last few seconds if no write has failed since;
    /// otherwise makes a small durable write.
    pub async fn check_writable(&self) -> bool {
        let health = &self.context.health;
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

    /// Returns everything as of now, for a backup. Inquiries can still be stored while it is read.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rows(&self) -> Result<RowSource, Unavailable> {
        Ok(RowSource::View(self.view(true, Ok).await?, None))
    }

    /// Checks every record as of now, without a time limit.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let view = self.view(true, Ok).await?;
        let checking = spawn_blocking(move || check(&*view));
        checking.await.map_err(|_| Unavailable)
    }

    /// Records when a backup was made.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        self.note(&[(facts::BACKUP, Some(made_at))]).await
    }

    /// Resumes clock-driven steps for inquiries from before the store was restored.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        self.note(&[(facts::SUSPENDED, None)]).await
    }

    /// Trusts the current clock, whatever was recorded before.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn believe_clock(&self) -> Result<(), Unavailable> {
        self.note_clock(Reckoning::believing(self.now())).await
    }

    /// Records the state of the clock.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_clock(&self, clock: Reckoning) -> Result<(), Unavailable> {
        self.note(&clock_facts(clock)).await
    }

    /// Records a judgement of the clock based on `read`, unless that has changed in the meantime.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_judgement(&self, read: Reckoning, judged: Reckoning) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_judgement(read, judged)).await
    }

    async fn note(&self, facts: &[(&'static str, Option<Timestamp>)]) -> Result<(), Unavailable> {
        let facts = facts.to_vec();
        self.write(move |tx| {
            tx.note_facts(&facts);
            Ok(())
        })
        .await
    }

    /// Returns the facts about the store.
    ///
    /// # Errors
    /// While it cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|view| Ok(Facts::of(&reads::facts(view)?))).await
    }

    /// Returns a fact as a time.
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

    /// Sets or removes facts.
    pub fn note_facts(&mut self, noted: &[(impl AsRef<str>, Option<Timestamp>)]) {
        for (name, time) in noted {
            self.note(name.as_ref(), time.map(millis));
            self.effects.has_due |= name.as_ref() != facts::HEALTH;
        }
    }

    /// Records a judgement of the clock based on `read`, unless that has changed since: an operator's decision must not be undone
    /// by an older judgement.
    ///
    /// # Errors
    /// When the facts cannot be read.
    pub fn note_judgement(&mut self, read: Reckoning, judged: Reckoning) -> Result<(), EngineError> {
        let known = reads::fact(self, facts::CLOCK)?;
        let doubted_since = reads::fact(self, facts::CLOCK_DOUBTED)?;
        if (known, doubted_since) == (read.known.map(millis), read.doubted_since.map(millis)) {
            self.note_facts(&clock_facts(judged));
        }
        Ok(())
    }
}

/// The facts that hold the state of the clock.
fn clock_facts(clock: Reckoning) -> [(&'static str, Option<Timestamp>); 2] {
    [
        (facts::CLOCK, clock.known),
        (facts::CLOCK_DOUBTED, clock.doubted_since),
    ]
}
