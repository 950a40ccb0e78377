//! Where the database is and how it is reached: libpq's parameters, checked without I/O. tokio-postgres reads those
//! that it knows.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::host::{self, Host};
use super::password::{Passfile, Password};
use super::settings_error::SettingsError;
use super::tls_settings::TlsSettings;
use super::url::{self, Parameters};

/// For connecting to one host, with TLS and log-in. A standby that has been promoted must be found within 3 s.
const CONNECT_TIME: Duration = Duration::from_secs(3);

/// How long what was sent may stay unconfirmed by the other machine before the connection counts as lost.
const UNCONFIRMED: Duration = Duration::from_secs(3);

/// libpq's environment variables, and the parameters that they set unless the address does.
const VARIABLES: [(&str, &str); 15] = [
    ("PGHOST", "host"),
    ("PGHOSTADDR", "hostaddr"),
    ("PGPORT", "port"),
    ("PGUSER", "user"),
    ("USER", "user"),
    ("PGPASSWORD", "password"),
    ("PGPASSFILE", "passfile"),
    ("PGDATABASE", "dbname"),
    ("PGOPTIONS", "options"),
    ("PGAPPNAME", "application_name"),
    ("PGSSLMODE", "sslmode"),
    ("PGSSLROOTCERT", "sslrootcert"),
    ("PGCHANNELBINDING", "channel_binding"),
    ("PGCONNECT_TIMEOUT", "connect_timeout"),
    ("PGTARGETSESSIONATTRS", "target_session_attrs"),
];

/// Parameters that tokio-postgres knows by another name, or not at all.
const RENAMED: [(&str, &str); 2] = [
    ("fallback_application_name", "application_name"),
    ("keepalives_count", "keepalives_retries"),
];

/// What libpq knows and what changes nothing here.
const WITHOUT_EFFECT: [(&str, &str); 7] = [
    ("gssencmode", "disable"),
    ("gssencmode", "prefer"),
    ("sslcompression", "0"),
    ("client_encoding", "UTF8"),
    ("client_encoding", "utf8"),
    ("client_encoding", "UTF-8"),
    ("client_encoding", "auto"),
];

/// What must be true of a server that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetSession {
    /// Nothing: any server is used.
    Any,
    /// It accepts changes, which a standby does not.
    ReadWrite,
    /// It is not a standby.
    Primary,
}

/// A database, and how it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// In the order in which they are tried.
    pub hosts: Vec<Host>,
    /// The password that address or environment give.
    pub password: Option<Password>,
    /// libpq's file of passwords.
    pub passfile: Option<Passfile>,
    /// Which server is used.
    pub session: TargetSession,
    /// For connections by TLS; without `sslmode` TLS is used where the server offers it.
    pub tls: TlsSettings,
    /// For connecting to one host.
    pub connect_time: Duration,
}

impl FromStr for Settings {
    type Err = SettingsError;

    /// Parses an address; what it leaves out is taken from libpq's environment variables.
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        Self::parse(text, |name| env::var(name).ok())
    }
}

impl Settings {
    fn parse(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let mut given = url::parameters(text)?;
        for (name, key) in VARIABLES {
            if let Some(value) = variable(name).filter(|value| !value.is_empty()) {
                given.entry(key.to_owned()).or_insert(value);
            }
        }
        for (theirs, ours) in RENAMED {
            if let Some(value) = given.remove(theirs) {
                given.entry(ours.to_owned()).or_insert(value);
            }
        }
        // As libpq does.
        if let Some(user) = given.get("user").cloned() {
            given.entry("dbname".to_owned()).or_insert(user);
        }
        given.retain(|key, value| !WITHOUT_EFFECT.contains(&(key, value)));
        let home = variable("HOME").map(PathBuf::from);
        let unconfirmed = time(&mut given, "tcp_user_timeout", 1)?.unwrap_or(UNCONFIRMED);
        Ok(Self {
            session: session(given.remove("target_session_attrs").as_deref())?,
            tls: TlsSettings::take(&mut given)?,
            password: given.remove("password").map(Password::new),
            passfile: given
                .remove("passfile")
                .map(|path| Passfile::Named(path.into()))
                .or_else(|| home.map(|home| Passfile::AtHome(home.join(".pgpass")))),
            connect_time: time(&mut given, "connect_timeout", 1000)?.unwrap_or(CONNECT_TIME),
            hosts: host::hosts(given, unconfirmed)?,
        })
    }
}

/// Shows where it is, and nothing secret.
impl fmt::Display for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.hosts.iter().map(ToString::to_string).collect();
        let first = self.hosts.first();
        let database = first.and_then(|host| host.config.get_dbname());
        write!(
            formatter,
            "postgres://{}/{}",
            hosts.join(","),
            database.unwrap_or_default()
        )
    }
}

/// Reads which server is used.
fn session(given: Option<&str>) -> Result<TargetSession, SettingsError> {
    match given {
        None | Some("read-write") => Ok(TargetSession::ReadWrite),
        Some("primary") => Ok(TargetSession::Primary),
        Some("any") => Ok(TargetSession::Any),
        Some(_) => Err(SettingsError::Value {
            key: "target_session_attrs",
            expected: "read-write, primary or any: inquiries must be written",
        }),
    }
}

