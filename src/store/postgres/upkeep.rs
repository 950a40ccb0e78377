//! Checking, and what the database says of its backups and of the time.

use jiff::Timestamp;

use super::writer::NoteFact;
use super::{Postgres, check, queries};
use crate::store::error::Unavailable;
use crate::store::facts::Facts;
use crate::store::findings::Findings;
use crate::store::reckoning::Reckoning;

impl Postgres {
    /// Returns whether an inquiry could be stored now.
    pub async fn check_writable(&self) -> bool {
        if let Some(known) = self.health.known() {
            return known;
        }
        let _turn = self.checking.lock().await;
        if let Some(known) = self.health.known() {
            return known;
        }
        let (name, value) = ("health", Some(self.now().as_millisecond()));
        let is_writable = self.writer.apply(NoteFact { name, value }).await.is_ok();
        if !is_writable {
            self.health.set_unwritable();
        }
        is_writable
    }

    /// Reads every record as it is now.
    ///
    /// # Errors
    /// When the database cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let sessions = self.sessions.clone();
        let checked = self
            .engine
            .run(async move { check::check(&sessions).await })
            .await?;
        checked.map_err(|error| error.logged())
    }

    /// Notes when a backup was made.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        let (name, value) = ("backup", Some(made_at.as_millisecond()));
        self.writer.apply(NoteFact { name, value }).await
    }

    /// Lets the clock go on for inquiries that were there when the database was restored.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        let (name, value) = ("held", None);
        self.writer.apply(NoteFact { name, value }).await
    }

    /// Notes what is known of the time.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn note_clock(&self, clock: Reckoning) -> Result<(), Unavailable> {
        for (name, time) in [("clock", clock.known), ("clock_doubted", clock.doubted_since)] {
            let value = time.map(Timestamp::as_millisecond);
            self.writer.apply(NoteFact { name, value }).await?;
        }
        Ok(())
    }

    /// Returns what the database says of its backups and of the time.
    ///
    /// # Errors
    /// While it cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|client| Box::pin(queries::facts(client))).await
    }
}
