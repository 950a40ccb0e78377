//! Opening connections that are ready for use.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::connector::{Connection, Connector};
use super::error::Error;
use super::time::{self, Time};
use super::{migrations, queries};
use crate::referral::Secret;
use crate::store::error::Damaged;

/// How long one step may take: a batch, or a read. A server that hangs is left by then, so that writing goes on soon after
/// a standby was promoted.
pub const STEP: Duration = Duration::from_secs(2);

/// Begins a transaction. A server whose client hangs in its midst ends it, so that nobody waits for its locks for long.
pub const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '4s'";

/// How long it may take to make the database ready, a migration by another instance included.
const READY: Duration = Duration::from_mins(1);

/// Opens connections, and knows what all of them share.
#[derive(Clone)]
pub struct Sessions {
    connector: Connector,
    time: Time,
    secret: Arc<OnceLock<Secret>>,
    held_since: Arc<OnceLock<Timestamp>>,
}

impl Sessions {
    /// Prepares connections. Nothing is opened yet.
    pub fn new(connector: Connector, time: Time) -> Self {
        Self {
            connector,
            time,
            secret: Arc::default(),
            held_since: Arc::default(),
        }
    }

    /// Returns what connects.
    pub fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Returns what tells the time.
    pub fn time(&self) -> &Time {
        &self.time
    }

    /// Returns what tokens follow from, once a database was reached.
    pub fn secret(&self) -> Option<&Secret> {
        self.secret.get()
    }

    /// Returns when the database was restored from a backup, if what was due then was held when it was reached first.
    pub fn held_since(&self) -> Option<Timestamp> {
        self.held_since.get().copied()
    }

    /// Opens a connection to a database of today's schema.
    pub async fn open(&self) -> Result<Connection, Error> {
        let connection = self.connector.connect().await?;
        let ready = timeout(READY, self.prepare(&connection)).await;
        match ready.unwrap_or(Err(Error::Silent)) {
            Ok(()) => Ok(connection),
            Err(error) => {
                self.connector.deprioritize_host(&connection);
                Err(error)
            }
        }
    }

    async fn prepare(&self, connection: &Connection) -> Result<(), Error> {
        let client = &connection.client;
        migrations::migrate(client).await?;
        if self.secret.get().is_none() {
            // Whoever was first has set the same one.
            let _ = self.secret.set(migrations::secret(client).await?);
            if let Some(at) = queries::facts(client).await?.held_since {
                let _ = self.held_since.set(at);
            }
        }
        self.note_time(client).await
    }

    /// Finds out how far this machine's clock is from the database's.
    async fn note_time(&self, client: &Client) -> Result<(), Error> {
        let rows = client.query_typed(time::NOW, &[]).await?;
        let row = rows.first().ok_or(Damaged("the time cannot be read"))?;
        self.time.note(row.try_get::<_, Timestamp>(0)?);
        Ok(())
    }
}

/// Waits for a step, but not for ever: a server that hangs says nothing at all. What it was asked for is never cancelled.
pub async fn in_time<T>(step: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    timeout(STEP, step).await.unwrap_or(Err(Error::Silent))
}
