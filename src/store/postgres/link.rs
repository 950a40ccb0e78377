//! A connection driven by the thread that waits for it, with a deadline for each step.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use super::connector::{Connector, reason};
use crate::base::text::mail_address::one_line;
use crate::store::map::{EngineError, EntryKind, Key, Span, Value};

/// Deadline of a step: short enough that writing resumes soon after a standby is promoted, even if the old primary hangs.
pub const STEP: Duration = Duration::from_secs(2);

/// Deadline of a step that blocks no other caller: in an export, a backup or a copy.
pub const LONG_STEP: Duration = Duration::from_mins(1);

/// A parameter of a statement. Statements are not prepared, so that they work through pgbouncer.
pub type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// Whether another transaction has held a lock for too long.
pub fn is_busy(error: &Error) -> bool {
    error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
}

/// Classifies an error. Another connection may help if this one is lost, if the server is starting, stopping or now a standby, or
/// if another transaction was in the way.
fn explain(error: &Error) -> EngineError {
    let text = one_line(&reason(error));
    let is_lost = error.code().is_none_or(|code| {
        let class = code.code().get(..2).unwrap_or_default();
        matches!(class, "08" | "40" | "57")
            || [
                SqlState::LOCK_NOT_AVAILABLE,
                SqlState::READ_ONLY_SQL_TRANSACTION,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                SqlState::TOO_MANY_CONNECTIONS,
            ]
            .contains(code)
    });
    if is_lost {
        EngineError::Lost(text)
    } else {
        EngineError::Failed(text)
    }
}

/// The error of a step that got no answer in time.
pub fn silent() -> EngineError {
    let text = "the database does not answer in time; check its load and its locks";
    EngineError::Lost(text.to_owned())
}

/// A connection with its runtime.
pub struct Link {
    client: Client,
    host: usize,
    /// `None` once dropped.
    runtime: Option<Runtime>,
}

impl Link {
    /// Connects to the host that accepts writes.
    pub fn open(connector: &Connector) -> Result<Self, EngineError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EngineError::Failed(error.to_string()))?;
        let connected = runtime.block_on(connector.connect());
        let (client, host) = connected.map_err(|error| EngineError::Lost(error.to_string()))?;
        Ok(Self {
            client,
            host,
            runtime: Some(runtime),
        })
    }

    /// The client that sends statements.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Makes the next connection try another host first if this one was lost.
    pub fn blame(&self, error: &EngineError, connector: &Connector) {
        if matches!(error, EngineError::Lost(_)) {
            connector.deprioritize_host(self.host);
        }
    }

    /// Waits for a step within a deadline, since a hanging server sends nothing at all.
    pub fn wait<T>(
        &self,
        time: Duration,
        step: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, EngineError> {
        let runtime = self.runtime.as_ref().ok_or_else(silent)?;
        let waited = runtime.block_on(async { timeout(time, Box::pin(step)).await });
        waited.map_or_else(|_| Err(silent()), |done| done.map_err(|error| explain(&error)))
    }

    /// Runs statements without parameters.
    pub fn execute(&self, time: Duration, statements: &str) -> Result<(), EngineError> {
        self.wait(time, self.client().batch_execute(statements))
    }

    /// Reads the value of a key.
    pub fn get(&self, kind: EntryKind, key: &[u8], time: Duration) -> Result<Option<Value>, EngineError> {
        let keys = [key];
        let parameters: [Parameter<'_>; 1] = [(&&keys[..], Type::BYTEA_ARRAY)];
        let found = self.read(time, &find(kind), &parameters)?.pop();
        Ok(found.map(|(_, value)| value))
    }

    /// Reads the first entries of a span.
    pub fn page(&self, span: &Span, limit: usize, time: Duration) -> Result<Vec<(Key, Value)>, EngineError> {
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
        self.read(time, &find, &parameters)
    }

    fn read(
        &self,
        time: Duration,
        statement: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<(Key, Value)>, EngineError> {
        self.wait(time, async {
            entries(&self.client().query_typed(statement, parameters).await?)
        })
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Permitted in asynchronous code, unlike dropping a runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The statement that finds the entries of keys.
pub fn find(kind: EntryKind) -> String {
    format!("SELECT k, v FROM {} WHERE k = ANY($1)", kind.name())
}

/// Decodes the first two columns of rows as entries.
pub fn entries(rows: &[Row]) -> Result<Vec<(Key, Value)>, Error> {
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}