/// Takes a time in units of so many milliseconds; `None` where it is not given, or 0.
fn time(given: &mut Parameters, key: &'static str, unit: u64) -> Result<Option<Duration>, SettingsError> {
    let number = given.remove(key).map(|text| text.trim().parse::<u32>());
    let number = number.transpose().map_err(|_| SettingsError::Value {
        key,
        expected: "a number",
    })?;
    let number = number.filter(|&number| number > 0);
    Ok(number.map(|number| Duration::from_millis(u64::from(number) * unit)))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tokio_postgres::config::{ChannelBinding, Host as Name, LoadBalanceHosts, SslMode};

    use super::*;
    use crate::store::postgres::tls_settings::{Roots, Verification};

    fn parse(text: &str) -> Result<Settings, SettingsError> {
        Settings::parse(text, |_| None)
    }

    #[test]
    fn hosts_have_ports_and_addresses() {
        let settings = parse("postgres://a@db1:5433,db2,[::1]:1/site").unwrap();
        assert_eq!(settings.to_string(), "postgres://db1:5433,db2:5432,[::1]:1/site");
        let settings = parse("postgres://db1,db2/site?port=6000").unwrap();
        assert_eq!(settings.to_string(), "postgres://db1:6000,db2:6000/site");
        let settings = parse("postgres://a@db1,db2?hostaddr=192.0.2.1,192.0.2.2").unwrap();
        let second = &settings.hosts[1].config;
        assert_eq!(second.get_hostaddrs(), ["192.0.2.2".parse::<IpAddr>().unwrap()]);
        assert_eq!(second.get_dbname(), Some("a"));
        let settings = parse("postgres:///site?host=/run/postgresql").unwrap();
        let socket = &settings.hosts[0].config;
        assert_eq!(socket.get_hosts(), [Name::Unix("/run/postgresql".into())]);
        assert_eq!(socket.get_ssl_mode(), SslMode::Disable);
        assert_eq!(
            parse("postgres://").unwrap().to_string(),
            "postgres://localhost:5432/"
        );
    }

    #[test]
    fn the_environment_fills_in_what_the_address_leaves_out() {
        let variable = |name: &str| {
            let value = match name {
                "PGHOST" => "db9",
                "PGPASSWORD" => "geheim",
                "PGSSLMODE" => "verify-full",
                "HOME" => "/home/a",
                _ => return None,
            };
            Some(value.to_owned())
        };
        let settings = Settings::parse("postgres://a@db1/site?sslmode=disable", variable).unwrap();
        assert_eq!(settings.hosts[0].name, "db1");
        assert_eq!(settings.hosts[0].config.get_ssl_mode(), SslMode::Disable);
        assert_eq!(settings.password.as_ref().unwrap().expose(), "geheim");
        let at_home = Passfile::AtHome("/home/a/.pgpass".into());
        assert_eq!(settings.passfile, Some(at_home));
        let settings = Settings::parse("postgres://a:meins@/site?passfile=/x", variable).unwrap();
        assert_eq!(settings.hosts[0].name, "db9");
        assert_eq!(settings.tls.verification, Verification::Full);
        assert_eq!(settings.password.as_ref().unwrap().expose(), "meins");
        assert_eq!(settings.passfile, Some(Passfile::Named("/x".into())));
        let shown = format!("{settings:?} {settings}");
        assert!(!shown.contains("meins"), "{shown}");
    }

    #[test]
    fn libpq_knows_each_parameter() {
        let settings = parse(
            "postgres://a@db/site?connect_timeout=7&tcp_user_timeout=1500&target_session_attrs=primary&\
             sslmode=require&sslrootcert=/ca.pem&channel_binding=require&options=-c%20search_path%3Dx&\
             application_name=b&keepalives_idle=5&load_balance_hosts=random&gssencmode=disable",
        );
        let settings = settings.unwrap();
        let config = &settings.hosts[0].config;
        assert_eq!(settings.connect_time, Duration::from_secs(7));
        assert_eq!(config.get_tcp_user_timeout(), Some(&Duration::from_millis(1500)));
        assert_eq!(settings.session, TargetSession::Primary);
        assert_eq!(settings.tls.verification, Verification::Authority);
        assert_eq!(settings.tls.roots, Roots::File("/ca.pem".into()));
        assert_eq!(config.get_channel_binding(), ChannelBinding::Require);
        assert_eq!(config.get_options(), Some("-c search_path=x"));
        assert_eq!(config.get_load_balance_hosts(), LoadBalanceHosts::Random);
        let system = parse("postgres://a@db/site?sslrootcert=system").unwrap();
        assert_eq!(system.tls.verification, Verification::Full);
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for wrong in [
            "postgres://db:x",
            "postgres://db:70000",
            "postgres://db1,db2,db3?port=1,2",
            "postgres://db?sslmode=maybe",
            "postgres://db?sslmode=require&sslrootcert=system",
            "postgres://db?sslnegotiation=direct",
            "postgres://db?sslcert=/a",
            "postgres://db?target_session_attrs=standby",
            "postgres://db?connect_timeout=soon",
            "postgres://db?hostaddr=db",
            "postgres://db1,db2?hostaddr=192.0.2.1",
            "postgres://db?colour=red",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
