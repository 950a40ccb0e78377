//! The address of a database. tokio-postgres parses it, apart from the parameters handled here.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use std::{env, fmt};

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host as Name, SslMode, SslNegotiation, TargetSessionAttrs};

use super::url::DatabaseUrl;
use crate::store::LocationError;

/// Defaults for parameters missing in the address. A hanging host is abandoned quickly, because a standby may have replaced it.
/// After 10 s of silence, the system probes the other machine every 3 s and gives up after three probes.
const DEFAULTS: &str = "application_name=taubenabwehr&connect_timeout=2&keepalives_idle=10&keepalives_interval=3&keepalives_retries=3";

/// How long sent data may stay unacknowledged before the connection counts as lost.
const UNCONFIRMED: Duration = Duration::from_secs(3);

/// Environment variables of libpq. Ignoring them could make a connection less safe or lead to another schema.
const VARIABLES: [(&str, &str); 4] = [
    ("PGSSLMODE", "sslmode"),
    ("PGSSLROOTCERT", "sslrootcert"),
    ("PGCHANNELBINDING", "channel_binding"),
    ("PGOPTIONS", "options"),
];

fn refused<T>(reason: impl Into<String>) -> Result<T, LocationError> {
    Err(LocationError(reason.into()))
}

/// How the server's certificate is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Not at all: protects against eavesdropping, but not against interception.
    Nothing,
    /// It must be issued by a trusted authority.
    Authority,
    /// It must also be valid for the host.
    Full,
}

/// The TLS settings of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseTls {
    /// How the certificate is verified.
    pub verification: Verification,
    /// A file of trusted authorities that replaces those of the system.
    pub roots: Option<PathBuf>,
    /// Whether the handshake begins at once, without PostgreSQL's `SSLRequest`.
    pub is_direct: bool,
}

/// One host of a database, with its connection settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    name: String,
    /// Settings for tokio-postgres, without a password that is kept in a file.
    pub config: Config,
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.config.get_ports().first().copied().unwrap_or_default();
        if self.name.contains(':') {
            write!(formatter, "[{}]:{port}", self.name)
        } else {
            write!(formatter, "{}:{port}", self.name)
        }
    }
}

/// A database's hosts and connection settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// In the order in which they are tried; never empty. Each has its own settings, so that each gets the full timeout.
    pub hosts: Vec<Host>,
    /// A file with the password, for when neither the address nor `PGPASSWORD` has it.
    pub password_file: Option<PathBuf>,
    /// For TLS connections; without `sslmode` TLS is used if the server offers it.
    pub tls: DatabaseTls,
}

impl FromStr for Settings {
    type Err = LocationError;

    /// Parses an address. A missing password is taken from `PGPASSWORD`.
    fn from_str(text: &str) -> Result<Self, LocationError> {
        Self::parse(text, |name| env::var(name).ok())
    }
}

