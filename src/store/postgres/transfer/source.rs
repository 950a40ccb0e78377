//! A database that is copied.

use tokio::sync::mpsc::Sender;

use super::error::TransferError;
use super::read;
use crate::store::postgres::error::Error;
use crate::store::postgres::{Connection, Connector, OpenError, migrations};
use crate::store::transfer::{Batch, Rows};

/// A database, as it was at one moment. Others go on writing.
pub struct Source {
    connection: Connection,
}

impl Source {
    /// Connects to a database.
    ///
    /// # Errors
    /// When it cannot be reached, or is not whole.
    pub async fn open(connector: &Connector) -> Result<Self, OpenError> {
        let connection = connector.connect().await?;
        let answer = connection.client.batch_execute(read::BEGIN).await;
        answer.map_err(|error| OpenError::Refused(error.to_string()))?;
        match migrations::schema(&connection.client).await {
            Ok(_) => Ok(Self { connection }),
            Err(Error::Unusable(reason)) => Err(*reason),
            Err(error) => Err(OpenError::Refused(error.to_string())),
        }
    }

    /// Reads everything, and hands it on.
    ///
    /// # Errors
    /// When it cannot be read, or nobody takes it.
    pub async fn read(&self, rows: &mut Rows, sender: &Sender<Batch>) -> Result<(), TransferError> {
        let is_taken = read::all(&self.connection.client, rows, Some(sender)).await?;
        is_taken.then_some(()).ok_or(TransferError::GivenUp)
    }
}
