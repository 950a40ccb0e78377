//! Connections to the host that accepts changes, whichever that is at the moment.

use std::error::Error as _;
use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::Client;
use tokio_postgres::config::LoadBalanceHosts;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::open_error::{ConnectError, OpenError};
use super::password::{self, PasswordError};
use super::settings::{Host, Settings};
use super::tls;

/// Why a host cannot be used.
#[derive(Debug, thiserror::Error)]
enum HostError {
    #[error("no answer within {} s", .0.as_secs())]
    Silent(Duration),
    #[error("{}", reason(.0))]
    Refused(#[from] tokio_postgres::Error),
    #[error(
        "{}; give one by PGPASSWORD, --store-password-file or the credential postgres-password",
        reason(.0)
    )]
    NoPassword(tokio_postgres::Error),
    #[error(transparent)]
    Password(#[from] PasswordError),
}

/// Connects to a database.
#[derive(Clone)]
pub struct Connector(Arc<Inner>);

struct Inner {
    settings: Settings,
    tls: MakeRustlsConnect,
    /// The host that is tried first.
    first: AtomicUsize,
}

/// A connection, driven by the runtime on which it was opened.
pub(super) struct Connection {
    /// Sends queries.
    pub client: Client,
    host: usize,
}

impl Connector {
    /// Reads the files that the settings name.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn new(settings: Settings) -> Result<Self, OpenError> {
        password::read(settings.password_file.as_deref())?;
        let order = settings
            .hosts
            .first()
            .map(|host| host.config.get_load_balance_hosts());
        let first = match order {
            Some(LoadBalanceHosts::Random) => {
                let chance = getrandom::u32().unwrap_or_default();
                usize::try_from(chance).unwrap_or_default() % settings.hosts.len()
            }
            _ => 0,
        };
        Ok(Self(Arc::new(Inner {
            tls: tls::connector(&settings.tls)?,
            first: AtomicUsize::new(first),
            settings,
        })))
    }

    /// Connects to the first host that accepts changes, beginning with the one that was used last.
    ///
    /// # Errors
    /// When none can be used.
    pub(super) async fn connect(&self) -> Result<Connection, ConnectError> {
        let hosts = &self.0.settings.hosts;
        let first = self.0.first.load(Ordering::Relaxed);
        let mut reasons = String::new();
        for (index, host) in hosts.iter().enumerate().cycle().skip(first).take(hosts.len()) {
            let time = host.config.get_connect_timeout().copied().unwrap_or_default();
            let tried = timeout(time, Box::pin(self.log_in(index, host))).await;
            match tried.unwrap_or(Err(HostError::Silent(time))) {
                Ok(connection) => {
                    self.0.first.store(index, Ordering::Relaxed);
                    return Ok(connection);
                }
                Err(error) => {
                    let separator = if reasons.is_empty() { "" } else { "; " };
                    // Writing to a string cannot fail.
                    let _ = write!(reasons, "{separator}{host}: {error}");
                }
            }
        }
        Err(ConnectError(reasons))
    }

    /// Makes the next connection start with another host, because this one hangs or no longer accepts changes.
    pub(super) fn deprioritize_host(&self, connection: &Connection) {
        let next = (connection.host + 1) % self.0.settings.hosts.len();
        self.0.first.store(next, Ordering::Relaxed);
    }

    async fn log_in(&self, index: usize, host: &Host) -> Result<Connection, HostError> {
        let mut config = host.config.clone();
        if config.get_password().is_none()
            && let Some(password) = password::read(self.0.settings.password_file.as_deref())?
        {
            config.password(password);
        }
        let connected = config.connect(self.0.tls.clone()).await;
        let (client, connection) = connected.map_err(|error| {
            if config.get_password().is_none() && reason(&error).contains("password") {
                HostError::NoPassword(error)
            } else {
                error.into()
            }
        })?;
        tokio::spawn(async move {
            // Pending queries fail with the same error.
            if let Err(error) = connection.await {
                tracing::debug!("a connection to the database ended: {}", reason(&error));
            }
        });
        Ok(Connection { client, host: index })
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.settings.fmt(formatter)
    }
}

/// Returns what went wrong, in one line: the server's message, or else every cause. The library's own text has only the
/// first.
pub fn reason(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}