impl Settings {
    fn parse(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, LocationError> {
        let Some(address) = DatabaseUrl::of(text) else {
            return refused("it must begin with postgres://");
        };
        let has_sign = |part: Option<&str>| part.is_some_and(|part| part.contains('@'));
        if has_sign(address.login) || has_sign(address.database) || has_sign(address.query) {
            return refused(
                "its user or password holds a `/`, `?` or `@` that must be written as %2F, %3F or %40",
            );
        }
        // Decoded values by name; the encoded pairs for tokio-postgres that all hosts share; and those that name hosts.
        let (mut values, mut common, mut places) = (BTreeMap::new(), String::new(), String::new());
        let pairs = address.query.unwrap_or_default().split('&');
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            let (key, encoded) = pair.split_once('=').unwrap_or(("", pair));
            let key = decoded(key)?;
            // Reject it before it appears in an error.
            if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
                return refused("after `?` it must hold key=value, separated by `&`");
            }
            match key.as_str() {
                // tokio-postgres lacks some of their values, or uses another unit.
                "sslmode" | "sslrootcert" | "tcp_user_timeout" | "target_session_attrs" => {}
                "host" | "port" if !address.hosts.is_empty() => {
                    return refused(format!(
                        "`{key}` is given twice: before the database's name, and behind it"
                    ));
                }
                // In an address, tokio-postgres would take a list for a single name.
                "host" => places.extend(encoded.split(',').map(|host| format!("&host={host}"))),
                "hostaddr" | "port" => places.extend(["&", pair]),
                _ => common.extend(["&", pair]),
            }
            values.insert(key, decoded(encoded)?);
        }
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        for (name, key) in VARIABLES {
            if variable(name).is_some() && !values.contains_key(key) {
                return refused(format!(
                    "the variable {name} is not read; write `{key}` into the address"
                ));
            }
        }
        let mut common = config(&address, "", &common)?;
        let is_direct = common.get_ssl_negotiation() == SslNegotiation::Direct;
        let (ssl_mode, tls) = tls(&values, is_direct)?;
        common.ssl_mode(ssl_mode);
        // A primary that is read-only is of no use.
        common.target_session_attrs(match values.get("target_session_attrs").map(String::as_str) {
            None | Some("read-write" | "primary") => TargetSessionAttrs::ReadWrite,
            Some("any") => TargetSessionAttrs::Any,
            Some(_) => {
                return refused(
                    "`target_session_attrs` must be read-write, primary or any: inquiries must be written",
                );
            }
        });
        // In milliseconds; 0 means the default, as in libpq.
        let unconfirmed = values.get("tcp_user_timeout").map_or("0", |time| time.trim());
        common.tcp_user_timeout(match unconfirmed.parse::<u32>() {
            Ok(0) => UNCONFIRMED,
            Ok(given) => Duration::from_millis(given.into()),
            Err(_) => return refused("`tcp_user_timeout` must be a number"),
        });
        if common.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD")
        {
            common.password(password);
        }
        Ok(Self {
            hosts: hosts(&config(&address, address.hosts, &places)?, &common)?,
            password_file: None,
            tls,
        })
    }
}

/// Shows the location without any secret.
impl fmt::Display for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.hosts.iter().map(ToString::to_string).collect();
        let config = self.hosts.first().map(|host| &host.config);
        let database = config.and_then(|config| config.get_dbname().or(config.get_user()));
        write!(
            formatter,
            "postgres://{}/{}",
            hosts.join(","),
            database.unwrap_or_default()
        )
    }
}

/// Whether TLS is used, and how the certificate is verified.
fn tls(values: &BTreeMap<String, String>, is_direct: bool) -> Result<(SslMode, DatabaseTls), LocationError> {
    let roots = values.get("sslrootcert").map(String::as_str);
    let is_system = roots == Some("system");
    // As in libpq: without checking the name, authorities that sign for anyone prove nothing.
    let default = if is_system { "verify-full" } else { "prefer" };
    let (usage, verification) = match values.get("sslmode").map_or(default, String::as_str) {
        "verify-full" => (SslMode::Require, Verification::Full),
        _ if is_system => return refused("`sslmode` must be verify-full where `sslrootcert` is system"),
        // As in libpq.
        "require" if roots.is_some() => (SslMode::Require, Verification::Authority),
        "require" => (SslMode::Require, Verification::Nothing),
        _ if is_direct => {
            return refused("`sslmode` must be require or verify-full where `sslnegotiation` is direct");
        }
        "prefer" => (SslMode::Prefer, Verification::Nothing),
        "disable" => (SslMode::Disable, Verification::Nothing),
        _ => return refused("`sslmode` must be disable, prefer, require or verify-full"),
    };
    let settings = DatabaseTls {
        verification,
        roots: roots.filter(|_| !is_system).map(PathBuf::from),
        is_direct,
    };
    Ok((usage, settings))
}

fn decoded(text: &str) -> Result<String, LocationError> {
    match percent_decode_str(text).decode_utf8() {
        Ok(decoded) if !decoded.contains('\0') => Ok(decoded.into_owned()),
        _ => refused("it is not UTF-8, or holds a null character"),
    }
}

/// Parses an address with replaced hosts and parameters.
fn config(address: &DatabaseUrl<'_>, hosts: &str, parameters: &str) -> Result<Config, LocationError> {
    // An empty password counts as none.
    let login = address
        .login
        .map(|login| login.strip_suffix(':').unwrap_or(login));
    for part in [login, Some(hosts), address.database] {
        decoded(part.unwrap_or_default())?;
    }
    let login = login.map_or_else(String::new, |login| format!("{login}@"));
    let database = address.database.unwrap_or_default();
    let text = format!("postgres://{login}{hosts}/{database}?{DEFAULTS}{parameters}");
    text.parse().map_err(|error: tokio_postgres::Error| {
        let cause = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        LocationError(format!("its parameters are wrong: {cause}"))
    })
}

