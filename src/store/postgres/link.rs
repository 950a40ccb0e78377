//! A connection that is driven by whoever waits for it, with a deadline for each step.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::connector::{Connection, Connector, reason};
use crate::base::text::one_line::one_line;
use crate::store::map::{EngineError, Key, Kind, Span, Value};

/// How long one step may take. A server that hangs is left by then, so that writing goes on soon after a standby was promoted.
pub const STEP: Duration = Duration::from_secs(2);

/// How long a step may take that nobody else waits for: of an export, a backup or a copy.
pub const LONG_STEP: Duration = Duration::from_mins(1);

/// A parameter of a statement. Statements are not prepared, so that pgbouncer may stand between.
pub type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// Why a step has failed.
#[derive(Debug)]
pub enum StepError {
    /// There was no answer in time.
    Silent,
    /// The server refuses, or the connection was lost.
    Database(tokio_postgres::Error),
}

impl StepError {
    /// Returns whether another transaction has held a lock for too long.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
    }

    /// Returns whether another connection may help: this one is lost, the server ends, begins or has become a standby, or another
    /// transaction was in the way.
    fn is_lost(&self) -> bool {
        let Self::Database(error) = self else { return true };
        let Some(code) = error.code() else { return true };
        let class = code.code().get(..2).unwrap_or_default();
        matches!(class, "08" | "40" | "57")
            || [
                SqlState::LOCK_NOT_AVAILABLE,
                SqlState::READ_ONLY_SQL_TRANSACTION,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                SqlState::TOO_MANY_CONNECTIONS,
            ]
            .contains(code)
    }
}

impl From<tokio_postgres::Error> for StepError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StepError> for EngineError {
    fn from(error: StepError) -> Self {
        let text = match &error {
            StepError::Silent => {
                "the database does not answer in time; check its load and its locks".to_owned()
            }
            StepError::Database(error) => one_line(&reason(error)),
        };
        if error.is_lost() {
            Self::Lost(text)
        } else {
            Self::Failed(text)
        }
    }
}

/// A connection and what drives it.
pub struct Link {
    connection: Connection,
    /// `None` once it is dropped.
    runtime: Option<Runtime>,
}

impl Link {
    /// Connects to the host that accepts changes.
    pub fn open(connector: &Connector) -> Result<Self, EngineError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EngineError::Failed(error.to_string()))?;
        let connected = runtime.block_on(connector.connect());
        Ok(Self {
            connection: connected.map_err(|error| EngineError::Lost(error.to_string()))?,
            runtime: Some(runtime),
        })
    }

    /// Returns what sends statements.
    pub fn client(&self) -> &Client {
        &self.connection.client
    }

    /// Has the next connection begin with another host if this one was lost.
    pub fn blame(&self, error: &EngineError, connector: &Connector) {
        if matches!(error, EngineError::Lost(_)) {
            connector.deprioritize_host(&self.connection);
        }
    }

    /// Waits for a step, but not for ever: a server that hangs says nothing at all.
    pub fn wait<T, E: Into<StepError>>(
        &self,
        time: Duration,
        step: impl Future<Output = Result<T, E>>,
    ) -> Result<T, StepError> {
        let Some(runtime) = &self.runtime else {
            return Err(StepError::Silent);
        };
        let waited = runtime.block_on(async { timeout(time, Box::pin(step)).await });
        waited.map_or(Err(StepError::Silent), |done| done.map_err(Into::into))
    }

    /// Runs statements without parameters.
    pub fn execute(&self, time: Duration, statements: &str) -> Result<(), StepError> {
        self.wait(time, self.client().batch_execute(statements))
    }

    /// Reads the entry of a key.
    pub fn get(&self, kind: Kind, key: &[u8], time: Duration) -> Result<Option<Value>, StepError> {
        let keys = [key];
        let parameters: [Parameter<'_>; 1] = [(&&keys[..], Type::BYTEA_ARRAY)];
        let found = self.wait(time, self.client().query_typed(&find(kind), &parameters))?;
        Ok(entries(&found)?.pop().map(|(_, value)| value))
    }

    /// Counts the entries of a kind; of many, returns what the server's statistics have.
    pub fn count(&self, kind: Kind) -> Result<u64, StepError> {
        let table = kind.name();
        let count = format!(
            "SELECT CASE WHEN few < {COUNTED} THEN few ELSE greatest(few, (SELECT reltuples::bigint FROM pg_catalog.pg_class \
             WHERE oid = '{table}'::regclass)) END FROM (SELECT count(*) AS few FROM (SELECT FROM {table} LIMIT {COUNTED}) \
             AS counted) AS counted"
        );
        let found = self.wait(STEP, self.client().query_typed(&count, &[]))?;
        let row = found.first().ok_or(StepError::Silent)?;
        Ok(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default())
    }

    /// Reads the first entries of a span.
    pub fn page(&self, span: &Span, limit: usize, time: Duration) -> Result<Vec<(Key, Value)>, StepError> {
        let order = if span.is_reversed { "DESC" } else { "ASC" };
        let table = span.kind.name();
        let find = format!(
            "SELECT k, v FROM {table} WHERE k >= $1 AND ($2::bytea IS NULL OR k < $2) ORDER BY k {order} LIMIT $3"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let parameters: [Parameter<'_>; 3] = [
            (&span.from, Type::BYTEA),
            (&span.before, Type::BYTEA),
            (&limit, Type::INT8),
        ];
        let found = self.wait(time, self.client().query_typed(&find, &parameters))?;
        entries(&found)
    }
}

/// Entries of a kind up to which they are counted one by one.
const COUNTED: u32 = 100_000;

impl Drop for Link {
    fn drop(&mut self) {
        // Allowed in asynchronous code, too, where dropping a runtime is not.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Returns the statement that finds the entries of keys.
pub fn find(kind: Kind) -> String {
    format!("SELECT k, v FROM {} WHERE k = ANY($1)", kind.name())
}

/// Returns the entries in the first two columns of rows.
pub fn entries(rows: &[Row]) -> Result<Vec<(Key, Value)>, StepError> {
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}
