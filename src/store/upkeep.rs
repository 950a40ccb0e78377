//! Backups, checks, the clock, and whether the store can be written.

use jiff::Timestamp;
use tokio::time::timeout;

use super::deadline::{DEADLINE, in_time};
use super::error::Unavailable;
use super::facts::Facts;
use super::findings::Findings;
use super::reckoning::Reckoning;
use super::{BackupError, Image, Store, database_backup};

impl Store {
    /// Returns whether an inquiry could be stored now. The answer comes from a commit of the last seconds if there was
    /// one and no write has failed since, else from a small durable write.
    pub async fn check_writable(&self) -> bool {
        let checked = match self {
            Self::Redb(store) => timeout(DEADLINE, store.check_writable()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.check_writable()).await,
        };
        checked.unwrap_or(false)
    }

    /// Copies everything as it is now, for a backup. Inquiries are stored meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read, or there is no room for the copy.
    pub async fn image(&self) -> Result<Image, BackupError> {
        match self {
            Self::Redb(store) => store.image().await,
            Self::Postgres(store) => database_backup::image(store.connector()).await,
        }
    }

    /// Reads every record as it is now, however long that takes.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        match self {
            Self::Redb(store) => store.check().await,
            Self::Postgres(store) => store.check().await,
        }
    }

    /// Notes when a backup was made.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.note_backup(made_at).await,
                Self::Postgres(store) => store.note_backup(made_at).await,
            }
        })
        .await
    }

    /// Lets the clock go on for inquiries that were there when the store was restored from a backup.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.go_on().await,
                Self::Postgres(store) => store.go_on().await,
            }
        })
        .await
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
        in_time(async {
            match self {
                Self::Redb(store) => store.note_clock(clock).await,
                Self::Postgres(store) => store.note_clock(clock).await,
            }
        })
        .await
    }

    /// Returns what the store says of its backups, and of the time.
    ///
    /// # Errors
    /// While it cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.facts().await,
                Self::Postgres(store) => store.facts().await,
            }
        })
        .await
    }
}
