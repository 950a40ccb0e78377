//! Copying, checking, and what the file says of its backups and of the time.

use std::env;
use std::time::Instant;

use jiff::Timestamp;
use redb::ReadableDatabase;

use super::backup::{BackupError, Image};
use super::schema::{self, BACKUP, CLOCK, DOUBTED, HELD, millis};
use super::writer::NoteFact;
use super::{Redb, check};
use crate::one_line::one_line;
use crate::store::error::Unavailable;
use crate::store::facts::Facts;
use crate::store::findings::Findings;
use crate::store::reckoning::Reckoning;

impl Redb {
    /// Copies everything as it is now. Inquiries are stored meanwhile.
    ///
    /// # Errors
    /// When the file cannot be read, or there is no room for the copy.
    pub async fn image(&self) -> Result<Image, BackupError> {
        let unreadable = || BackupError::Copy("the store cannot be read now".to_owned());
        let opened = self.read(|handle| Ok((handle.begin_read()?, handle.keep_open())));
        let (file, keep_open) = opened.await.map_err(|Unavailable| unreadable())?;
        let (directory, now) = (self.data_dir.clone(), (self.clock)());
        let copying = tokio::task::spawn_blocking(move || {
            let started = Instant::now();
            // A disk that is full must not keep its inquiries from being saved to another.
            let copied = Image::copy(&file, &directory, now)
                .or_else(|error| Image::copy(&file, &env::temp_dir(), now).map_err(|_| error));
            // Closed before the file that it is read from.
            drop(file);
            drop(keep_open);
            tracing::debug!(took = ?started.elapsed(), "copied for a backup");
            copied.map_err(|error| BackupError::Copy(one_line(&error.to_string())))
        });
        copying.await.unwrap_or_else(|_| Err(unreadable()))
    }

    /// Reads every record as it is now.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let opened = self.read(|handle| Ok((handle.begin_read()?, handle.keep_open())));
        let (file, keep_open) = opened.await?;
        let checking = tokio::task::spawn_blocking(move || {
            let findings = check::records(&file);
            // As above.
            drop(file);
            drop(keep_open);
            findings
        });
        checking.await.map_err(|_| Unavailable)
    }

    /// Notes when a backup was made.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        let (name, value) = (BACKUP, Some(millis(made_at)));
        self.writer.apply(NoteFact { name, value }).await
    }

    /// Lets the clock go on for inquiries that were there when the file was restored.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        let (name, value) = (HELD, None);
        self.writer.apply(NoteFact { name, value }).await
    }

    /// Notes what is known of the time.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn note_clock(&self, clock: Reckoning) -> Result<(), Unavailable> {
        for (name, time) in [(CLOCK, clock.known), (DOUBTED, clock.doubted_since)] {
            let value = time.map(millis);
            self.writer.apply(NoteFact { name, value }).await?;
        }
        Ok(())
    }

    /// Returns what the file says of its backups and of the time.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|handle| {
            let file = handle.begin_read()?;
            Ok(Facts {
                backed_up_at: schema::time(&file, BACKUP)?,
                held_since: schema::time(&file, HELD)?,
                clock: Reckoning {
                    known: schema::time(&file, CLOCK)?,
                    doubted_since: schema::time(&file, DOUBTED)?,
                },
            })
        })
        .await
    }
}
