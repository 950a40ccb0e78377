//! Connections to the host that accepts changes, whichever that is at the moment.

use std::error::Error as _;
use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::LoadBalanceHosts;
use tokio_postgres::{Client, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::host::Host;
use super::password::{self, Login, PasswordError};
use super::settings::{Settings, TargetSession};
use super::tls::{self, TlsError};

/// How long to wait for a host before the next one is tried as well. A healthy host answers sooner.
const HEAD_START: Duration = Duration::from_millis(250);

/// How long to wait before an unusable host is tried again while others are still being tried: a standby may be
/// promoted at any moment.
const RETRY: Duration = Duration::from_millis(100);

/// Why there is no connection, in one line.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach the database ({0}); see that it runs, and check --store")]
pub struct ConnectError(String);

/// Why a host cannot be used.
#[derive(Debug, thiserror::Error)]
enum HostError {
    #[error("no answer within {} s", .0.as_secs())]
    Silent(Duration),
    #[error("{}", reason(.0))]
    Refused(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("it takes no changes: a standby, or set to be read only")]
    ReadOnly,
    #[error("its reply is not understood")]
    UnexpectedReply,
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

/// A connection. It ends when this is dropped.
pub struct Connection {
    /// Sends queries.
    pub client: Client,
    host: usize,
    driver: JoinHandle<()>,
}

impl Connector {
    /// Reads the certificates that the settings name.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn new(settings: Settings) -> Result<Self, TlsError> {
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

    /// Connects to the first host that can be used. The others are tried soon, not only when the time of the first is
    /// over, and those that refuse are tried again as long as another one is pending.
    ///
    /// # Errors
    /// When none can be used.
    pub async fn connect(&self) -> Result<Connection, ConnectError> {
        let hosts = self.0.settings.hosts.len();
        let first = self.0.first.load(Ordering::Relaxed);
        let undecided = Arc::new(AtomicUsize::new(hosts));
        let mut tries = JoinSet::new();
        let mut delay = Duration::ZERO;
        for turn in 0..hosts {
            let host = (first + turn) % hosts;
            let inner = Arc::clone(&self.0);
            tries.spawn(inner.try_until_all_are_decided(host, delay, Arc::clone(&undecided)));
            delay += HEAD_START;
        }
        let mut reasons = Vec::new();
        while let Some(tried) = tries.join_next().await {
            match tried {
                Ok(Ok(connection)) => {
                    self.0.first.store(connection.host, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok(Err(reason)) => reasons.push(reason),
                // The task panicked, which has been reported.
                Err(_) => {}
            }
        }
        reasons.sort_unstable();
        let mut text = String::new();
        for (index, (host, error)) in reasons.iter().enumerate() {
            let comma = if index == 0 { "" } else { "; " };
            if let Some(host) = self.0.settings.hosts.get(*host) {
                // Writing to a string cannot fail.
                let _ = write!(text, "{comma}{host}: {error}");
            }
        }
        Err(ConnectError(text))
    }

    /// Makes the next connection start with another host, because this one hangs or no longer accepts changes.
    pub fn deprioritize_host(&self, connection: &Connection) {
        let hosts = self.0.settings.hosts.len().max(1);
        self.0
            .first
            .store((connection.host + 1) % hosts, Ordering::Relaxed);
    }
}

impl Inner {
    /// Tries a host until it can be used or every host has been tried once.
    async fn try_until_all_are_decided(
        self: Arc<Self>,
        index: usize,
        delay: Duration,
        undecided: Arc<AtomicUsize>,
    ) -> Result<Connection, (usize, String)> {
        let Some(host) = self.settings.hosts.get(index) else {
            return Err((index, String::new()));
        };
        sleep(delay).await;
        let mut is_first = true;
        loop {
            let time = self.settings.connect_time;
            let tried = timeout(time, self.try_host(index, host)).await;
            let error = match tried.unwrap_or(Err(HostError::Silent(time))) {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            if is_first {
                undecided.fetch_sub(1, Ordering::Relaxed);
                is_first = false;
            }
            if undecided.load(Ordering::Relaxed) == 0 {
                return Err((index, error.to_string()));
            }
            sleep(RETRY).await;
        }
    }

    async fn try_host(&self, index: usize, host: &Host) -> Result<Connection, HostError> {
        let mut config = host.config.clone();
        let login = Login {
            host: &host.name,
            port: host.port(),
            database: host.config.get_dbname().unwrap_or_default(),
            user: host.config.get_user().unwrap_or_default(),
        };
        let password = match &self.settings.password {
            Some(password) => Some(password.clone()),
            None => password::find(self.settings.passfile.as_ref(), login)?,
        };
        if let Some(password) = password {
            config.password(password.expose());
        }
        let (client, connection) = config.connect(self.tls.clone()).await?;
        let driver = tokio::spawn(async move {
            // Pending queries fail with the same error.
            if let Err(error) = connection.await {
                tracing::debug!("a connection to the database ended: {}", reason(&error));
            }
        });
        let connection = Connection {
            client,
            host: index,
            driver,
        };
        connection.check(self.settings.session).await?;
        Ok(connection)
    }
}

impl Connection {
    /// Checks that this is the kind of server that is wanted.
    async fn check(&self, wanted: TargetSession) -> Result<(), HostError> {
        let (query, expected) = match wanted {
            TargetSession::Any => return Ok(()),
            TargetSession::ReadWrite => ("SHOW transaction_read_only", "off"),
            TargetSession::Primary => ("SELECT pg_catalog.pg_is_in_recovery()", "f"),
        };
        let answer = self.client.simple_query(query).await?;
        let found = answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        match found {
            Some(found) if found == expected => Ok(()),
            Some(_) => Err(HostError::ReadOnly),
            None => Err(HostError::UnexpectedReply),
        }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.settings.fmt(formatter)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
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