/// Combines each host with the settings common to all.
fn hosts(places: &Config, common: &Config) -> Result<Vec<Host>, LocationError> {
    let (addresses, ports) = (places.get_hostaddrs(), places.get_ports());
    let mut names: Vec<String> = places.get_hosts().iter().map(name).collect();
    if names.is_empty() {
        names.extend(addresses.iter().map(ToString::to_string));
    }
    if names.is_empty() {
        names.push(String::new());
    }
    let count = names.len();
    for (key, other) in [("hostaddr", addresses.len()), ("port", ports.len())] {
        // A single port applies to all hosts.
        if !(other == 0 || other == count || other == 1 && key == "port") {
            return refused(format!("it must give one `{key}` for each host, or none"));
        }
    }
    let hosts = names.into_iter().enumerate().map(|(index, mut name)| {
        if name.is_empty() {
            "localhost".clone_into(&mut name);
        }
        let mut config = common.clone();
        config.host(&name);
        let port = ports.get(index).or_else(|| ports.first());
        config.port(port.copied().unwrap_or(5432));
        if let Some(address) = addresses.get(index) {
            config.hostaddr(*address);
        } else if name.starts_with('/') {
            // The system protects a socket from other users.
            config.ssl_mode(SslMode::Disable);
        }
        Host { name, config }
    });
    Ok(hosts.collect())
}

