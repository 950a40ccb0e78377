//! Short reads, which share a connection.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::connector::Connection;
use super::error::{Error, Remedy};
use super::session::{STEP, Sessions};

/// For how long a failure to connect stands: those that wait for a connection do not try one after the other.
const AWAY: Duration = Duration::from_millis(500);

/// Reads by a connection that all share: their queries are sent without waiting for the answers to others.
pub struct Reads {
    sessions: Sessions,
    slot: Mutex<Slot>,
}

#[derive(Default)]
struct Slot {
    connection: Option<Arc<Connection>>,
    failed_at: Option<Instant>,
}

impl Reads {
    /// Prepares reads. Nothing is opened yet.
    pub fn new(sessions: Sessions) -> Self {
        Self {
            sessions,
            slot: Mutex::default(),
        }
    }

    /// Reads; a second time by another connection if the first was lost.
    pub async fn read<T>(
        &self,
        read: impl for<'c> Fn(&'c Client) -> BoxFuture<'c, Result<T, Error>>,
    ) -> Result<T, Error> {
        let mut is_retaken = false;
        loop {
            let connection = self.connection().await?;
            let found = timeout(STEP, read(&connection.client)).await;
            let error = match found.unwrap_or(Err(Error::Silent)) {
                Ok(found) => return Ok(found),
                Err(error) => error,
            };
            if error.remedy() == Remedy::Reconnect {
                self.leave(&connection).await;
            }
            if is_retaken || error.remedy() == Remedy::None {
                return Err(error);
            }
            is_retaken = true;
        }
    }

    /// Closes the connection.
    pub async fn close(&self) {
        *self.slot.lock().await = Slot::default();
    }

    async fn connection(&self) -> Result<Arc<Connection>, Error> {
        let mut slot = self.slot.lock().await;
        if let Some(connection) = slot.connection.as_ref().filter(|known| !known.client.is_closed()) {
            return Ok(Arc::clone(connection));
        }
        if slot.failed_at.is_some_and(|at| at.elapsed() < AWAY) {
            return Err(Error::Silent);
        }
        match self.sessions.open().await {
            Ok(connection) => Ok(Arc::clone(slot.connection.insert(Arc::new(connection)))),
            Err(error) => {
                slot.failed_at = Some(Instant::now());
                Err(error)
            }
        }
    }

    async fn leave(&self, left: &Arc<Connection>) {
        let mut slot = self.slot.lock().await;
        if slot
            .connection
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, left))
        {
            self.sessions.connector().deprioritize_host(left);
            slot.connection = None;
        }
    }
}
