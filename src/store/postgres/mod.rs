//! The engine for several machines: a PostgreSQL database, which any number of instances share. No other module knows
//! tokio-postgres.

mod binding;
mod check;
pub mod connector;
mod deliveries;
mod engine;
mod erase;
mod error;
mod holds;
mod host;
mod leases;
mod migrations;
mod newsletter;
mod open_error;
mod parameters;
mod password;
mod queries;
mod reads;
mod session;
pub mod settings;
mod settings_error;
pub mod shared;
mod snapshot;
mod time;
mod tls;
mod tls_settings;
pub mod transfer;
mod upkeep;
mod url;
mod writer;
mod writers;

pub use connector::{ConnectError, Connection, Connector};
pub use open_error::OpenError;
pub use settings::Settings;
pub use settings_error::SettingsError;
pub use snapshot::Snapshot;
pub use tls::TlsError;
pub use url::{NAME, is_address, without_password};

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use jiff::civil::Date;
use tokio::sync::Notify;
use tokio_postgres::Client;
use uuid::Uuid;

use super::activity::Activity;
use super::clock::Clock;
use super::counts::DayCounts;
use super::erasure::Erasure;
use super::error::{EraseError, InsertError, Unavailable, UpdateError};
use super::health::Health;
use super::held::restored;
use super::idempotency_key::IdempotencyKey;
use super::insert::Insert;
use super::inserted::Inserted;
use super::keyed_request::KeyedRequest;
use super::update::Update;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::referral::{Change, Dossier, NewReferral, Plan, Secret};
use engine::Engine;
use error::Error;
use holds::Holds;
use reads::Reads;
use session::Sessions;
use time::Time;
use writer::{Count, InsertOnce, Parts, State, Writer};

/// How long a server waits for the database when it starts, before it goes on without.
const START: Duration = Duration::from_secs(5);

/// A database of inquiries.
pub struct Postgres {
    // Stopped before the thread is waited for.
    writer: Writer,
    engine: Engine,
    sessions: Sessions,
    reads: Arc<Reads>,
    health: Arc<Health>,
    activity: Arc<Activity>,
    holds: Holds,
    has_due: Arc<Notify>,
    /// In the place of the secret while no database was reached: no token is genuine.
    no_secret: Secret,
    /// Held while one caller writes to find out whether the database can be written; others wait for its answer.
    checking: tokio::sync::Mutex<()>,
}

impl Postgres {
    /// Opens the store for a server, which goes on while the database cannot be reached.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Self, OpenError> {
        let (store, opened) = Self::start(connector, None)?;
        match tokio::time::timeout(START, opened).await {
            Ok(Ok(Err(Error::Unusable(error)))) => Err(*error),
            Ok(Ok(Err(error @ Error::Database(_)))) if error.remedy() == error::Remedy::None => {
                Err(OpenError::Refused(error.to_string()))
            }
            Ok(Ok(Ok(()))) => Ok(store),
            Ok(Ok(Err(error))) => {
                tracing::error!(%error, "inquiries are refused until the database can be reached");
                Ok(store)
            }
            Ok(Err(_)) | Err(_) => {
                tracing::error!("inquiries are refused until the database answers");
                Ok(store)
            }
        }
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
    pub async fn connect_with_clock(connector: Connector, clock: Option<Clock>) -> Result<Self, OpenError> {
        let (store, opened) = Self::start(connector, clock)?;
        match opened.await {
            Ok(Ok(())) => Ok(store),
            Ok(Err(Error::Unusable(error))) => Err(*error),
            Ok(Err(Error::Connect(error))) => Err(error.into()),
            Ok(Err(Error::Silent)) | Err(_) => Err(OpenError::Stalled),
            Ok(Err(error)) => Err(OpenError::Refused(error.to_string())),
        }
    }

    fn start(
        connector: Connector,
        clock: Option<Clock>,
    ) -> Result<(Self, tokio::sync::oneshot::Receiver<Result<(), Error>>), OpenError> {
        let sessions = Sessions::new(connector, Time::new(clock));
        let (health, activity) = (Arc::new(Health::default()), Arc::new(Activity::default()));
        let (holds, has_due) = (Holds::default(), Arc::new(Notify::new()));
        let reads = Arc::new(Reads::new(sessions.clone()));
        let state = State::new(Parts {
            sessions: sessions.clone(),
            health: Arc::clone(&health),
            activity: Arc::clone(&activity),
            holds: holds.clone(),
            has_due: Arc::clone(&has_due),
        });
        let (writer, requests) = Writer::new();
        let (engine, opened) = Engine::start(state, requests, Arc::clone(&reads))?;
        let mut no_secret = [0; 32];
        getrandom::fill(&mut no_secret).map_err(|error| OpenError::Thread(error.into()))?;
        let store = Self {
            writer,
            engine,
            sessions,
            reads,
            health,
            activity,
            holds,
            has_due,
            no_secret: Secret::new(no_secret),
            checking: tokio::sync::Mutex::new(()),
        };
        Ok((store, opened))
    }

