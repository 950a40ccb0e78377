//! Where the database is and how it is reached: libpq's parameters, checked without I/O.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;

use super::host::{self, Host};
use super::parameters::Parameters;
use super::password::{Passfile, Password};
use super::settings_error::SettingsError;
use super::tls_settings::{TlsSettings, tls_settings};
use super::url;

/// For connecting to one host, with TLS and log-in. A standby that was promoted must be found within 3 s.
const CONNECT_TIME: Duration = Duration::from_secs(3);

/// How long what was sent may stay unconfirmed by the other machine before the connection counts as lost.
const UNCONFIRMED: Duration = Duration::from_secs(3);

/// How long a connection may be silent before the system asks whether the other machine is still there, how often it asks,
/// and how often in vain. It finds machines that have gone while nothing was sent.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(10), Duration::from_secs(3), 3);

/// libpq's environment variables, and the parameters that they set where the address does not.
const VARIABLES: [(&str, &str); 14] = [
    ("PGHOST", "host"),
    ("PGHOSTADDR", "hostaddr"),
    ("PGPORT", "port"),
    ("PGUSER", "user"),
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

/// What must be true of a server that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Session {
    /// Nothing: whoever answers is taken.
    Any,
    /// It takes changes, which a standby does not.
    ReadWrite,
    /// It is no standby.
    Primary,
}

/// A database, and how it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// In the order in which they are tried.
    pub hosts: Vec<Host>,
    /// Whether that order is left to chance.
    pub is_random: bool,
    /// What is common to all hosts, without the password.
    pub config: Config,
    /// The password that address or environment give.
    pub password: Option<Password>,
    /// libpq's file of passwords.
    pub passfile: Option<Passfile>,
    /// Which server is used.
    pub session: Session,
    /// For connections by TLS; without `sslmode` they are used where the server offers them.
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
            if let Some(value) = variable(name).filter(|value| !value.is_empty())
                && !given.has(key)
            {
                given.push(key, value);
            }
        }
        let hosts = host::hosts(&mut given)?;
        let home = variable("HOME").map(PathBuf::from);
        let mut config = Config::new();
        config.application_name("taubenabwehr");
        for key in ["fallback_application_name", "application_name"] {
            if let Some(name) = given.take(key) {
                config.application_name(name);
            }
        }
        let user = given.take("user").or_else(|| variable("USER"));
        if let Some(user) = &user {
            config.user(user);
        }
        // As libpq does.
        if let Some(database) = given.take("dbname").or(user) {
            config.dbname(database);
        }
        if let Some(options) = given.take("options") {
            config.options(options);
        }
        keep_alive(&mut given, &mut config)?;
        let tls = tls_settings(&mut given, &mut config)?;
        let is_random = given.choice("load_balance_hosts", &["disable", "random"])? == Some("random");
        let settings = Self {
            hosts,
            is_random,
            session: session(&mut given)?,
            tls,
            password: given.take("password").map(Password::new),
            passfile: given
                .take("passfile")
                .map(|path| Passfile::Named(path.into()))
                .or_else(|| home.map(|home| Passfile::AtHome(home.join(".pgpass")))),
            connect_time: given.time("connect_timeout", 1000)?.unwrap_or(CONNECT_TIME),
            config,
        };
        given.finish()?;
        Ok(settings)
    }

    /// Returns the name of the database.
    pub fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or_default()
    }
}

/// Shows where it is, and nothing secret.
impl fmt::Display for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("postgres://")?;
        for (index, host) in self.hosts.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(formatter, "{comma}{host}")?;
        }
        write!(formatter, "/{}", self.database())
    }
}

/// Takes which server is used.
fn session(given: &mut Parameters) -> Result<Session, SettingsError> {
    match given.take("target_session_attrs").as_deref() {
        None | Some("read-write") => Ok(Session::ReadWrite),
        Some("primary") => Ok(Session::Primary),
        Some("any") => Ok(Session::Any),
        Some(_) => Err(SettingsError::Value {
            key: "target_session_attrs",
            expected: "read-write, primary or any: inquiries must be written",
        }),
    }
}

/// Takes when a connection counts as lost.
fn keep_alive(given: &mut Parameters, config: &mut Config) -> Result<(), SettingsError> {
    let (idle, interval, retries) = KEEPALIVE;
    config.tcp_user_timeout(given.time("tcp_user_timeout", 1)?.unwrap_or(UNCONFIRMED));
    config.keepalives(given.number("keepalives")? != Some(0));
    config.keepalives_idle(given.time("keepalives_idle", 1000)?.unwrap_or(idle));
    config.keepalives_interval(given.time("keepalives_interval", 1000)?.unwrap_or(interval));
    config.keepalives_retries(given.number("keepalives_count")?.unwrap_or(retries));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tokio_postgres::config::{ChannelBinding, SslMode};

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
        assert_eq!(settings.hosts[1].address, "192.0.2.2".parse().ok());
        assert_eq!(settings.database(), "a");
        let settings = parse("postgres:///site?host=/run/postgresql").unwrap();
        assert_eq!(settings.hosts[0].socket(), Some(Path::new("/run/postgresql")));
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
        assert_eq!(settings.config.get_ssl_mode(), SslMode::Disable);
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
        assert_eq!(settings.connect_time, Duration::from_secs(7));
        assert_eq!(
            settings.config.get_tcp_user_timeout(),
            Some(&Duration::from_millis(1500))
        );
        assert_eq!(settings.session, Session::Primary);
        assert_eq!(settings.tls.verification, Verification::Authority);
        assert_eq!(settings.tls.roots, Roots::File("/ca.pem".into()));
        assert_eq!(settings.config.get_channel_binding(), ChannelBinding::Require);
        assert_eq!(settings.config.get_options(), Some("-c search_path=x"));
        assert!(settings.is_random);
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
