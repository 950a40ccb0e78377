//! Connections to the database.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::{Client, Config, NoTls};

/// How long a host may take to let the program in.
const CONNECT: Duration = Duration::from_secs(2);

/// Why no host lets the program in, in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[error("cannot connect to the database: {0}; check --store and that the database runs")]
pub struct ConnectError(String);

/// Opens connections to the first host that takes them.
#[derive(Debug, Clone)]
pub struct Connector {
    config: Config,
}

/// An open connection. Dropping it closes it.
#[derive(Debug)]
pub struct Connection {
    /// What queries are sent with, from any thread.
    pub client: Client,
    driver: JoinHandle<()>,
}

impl Connector {
    /// Prepares connections to what a URL names.
    ///
    /// # Errors
    /// When it is not the URL of a database.
    pub fn parse(url: &str) -> Result<Self, ConnectError> {
        let config = url
            .parse()
            .map_err(|error: tokio_postgres::Error| ConnectError(error.to_string()))?;
        Ok(Self { config })
    }

    /// Connects to the first host that takes the connection. Must run inside the runtime that is to drive it.
    ///
    /// # Errors
    /// When none does.
    pub async fn connect(&self) -> Result<Connection, ConnectError> {
        let connected = timeout(CONNECT, self.config.connect(NoTls)).await;
        let connected = connected.map_err(|_| ConnectError("it does not answer".to_owned()))?;
        let (client, connection) = connected.map_err(|error| ConnectError(error.to_string()))?;
        let driver = tokio::spawn(async move {
            // Whoever waits for an answer hears of the error.
            let _ = connection.await;
        });
        Ok(Connection { client, driver })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
