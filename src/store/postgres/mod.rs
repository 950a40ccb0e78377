//! The engine for several machines: a PostgreSQL database, which any number of instances share. No other module knows
//! tokio-postgres.

mod check;
mod commit;
pub mod connector;
mod erase;
mod error;
mod ledger;
mod load;
mod migrations;
mod open_error;
mod password;
mod photos;
mod queries;
mod reads;
mod save;
mod session;
pub mod settings;
pub mod shared;
mod snapshot;
mod time;
mod tls;
pub mod transfer;
mod url;
mod writer;
mod writers;

pub use connector::{Connection, Connector};
pub use open_error::{ConnectError, OpenError};
pub use settings::{Settings, SettingsError};
pub use snapshot::Snapshot;
pub use url::{NAME, is_address, without_password};

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use jiff::civil::Date;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio_postgres::Client;
use uuid::Uuid;

use super::core::{Id, KeyEntry, KeyName, PhotoKey};
use super::erasure::Erasure;
use super::error::{EraseError, Unavailable};
use super::facts::DayCounts;
use super::facts::Facts;
use super::facts::restored;
use super::findings::Findings;
use super::stream::Subscriptions;
use super::time::Clock;
use super::writer::{Context, Thread, Writer};
use super::{Engine, Store};
use crate::ledger::{Acceptance, Closing, Month};
use crate::matching::{FirmId, RequestHistory};
use crate::newsletter::Subscription;
use crate::photo::PhotoSize;
use crate::referral::{InquiryRecord, Secret};
use error::Error;
use reads::Reads;
use session::Sessions;
use time::Time;
use writer::{Parts, State};

/// How long a server waits for the database when it starts, before it goes on without.
const START: Duration = Duration::from_secs(5);

/// Hears whether the database was reached.
type Opened = oneshot::Receiver<Result<(), Error>>;

/// A database of inquiries, open for reading.
pub struct Postgres {
    thread: Thread,
    sessions: Sessions,
    reads: Arc<Reads>,
    /// In the place of the secret while no database was reached: no token is genuine.
    no_secret: Secret,
}

impl Postgres {
    /// Opens the store for a server, which goes on while the database cannot be reached.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Store, OpenError> {
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
    pub async fn connect_now(connector: Connector) -> Result<Store, OpenError> {
        Self::connect_with_clock(connector, None).await
    }

    /// Opens the store with a clock of the caller's in place of the database's.
    ///
    /// # Errors
    /// As for [`Self::connect_now`].
    pub async fn connect_with_clock(connector: Connector, clock: Option<Clock>) -> Result<Store, OpenError> {
        let (store, opened) = Self::start(connector, clock)?;
        match opened.await {
            Ok(Ok(())) => Ok(store),
            Ok(Err(Error::Unusable(error))) => Err(*error),
            Ok(Err(Error::Connect(error))) => Err(error.into()),
            Ok(Err(Error::Silent)) | Err(_) => Err(OpenError::Stalled),
            Ok(Err(error)) => Err(OpenError::Refused(error.to_string())),
        }
    }