    /// Returns what opens connections to the database.
    pub fn connector(&self) -> &Connector {
        self.sessions.connector()
    }

    /// Logs what the operator should know of the database as it was found.
    pub fn log_warnings(&self) {
        if let Some(at) = self.sessions.held_since() {
            tracing::warn!("{}", restored(at));
        }
    }

    /// Stores an inquiry durably, or finds the one that its key stands for.
    ///
    /// # Errors
    /// As for [`super::Store::insert`].
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        let secret = self.known_secret().await?;
        let insert = Insert::new(inquiry, referral, key.as_ref(), secret)?;
        self.writer.apply(InsertOnce::new(insert)).await?
    }

    /// Returns the inquiry that a key stands for.
    ///
    /// # Errors
    /// As for [`super::Store::replay`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
        addition: &str,
    ) -> Result<Option<Inquiry>, InsertError> {
        let request = Arc::new((KeyedRequest::new(key, inquiry, addition), inquiry.clone()));
        let now = self.now();
        self.read(move |client| {
            let request = Arc::clone(&request);
            Box::pin(async move { queries::replay(client, &request.0, &request.1, now).await })
        })
        .await?
    }

    /// Handles inquiries by a plan from now on.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub fn follow(&self, plan: Arc<Plan>) -> Result<(), Unavailable> {
        self.writer.follow(plan)
    }

    /// Returns everything that is known of an inquiry.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn dossier(&self, id: Uuid) -> Result<Option<Dossier>, Unavailable> {
        self.read(move |client| Box::pin(queries::dossier(client, id)))
            .await
    }

    /// Changes a referral durably.
    ///
    /// # Errors
    /// As for [`super::Store::update`].
    pub async fn update(&self, id: Uuid, change: Change) -> Result<Dossier, UpdateError> {
        self.writer.apply(Update::new(id, change)).await?
    }

    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn count(&self, day: Date, counts: DayCounts) -> Result<(), Unavailable> {
        self.writer.apply(Count { day, counts }).await
    }

    /// Returns the counts of all days from one on.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |client| Box::pin(queries::counts(client, since)))
            .await
    }

    /// Returns what is remembered of each firm's asks.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        self.read(|client| Box::pin(queries::asks(client))).await
    }

    /// Returns the time of the database.
    pub fn now(&self) -> Timestamp {
        self.sessions.time().now()
    }

    /// Returns what tokens follow from. While no database was reached, it is one of which no token is genuine.
    pub fn secret(&self) -> &Secret {
        self.sessions.secret().unwrap_or(&self.no_secret)
    }

    /// Returns whether a database was reached, so that the secret is known.
    ///
    /// # Errors
    /// While it was not.
    pub async fn must_be_known(&self) -> Result<(), Unavailable> {
        self.known_secret().await.map(drop)
    }

    /// Returns what it has done so far.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Returns the inquiries as they are now.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        let sessions = self.sessions.clone();
        let opened = self
            .engine
            .run(async move { Snapshot::open(&sessions).await })
            .await?;
        opened.map_err(|error| error.logged())
    }

    /// Erases inquiries for good.
    ///
    /// # Errors
    /// As for [`super::Store::erase`].
    pub async fn erase(&self, what: Erasure) -> Result<u64, EraseError> {
        let sessions = self.sessions.clone();
        let erased = self
            .engine
            .run(async move { erase::erase(&sessions, &what).await })
            .await??;
        if erased > 0 {
            tracing::info!(count = erased, "inquiries were erased");
            // Firms may have to be told.
            self.has_due.notify_one();
        }
        Ok(erased)
    }

    /// Stores what was asked for before and closes all connections; returns whether that was done within the time.
    pub async fn close(&self, within: Duration) -> bool {
        self.writer.stop();
        let in_time = self.engine.ended(within).await;
        // The last commit says nothing about a closed store.
        self.health.forget();
        in_time
    }

    async fn known_secret(&self) -> Result<&Secret, Unavailable> {
        if self.sessions.secret().is_none() {
            // Opening a connection finds it.
            self.read(|_| Box::pin(async { Ok(()) })).await?;
        }
        self.sessions.secret().ok_or(Unavailable)
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl for<'c> Fn(&'c Client) -> BoxFuture<'c, Result<T, Error>> + Send + Sync + 'static,
    ) -> Result<T, Unavailable> {
        let reads = Arc::clone(&self.reads);
        let found = self.engine.run(async move { reads.read(read).await }).await?;
        found.map_err(|error| error.logged())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.writer.stop();
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
