//! Connections to whichever host currently accepts writes.

use std::env;
use std::error::Error as _;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::timeout;
use tokio_postgres::Client;
use tokio_postgres::config::LoadBalanceHosts;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::settings::{Host, Settings};
use super::tls;
use crate::base::files::regular_file;
use crate::store::OpenError;

/// The service manager's credential that may hold the password.
const CREDENTIAL: &str = "postgres-password";

/// Connects to a database.
#[derive(Clone)]
pub struct Connector(Arc<Inner>);

struct Inner {
    settings: Settings,
    tls: MakeRustlsConnect,
    /// The host to try first.
    first: AtomicUsize,
}

impl Connector {
    /// Reads the files named in the settings.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, OpenError> {
        password(settings.password_file.as_deref())?;
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
            settings: settings.clone(),
        })))
    }

    /// Connects to the first host that accepts writes, starting with the last one used; also returns its index. The connection is
    /// driven by the runtime that opened it.
    ///
    /// # Errors
    /// When none can be used.
    pub(super) async fn connect(&self) -> Result<(Client, usize), OpenError> {
        let hosts = &self.0.settings.hosts;
        let first = self.0.first.load(Ordering::Relaxed);
        let mut reasons = String::new();
        for (index, host) in hosts.iter().enumerate().cycle().skip(first).take(hosts.len()) {
            let time = host.config.get_connect_timeout().copied().unwrap_or_default();
            let tried = timeout(time, Box::pin(self.log_in(host))).await;
            match tried.unwrap_or_else(|_| Err(format!("no answer within {} s", time.as_secs()))) {
                Ok(client) => {
                    self.0.first.store(index, Ordering::Relaxed);
                    return Ok((client, index));
                }
                Err(error) => {
                    let separator = if reasons.is_empty() { "" } else { "; " };
                    // Writing to a string cannot fail.
                    let _ = write!(reasons, "{separator}{host}: {error}");
                }
            }
        }
        Err(OpenError::Database(format!(
            "cannot reach the database ({reasons}); see that it runs, and check --store"
        )))
    }

    /// Makes the next connection try the next host first, because this one hangs or no longer accepts writes.
    pub(super) fn deprioritize_host(&self, host: usize) {
        let next = (host + 1) % self.0.settings.hosts.len();
        self.0.first.store(next, Ordering::Relaxed);
    }

    async fn log_in(&self, host: &Host) -> Result<Client, String> {
        let mut config = host.config.clone();
        if config.get_password().is_none()
            && let Some(password) =
                password(self.0.settings.password_file.as_deref()).map_err(|error| error.to_string())?
        {
            config.password(password);
        }
        let connected = config.connect(self.0.tls.clone()).await;
        let (client, connection) = connected.map_err(|error| {
            let reason = reason(&error);
            if config.get_password().is_none() && reason.contains("password") {
                let ways = "PGPASSWORD, --store-password-file or the credential postgres-password";
                format!("{reason}; give one by {ways}")
            } else {
                reason
            }
        })?;
        tokio::spawn(async move {
            // Pending queries fail with the same error.
            if let Err(error) = connection.await {
                tracing::debug!("a connection to the database ended: {}", reason(&error));
            }
        });
        Ok(client)
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.settings.fmt(formatter)
    }
}

/// Reads the password from a file, or else from the credential. Done at each login, so that a new password needs no restart.
fn password(file: Option<&Path>) -> Result<Option<String>, OpenError> {
    let credential = || {
        let directory = env::var_os("CREDENTIALS_DIRECTORY")?;
        Some(Path::new(&directory).join(CREDENTIAL)).filter(|path| path.exists())
    };
    let Some(path) = file.map(Path::to_owned).or_else(credential) else {
        return Ok(None);
    };
    let read = regular_file::read_line(&path).map_err(|error| {
        let path = path.display();
        OpenError::Database(format!("cannot read the database's password in {path}: {error}"))
    });
    read.map(Some)
}

/// Describes an error in one line: the server's message, or else all causes, of which the library shows only the first.
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