fn name(host: &Name) -> String {
    match host {
        Name::Tcp(name) => name.clone(),
        Name::Unix(path) => path.to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tokio_postgres::config::{ChannelBinding, LoadBalanceHosts};

    use super::*;

    fn parse(text: &str) -> Result<Settings, LocationError> {
        Settings::parse(text, |_| None)
    }

    #[test]
    fn hosts_have_ports_and_addresses() {
        for (text, expected) in [
            (
                "postgres://a@db1:5433,db2,[::1]:1/site",
                "postgres://db1:5433,db2:5432,[::1]:1/site",
            ),
            ("postgresql://db", "postgres://db:5432/"),
            ("postgres://", "postgres://localhost:5432/"),
            (
                "postgres://a@?host=db1,db2&port=6000",
                "postgres://db1:6000,db2:6000/a",
            ),
            (
                "postgres://%2Frun%2Fpostgresql/name",
                "postgres:///run/postgresql:5432/name",
            ),
            ("postgres://?hostaddr=192.0.2.1", "postgres://192.0.2.1:5432/"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), expected, "{text}");
        }
        let settings = parse("postgres://a@db1,db2?hostaddr=192.0.2.1,192.0.2.2").unwrap();
        let second = &settings.hosts[1].config;
        assert_eq!(second.get_hosts(), [Name::Tcp("db2".to_owned())]);
        assert_eq!(second.get_hostaddrs(), ["192.0.2.2".parse::<IpAddr>().unwrap()]);
        let settings = parse("postgres:///site?host=/run/postgresql&sslmode=require").unwrap();
        let socket = &settings.hosts[0].config;
        assert_eq!(socket.get_hosts(), [Name::Unix("/run/postgresql".into())]);
        assert_eq!(socket.get_ssl_mode(), SslMode::Disable);
    }

    #[test]
    fn the_environment_gives_the_password_alone() {
        let password = |name: &str| (name == "PGPASSWORD").then(|| "geheim".to_owned());
        for (text, expected) in [
            ("postgres://a@db/site", "geheim"),
            ("postgres://a:@db/site", "geheim"),
            ("postgres://a:p%40%3A%2F@db/site", "p@:/"),
            ("postgres://a@db/site?password=meins", "meins"),
        ] {
            let settings = Settings::parse(text, password).unwrap();
            assert_eq!(
                settings.hosts[0].config.get_password(),
                Some(expected.as_bytes()),
                "{text}"
            );
            let shown = format!("{settings:?} {settings}");
            assert!(!shown.contains(expected), "{shown}");
        }
        for (name, key) in VARIABLES {
            let set = |wanted: &str| (wanted == name).then(|| "verify-full".to_owned());
            let refused = Settings::parse("postgres://a@db/site", set)
                .unwrap_err()
                .to_string();
            assert!(refused.contains(name) && refused.contains(key), "{refused}");
            Settings::parse(
                "postgres://a@db/site?sslmode=verify-full&sslrootcert=a&channel_binding=require&options=x",
                set,
            )
            .unwrap();
        }
    }

    #[test]
    fn parameters_are_those_of_libpq() {
        let settings = parse(
            "postgres://a@db/site?connect_timeout=7&tcp_user_timeout=1500&target_session_attrs=primary&\
             sslmode=require&sslrootcert=/ca.pem&channel_binding=require&options=-c%20search_path%3Dx&\
             application_name=b&keepalives_idle=5&load_balance_hosts=random&sslnegotiation=direct",
        );
        let settings = settings.unwrap();
        let config = &settings.hosts[0].config;
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(7)));
        assert_eq!(config.get_tcp_user_timeout(), Some(&Duration::from_millis(1500)));
        assert_eq!(config.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        assert_eq!(config.get_keepalives_idle(), Duration::from_secs(5));
        assert_eq!(config.get_application_name(), Some("b"));
        assert_eq!(config.get_channel_binding(), ChannelBinding::Require);
        assert_eq!(config.get_options(), Some("-c search_path=x"));
        assert_eq!(config.get_load_balance_hosts(), LoadBalanceHosts::Random);
        assert_eq!(settings.tls.verification, Verification::Authority);
        assert_eq!(settings.tls.roots, Some("/ca.pem".into()));
        assert!(settings.tls.is_direct);
        let system = parse("postgres://a@db/site?sslrootcert=system").unwrap();
        assert_eq!(system.tls.verification, Verification::Full);
        let plain = parse("postgres://a@db/site?connect_timeout=0&tcp_user_timeout=0").unwrap();
        let config = &plain.hosts[0].config;
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(2)));
        assert_eq!(config.get_tcp_user_timeout(), Some(&UNCONFIRMED));
        assert_eq!(config.get_application_name(), Some("taubenabwehr"));
    }

    #[test]
    fn what_does_not_work_is_refused_by_its_name() {
        for (wrong, named) in [
            ("mysql://db", "postgres://"),
            ("postgres://db?a", "key=value"),
            ("postgres://db?a%0Ab=c", "key=value"),
            ("postgres://db/site?dbname=%ff", "UTF-8"),
            ("postgres://%ff@db", "UTF-8"),
            ("postgres://a%00@db", "null"),
            ("postgres://[::1", "host"),
            ("postgres://[::1]5432", "host"),
            ("postgres://u:p/q@db/name", "%2F"),
            ("postgres://u:p@q@db/name", "%40"),
            ("postgres://u@db/name?options=a@b", "%40"),
            ("postgres://db:x", "port"),
            ("postgres://db:70000", "port"),
            ("postgres://?host=db1,db2,db3&port=1,2", "port"),
            ("postgres://db1,db2/site?port=6000", "port"),
            ("postgres://db1/site?host=db2", "host"),
            ("postgres://db?hostaddr=db", "hostaddr"),
            ("postgres://db1,db2?hostaddr=192.0.2.1", "hostaddr"),
            ("postgres://db?sslmode=maybe", "sslmode"),
            ("postgres://db?sslmode=allow", "sslmode"),
            ("postgres://db?sslmode=verify-ca", "sslmode"),
            ("postgres://db?sslmode=require&sslrootcert=system", "sslmode"),
            ("postgres://db?sslnegotiation=direct", "sslmode"),
            ("postgres://db?sslcert=/a&sslkey=/b", "sslcert"),
            ("postgres://db?sslkey=/b", "sslkey"),
            ("postgres://db?passfile=/a", "passfile"),
            ("postgres://db?gssencmode=disable", "gssencmode"),
            ("postgres://db?keepalives_count=3", "keepalives_count"),
            (
                "postgres://db?target_session_attrs=standby",
                "target_session_attrs",
            ),
            ("postgres://db?connect_timeout=soon", "connect_timeout"),
            ("postgres://db?tcp_user_timeout=soon", "tcp_user_timeout"),
            ("postgres://db?colour=red", "colour"),
        ] {
            let error = parse(wrong).unwrap_err().to_string();
            assert!(
                error.contains(named) && !error.contains("p/q"),
                "{wrong}: {error}"
            );
        }
    }
}