    fn start(connector: Connector, clock: Option<Clock>) -> Result<(Store, Opened), OpenError> {
        let sessions = Sessions::new(connector, Time::new(clock));
        let context = Context::default();
        let reads = Arc::new(Reads::new(sessions.clone()));
        let state = State::new(Parts {
            sessions: sessions.clone(),
            context: context.clone(),
        });
        let (opened, has_opened) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().build();
        let closed = Arc::clone(&reads);
        let writer = Writer::start(runtime.map_err(OpenError::Thread)?, |requests| async move {
            state.run(requests, opened).await;
            closed.close().await;
        });
        let writer = writer.map_err(OpenError::Thread)?;
        let mut no_secret = [0; 32];
        getrandom::fill(&mut no_secret).map_err(|error| OpenError::Thread(error.into()))?;
        let engine = Self {
            thread: writer.thread(),
            sessions,
            reads,
            no_secret: Secret::new(no_secret),
        };
        Ok((Store::new(writer, context, Engine::Postgres(engine)), has_opened))
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

    /// Returns the time of the database.
    pub fn now(&self) -> Timestamp {
        self.sessions.time().now()
    }

    /// Returns what tokens follow from. While no database was reached, it is one of which no token is genuine.
    pub fn secret(&self) -> &Secret {
        self.sessions.secret().unwrap_or(&self.no_secret)
    }

    /// Returns what tokens follow from, once a database was reached.
    ///
    /// # Errors
    /// While it was not.
    pub async fn known_secret(&self) -> Result<&Secret, Unavailable> {
        if self.sessions.secret().is_none() {
            // Opening a connection finds it.
            self.read(|_| Box::pin(async { Ok(()) })).await?;
        }
        self.sessions.secret().ok_or(Unavailable)
    }

    /// Reads everything that is known of an inquiry.
    ///
    /// # Errors
    /// While the database cannot be read, as for all that read.
    pub async fn record(&self, id: Uuid) -> Result<Option<InquiryRecord>, Unavailable> {
        self.read(move |client| Box::pin(queries::record(client, id)))
            .await
    }

    /// Reads what is known of an idempotency key.
    pub async fn key(&self, name: KeyName) -> Result<Option<KeyEntry>, Unavailable> {
        self.read(move |client| Box::pin(load::find_key(client, name)))
            .await
    }

    /// Reads a subscription.
    pub async fn subscription(&self, key: Id) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |client| Box::pin(queries::subscription(client, key)))
            .await
    }

    /// Reads the counts of all days from one on.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |client| Box::pin(queries::counts(client, since)))
            .await
    }

    /// Reads what is remembered of each firm's asks.
    pub async fn asks(&self) -> Result<HashMap<FirmId, RequestHistory>, Unavailable> {
        self.read(|client| Box::pin(queries::asks(client))).await
    }

    /// Reads what the database says of its backups, of the time, of pauses and of reviews.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|client| Box::pin(queries::facts(client))).await
    }

    /// Reads the time that one fact says.
    pub async fn fact(&self, name: String) -> Result<Option<Timestamp>, Unavailable> {
        self.read(move |client| Box::pin(queries::fact(client, name.clone())))
            .await
    }

    /// Reads what the ledger has of an inquiry.
    pub async fn acceptances_of(&self, inquiry: Uuid) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(move |client| Box::pin(ledger::of_inquiry(client, inquiry)))
            .await
    }

    /// Reads the acceptances of a month.
    pub async fn acceptances_in(&self, month: Month) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(move |client| Box::pin(ledger::in_month(client, month)))
            .await
    }

    /// Reads a photo.
    pub async fn photo(&self, key: PhotoKey, size: PhotoSize) -> Result<Option<Vec<u8>>, Unavailable> {
        self.read(move |client| Box::pin(photos::find(client, key, size)))
            .await
    }

    /// Reads which months are closed.
    pub async fn closings(&self) -> Result<BTreeMap<Month, Closing>, Unavailable> {
        self.read(|client| Box::pin(ledger::closings(client))).await
    }

    /// Returns the inquiries as they are now.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        let sessions = self.sessions.clone();
        self.run(async move { Snapshot::open(&sessions).await }).await
    }

    /// Returns all subscriptions as they are now.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let sessions = self.sessions.clone();
        self.run(async move { snapshot::subscriptions(&sessions).await })
            .await
    }

    /// Reads every record as it is now.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let sessions = self.sessions.clone();
        self.run(async move { check::check(&sessions).await }).await
    }

    /// Erases inquiries for good.
    ///
    /// # Errors
    /// As for [`Store::erase`].
    pub async fn erase(&self, writer: &Writer, what: &Erasure) -> Result<u64, EraseError> {
        erase::erase(self, writer, what).await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let done = self.thread.run(work).await?;
        done.map_err(|error| error.logged())
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl for<'c> Fn(&'c Client) -> BoxFuture<'c, Result<T, Error>> + Send + Sync + 'static,
    ) -> Result<T, Unavailable> {
        let reads = Arc::clone(&self.reads);
        self.run(async move { reads.read(read).await }).await
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
