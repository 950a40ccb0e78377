//! The hosts of a database.

use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host as Name, SslMode};

use super::settings_error::SettingsError;
use super::url::Parameters;

/// What holds unless the parameters say otherwise. After 10 s of silence, the system probes every 3 s whether the other
/// machine is still there, and gives up after three probes. It finds machines that have gone while nothing was sent.
const DEFAULTS: &str =
    "application_name=taubenabwehr keepalives_idle=10 keepalives_interval=3 keepalives_retries=3";

/// One host of a database, and how to connect to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// The name that certificate and password file have, or the directory of its socket.
    pub name: String,
    /// Everything but the password.
    pub config: Config,
}

impl Host {
    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.config.get_ports().first().copied().unwrap_or_default()
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.contains(':') {
            write!(formatter, "[{}]:{}", self.name, self.port())
        } else {
            write!(formatter, "{}:{}", self.name, self.port())
        }
    }
}

/// Reads the lists of hosts, and gives each of them the parameters that are common to all.
pub fn hosts(mut given: Parameters, tcp_user_timeout: Duration) -> Result<Vec<Host>, SettingsError> {
    let mut list = |key| -> Vec<String> {
        let list = given.remove(key);
        list.map_or_else(Vec::new, |list| list.split(',').map(str::to_owned).collect())
    };
    let (mut names, addresses, ports) = (list("host"), list("hostaddr"), list("port"));
    if names.is_empty() {
        names.clone_from(&addresses);
    }
    if names.is_empty() {
        names.push(String::new());
    }
    let names_len = names.len();
    let number = |key, other| match other {
        other if other == 0 || other == names_len => Ok(()),
        other => Err(SettingsError::Number {
            names: names_len,
            key,
            other,
        }),
    };
    number("hostaddr", addresses.len())?;
    // One port is that of all hosts.
    if ports.len() > 1 {
        number("port", ports.len())?;
    }
    let hosts = names.into_iter().enumerate().map(|(index, mut name)| {
        if name.is_empty() {
            "localhost".clone_into(&mut name);
        }
        let port = ports.get(index).or_else(|| ports.first());
        given.insert("port".to_owned(), port.cloned().unwrap_or_default());
        match addresses.get(index).filter(|address| !address.is_empty()) {
            Some(address) => given.insert("hostaddr".to_owned(), address.clone()),
            None => given.remove("hostaddr"),
        };
        given.insert("host".to_owned(), name.clone());
        let mut config = config(&given)?;
        config.tcp_user_timeout(tcp_user_timeout);
        if let ([Name::Unix(_)], []) = (config.get_hosts(), config.get_hostaddrs()) {
            // The system keeps others out of a socket.
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Host { name, config })
    });
    hosts.collect()
}

/// Reads parameters by tokio-postgres, from libpq's other way of writing them: `key='value' key='value'`.
fn config(given: &Parameters) -> Result<Config, SettingsError> {
    let mut text = DEFAULTS.to_owned();
    for (key, value) in given {
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            return Err(SettingsError::Parameter(format!("unknown option {key:?}")));
        }
        let value = value.replace('\\', r"\\").replace('\'', r"\'");
        text.extend([" ", key, "='", &value, "'"]);
    }
    text.parse().map_err(|error: tokio_postgres::Error| {
        let cause = error.source().map(ToString::to_string);
        SettingsError::Parameter(cause.unwrap_or_else(|| error.to_string()))
    })
}
