//! What instances share beside inquiries: certificates, and challenges under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::connector::{Connection, Connector, reason};
use crate::store::error::Unavailable;

/// How long a query may take. Its callers can go on without an answer.
const TIME: Duration = Duration::from_secs(2);

/// How long nothing is asked after a failure, so that visitors need not wait for each of their requests anew.
const PAUSE: Duration = Duration::from_millis(500);

type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// A connection of its own for what instances share. Clones use the same one.
#[derive(Debug, Clone)]
pub struct Shared(Arc<Link>);

#[derive(Debug)]
struct Link {
    connector: Connector,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    connection: Option<Arc<Connection>>,
    failed_at: Option<Instant>,
}

impl Shared {
    /// Connects when something is asked for.
    pub fn new(connector: Connector) -> Self {
        Self(Arc::new(Link {
            connector,
            state: Mutex::default(),
        }))
    }

    /// Reads what is kept by a name; `None` if nothing is.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Unavailable> {
        let rows = self
            .query("SELECT content FROM acme WHERE name = $1", &[(&name, Type::TEXT)])
            .await;
        match rows?.first() {
            Some(row) => row.try_get(0).map(Some).map_err(|_| Unavailable),
            None => Ok(None),
        }
    }

    /// Keeps something by a name, in the place of what was kept.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn write(&self, name: &str, content: &[u8]) -> Result<(), Unavailable> {
        let written = self
            .query(
                "INSERT INTO acme (name, content, changed_at) VALUES ($1, $2, now())
             ON CONFLICT (name) DO UPDATE SET content = excluded.content, changed_at = now()",
                &[(&name, Type::TEXT), (&content, Type::BYTEA)],
            )
            .await;
        written.map(drop)
    }

    /// Forgets what is kept by a name.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn remove(&self, name: &str) -> Result<(), Unavailable> {
        let removed = self
            .query("DELETE FROM acme WHERE name = $1", &[(&name, Type::TEXT)])
            .await;
        removed.map(drop)
    }

    /// Takes a lease of a name, or takes its own one anew; returns whether nobody else has it. It ends by itself after a time.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn lease(&self, name: &str, holder: &[u8], time: Duration) -> Result<bool, Unavailable> {
        let seconds = time.as_secs_f64();
        let rows = self
            .query(
                "INSERT INTO acme AS a (name, content, changed_at) VALUES ($1, $2, now())
             ON CONFLICT (name) DO UPDATE SET content = excluded.content, changed_at = now()
             WHERE a.content = excluded.content OR a.changed_at < now() - make_interval(secs => $3)
             RETURNING 1",
                &[
                    (&name, Type::TEXT),
                    (&holder, Type::BYTEA),
                    (&seconds, Type::FLOAT8),
                ],
            )
            .await;
        Ok(!rows?.is_empty())
    }

    /// Gives a lease back.
    ///
    /// # Errors
    /// While the database does not answer; the lease then ends by itself.
    pub async fn end_lease(&self, name: &str, holder: &[u8]) -> Result<(), Unavailable> {
        let ended = self
            .query(
                "DELETE FROM acme WHERE name = $1 AND content = $2",
                &[(&name, Type::TEXT), (&holder, Type::BYTEA)],
            )
            .await;
        ended.map(drop)
    }

    /// Has every instance answer a challenge for some time.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn publish_challenge(
        &self,
        token: &str,
        response: &str,
        time: Duration,
    ) -> Result<(), Unavailable> {
        let seconds = time.as_secs_f64();
        let published = self.query(
            "WITH past AS (DELETE FROM acme_challenges WHERE expires_at <= now() AND token <> $1)
             INSERT INTO acme_challenges (token, response, expires_at)
             VALUES ($1, $2, now() + make_interval(secs => $3))
             ON CONFLICT (token) DO UPDATE SET response = excluded.response, expires_at = excluded.expires_at",
            &[
                (&token, Type::TEXT),
                (&response, Type::TEXT),
                (&seconds, Type::FLOAT8),
            ],
        ).await;
        published.map(drop)
    }

    /// Returns the challenges that are to be answered now, token and response.
    ///
    /// # Errors
    /// While the database does not answer.
    pub async fn challenges(&self) -> Result<Vec<(String, String)>, Unavailable> {
        let rows = self
            .query(
                "SELECT token, response FROM acme_challenges WHERE expires_at > now()",
                &[],
            )
            .await;
        let read = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
        let challenges: Result<_, tokio_postgres::Error> = rows?.iter().map(read).collect();
        challenges.map_err(|_| Unavailable)
    }

    async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Unavailable> {
        let mut used = None;
        let asked = async {
            let connection = used.insert(self.connection().await?);
            let rows = connection.client.query_typed(sql, parameters).await;
            rows.map_err(|error| tracing::debug!("the database refuses: {}", reason(&error)))
                .map_err(|()| Unavailable)
        };
        let rows = timeout(TIME, asked).await.unwrap_or(Err(Unavailable));
        if rows.is_err() {
            let mut state = self.0.state.lock().await;
            // Others that wait for it hear of it, too, and the next one connects again; unless somebody has already done so.
            let is_used =
                |known: &mut Arc<Connection>| used.as_ref().is_some_and(|used| Arc::ptr_eq(used, known));
            if let Some(connection) = state.connection.take_if(is_used) {
                self.0.connector.deprioritize_host(&connection);
                state.failed_at = Some(Instant::now());
            }
        }
        rows
    }

    async fn connection(&self) -> Result<Arc<Connection>, Unavailable> {
        let mut state = self.0.state.lock().await;
        if let Some(connection) = &state.connection
            && !connection.client.is_closed()
        {
            return Ok(Arc::clone(connection));
        }
        if state.failed_at.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(Unavailable);
        }
        // Noted ahead, because the caller may drop this future before it is done.
        state.failed_at = Some(Instant::now() + TIME);
        let connected = self.0.connector.connect().await;
        state.failed_at = Some(Instant::now());
        let connection = Arc::new(connected.map_err(|_| Unavailable)?);
        state.connection = Some(Arc::clone(&connection));
        state.failed_at = None;
        Ok(connection)
    }
}
