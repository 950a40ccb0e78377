//! The engine for several machines: a PostgreSQL database, which any number of instances share. No other module knows
//! tokio-postgres.

mod binding;
pub mod connector;
mod open_error;
mod password;
pub mod settings;
pub mod shared;
mod snapshot;
mod tls;
mod url;

pub use connector::{ConnectError, Connection, Connector};
pub use open_error::OpenError;
pub use settings::{Settings, SettingsError};
pub use snapshot::Snapshot;
pub use tls::TlsError;
pub use url::{NAME, is_address, without_password};

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::activity::Activity;
use super::claimed::{Claim, Claimed};
use super::clock::Clock;
use super::counts::DayCounts;
use super::erasure::Erasure;
use super::error::{EraseError, InsertError, Unavailable, UpdateError};
use super::facts::Facts;
use super::findings::Findings;
use super::idempotency_key::IdempotencyKey;
use super::inserted::Inserted;
use super::redb::backup::{BackupError, Image};
use super::stream::Subscriptions;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::newsletter::Subscription;
use crate::referral::{Change, DeliveryId, Dossier, Lane, NewReferral, Outcome, Plan, Secret};

/// A database of inquiries.
#[derive(Debug)]
pub struct Postgres {
    connector: Connector,
    activity: Activity,
    secret: Secret,
}

impl Postgres {
    /// Opens the store for a server, which goes on while the database cannot be reached.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Self, OpenError> {
        Self::connect_now(connector).await
    }

    /// Opens the store for a command.
    ///
    /// # Errors
    /// When the database cannot be reached or used.
    pub async fn connect_now(connector: Connector) -> Result<Self, OpenError> {
        Self::connect_with_clock(connector, None).await
    }

    /// Opens the store with a clock of the caller's in place of the database's.
    ///
    /// # Errors
    /// As for [`Self::connect_now`].
    pub async fn connect_with_clock(connector: Connector, _clock: Option<Clock>) -> Result<Self, OpenError> {
        drop(connector.connect().await?);
        Ok(Self {
            connector,
            activity: Activity::default(),
            secret: Secret::new([0; 32]),
        })
    }

    /// Returns what opens connections to the database.
    pub fn connector(&self) -> &Connector {
        &self.connector
    }

    pub fn log_warnings(&self) {}
    pub async fn insert(
        &self,
        _: NewInquiry,
        _: NewReferral,
        _: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        Err(InsertError::Unavailable)
    }
    pub async fn replay(&self, _: &IdempotencyKey, _: &NewInquiry) -> Result<Option<Inquiry>, InsertError> {
        Err(InsertError::Unavailable)
    }
    pub fn follow(&self, _: Arc<Plan>) -> Result<(), Unavailable> {
        Err(Unavailable)
    }
    pub async fn dossier(&self, _: Uuid) -> Result<Option<Dossier>, Unavailable> {
        Err(Unavailable)
    }
    pub async fn update(&self, _: Uuid, _: Change) -> Result<Dossier, UpdateError> {
        Err(UpdateError::Unavailable)
    }
    pub async fn claim(&self, _: Lane, _: usize) -> Result<Claimed, Unavailable> {
        Err(Unavailable)
    }
    pub async fn settle(&self, _: &Claim, _: Outcome) -> Result<(), Unavailable> {
        Err(Unavailable)
    }
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        Err(Unavailable)
    }
    pub async fn has_due(&self) {}
    pub async fn count(&self, _: Date, _: DayCounts) -> Result<(), Unavailable> {
        Err(Unavailable)
    }
    pub async fn counts(&self, _: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        Err(Unavailable)
    }
    pub async fn subscribe(&self, _: String) -> Result<bool, Unavailable> {
        Err(Unavailable)
    }
    pub async fn confirm_subscription(&self, _: [u8; 16], _: Timestamp) -> Result<bool, Unavailable> {
        Err(Unavailable)
    }
    pub async fn retry_subscription(&self, _: DeliveryId) -> Result<bool, Unavailable> {
        Err(Unavailable)
    }
    pub async fn unsubscribe(&self, _: [u8; 16]) -> Result<bool, Unavailable> {
        Err(Unavailable)
    }
    pub async fn subscription(&self, _: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        Err(Unavailable)
    }
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        Err(Unavailable)
    }
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        self.secret.address_key(b"newsletter", email)
    }
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        Err(Unavailable)
    }
    pub fn secret(&self) -> &Secret {
        &self.secret
    }
    pub fn activity(&self) -> &Activity {
        &self.activity
    }
    pub async fn check_writable(&self) -> bool {
        false
    }
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        Err(Unavailable)
    }
    pub async fn image(&self) -> Result<Image, BackupError> {
        Err(BackupError::Copy(String::new()))
    }
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        Err(Unavailable)
    }
    pub async fn note_backup(&self, _: Timestamp) -> Result<(), Unavailable> {
        Err(Unavailable)
    }
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        Err(Unavailable)
    }
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        Err(Unavailable)
    }
    pub async fn erase(&self, _: Erasure) -> Result<u64, EraseError> {
        Err(EraseError::Unavailable)
    }
    pub async fn close(&self, _: Duration) -> bool {
        true
    }
}
