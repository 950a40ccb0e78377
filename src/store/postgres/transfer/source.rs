//! A database that is copied.

use super::error::TransferError;
use super::read;
use crate::store::postgres::{Connection, Connector, OpenError};
use crate::store::transfer::Rows;

/// A database, as it was at one moment. Others go on writing.
pub struct Source {
    connection: Connection,
}

impl Source {
    /// Connects to a database.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn open(connector: &Connector) -> Result<Self, OpenError> {
        let connection = connector.connect().await?;
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        let answer = connection.client.batch_execute(begin).await;
        answer.map_err(|error| OpenError::Refused(error.to_string()))?;
        Ok(Self { connection })
    }

    /// Reads everything.
    ///
    /// # Errors
    /// When it cannot be read, or nobody takes it.
    pub async fn read(&self, rows: &mut Rows) -> Result<(), TransferError> {
        read::all(&self.connection.client, rows).await
    }
}
