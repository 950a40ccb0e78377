//! A database that a store is copied to.

use tokio::sync::mpsc::Receiver;

use super::error::TransferError;
use super::read;
use super::write::{CONFIRMATIONS, Writer};
use crate::store::postgres::error::Error;
use crate::store::postgres::{Connection, Connector, OpenError, migrations};
use crate::store::transfer::{Batch, Rows};

/// Every table whose rows are copied.
const TABLES: &str = "inquiries, referrals, keys, asks, confirmations, counts, subscriptions, ledger, closings, photos, erased, secrets";

/// How long an instance must not have written to count as gone. An idle one writes once a minute, and a slow step of it may take a
/// while.
const UNSEEN: &str = "3 minutes";

/// A database without inquiries, in a transaction that others wait for.
pub struct Target {
    connection: Connection,
}

/// A database in a transaction that has written everything.
pub struct Written {
    connection: Connection,
}

impl Target {
    /// Takes a database to copy to, which from now on says that a copy into it is not finished; creates its tables. Two copies at
    /// once take turns, and the second finds it in use or full.
    ///
    /// # Errors
    /// When it is in use, or has inquiries.
    pub async fn begin(connector: &Connector) -> Result<Self, TransferError> {
        let connection = connector.connect().await.map_err(OpenError::from)?;
        let client = &connection.client;
        match migrations::migrate(client).await {
            // It starts over.
            Err(Error::Unusable(reason)) if matches!(*reason, OpenError::Copying) => {}
            migrated => migrated?,
        }
        // Nobody else names statements; what a pooler has kept of an earlier copy would be in the way.
        client.batch_execute("BEGIN; DEALLOCATE ALL").await?;
        lock(client).await?;
        client
            .batch_execute(
                "INSERT INTO meta (name, value) VALUES ('copying', 1) ON CONFLICT (name) DO NOTHING; COMMIT",
            )
            .await?;
        Self::open(connection).await
    }

    /// Takes a database to restore to, which is as it was until everything is there; creates its tables.
    ///
    /// # Errors
    /// When it is in use, has inquiries, or a copy into it is not finished.
    pub async fn restoring(connector: &Connector) -> Result<Self, TransferError> {
        let connection = connector.connect().await.map_err(OpenError::from)?;
        migrations::migrate(&connection.client).await?;
        Self::open(connection).await
    }

    async fn open(connection: Connection) -> Result<Self, TransferError> {
        let client = &connection.client;
        client.batch_execute("BEGIN; DEALLOCATE ALL").await?;
        lock(client).await?;
        for table in TABLES.split(", ") {
            client.batch_execute(&format!("DELETE FROM {table}")).await?;
        }
        client
            .batch_execute("DELETE FROM meta WHERE name IN ('backup', 'held', 'clock', 'clock_doubted') OR name LIKE 'paused:%' OR name LIKE 'unreachable:%'")
            .await?;
        client.batch_execute(CONFIRMATIONS).await?;
        Ok(Self { connection })
    }

    /// Writes all rows that come; they count once [`Written::finish`] was called.
    ///
    /// # Errors
    /// When the database is as it was.
    pub async fn write(self, mut rows: Receiver<Batch>) -> Result<Written, TransferError> {
        let mut writer = Writer::new(&self.connection.client);
        while let Some(batch) = rows.recv().await {
            for row in &batch {
                writer.write(row).await?;
            }
        }
        writer.finish().await?;
        Ok(Written {
            connection: self.connection,
        })
    }
}

impl Written {
    /// Reads back what was written.
    ///
    /// # Errors
    /// When that is not possible.
    pub async fn read(&self, rows: &mut Rows) -> Result<(), TransferError> {
        read::all(&self.connection.client, rows, None).await?;
        Ok(())
    }

    /// Declares it whole.
    ///
    /// # Errors
    /// When nothing was written, unless the connection was lost in this step.
    pub async fn finish(self) -> Result<(), TransferError> {
        let client = &self.connection.client;
        client
            .batch_execute("DELETE FROM meta WHERE name = 'copying'; COMMIT")
            .await?;
        // So that the first queries find good plans.
        let _ = client.batch_execute(&format!("ANALYZE {TABLES}")).await;
        Ok(())
    }
}

/// Keeps all others from writing until the transaction ends, and makes sure that there is nothing to lose.
async fn lock(client: &tokio_postgres::Client) -> Result<(), TransferError> {
    client
        .batch_execute(&format!("LOCK TABLE {TABLES}, meta IN EXCLUSIVE MODE"))
        .await?;
    let find = format!(
        "SELECT greatest((SELECT count(*) FROM inquiries), (SELECT count(*) FROM referrals), \
         (SELECT count(*) FROM subscriptions), (SELECT count(*) FROM ledger)), \
         EXISTS (SELECT FROM writers WHERE seen_at > now() - interval '{UNSEEN}')"
    );
    let found = client.query_typed(&find, &[]).await?;
    let Some(found) = found.first() else { return Ok(()) };
    let count: i64 = found.try_get(0)?;
    if count > 0 {
        return Err(TransferError::NotEmpty(count));
    }
    if found.try_get(1)? {
        return Err(TransferError::InUse);
    }
    Ok(())
}
