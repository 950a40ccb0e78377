//! Where the database is and how it is reached: libpq's parameters, checked without I/O.

use std::env;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{ChannelBinding, SslMode, SslNegotiation};

use super::password::Password;
use super::settings_error::SettingsError;
use super::url::{self, Parameters};

/// PostgreSQL's port.
const PORT: u16 = 5432;

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

/// What of the server's certificate is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Nothing. What is sent is hidden from those who listen, and not from those who stand in between.
    Nothing,
    /// That an authority made it.
    Authority,
    /// And that it is for this host.
    Full,
}

/// Whose certificates count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots {
    /// The authorities that the system knows.
    System,
    /// Those in a file.
    File(PathBuf),
}

/// What a connection by TLS needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// What is checked.
    pub verification: Verification,
    /// Whose word counts.
    pub roots: Roots,
    /// Certificate and key that the server is shown.
    pub own: Option<(PathBuf, PathBuf)>,
    /// Whether TLS begins at once, without PostgreSQL's question for it.
    pub is_direct: bool,
}

/// One host of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name, for the certificate and the password, or the directory of its socket.
    pub name: String,
    /// The address that its name stands for, where it is not looked up.
    pub address: Option<IpAddr>,
    /// Its port.
    pub port: u16,
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
    pub passfile: Option<PathBuf>,
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
        let mut given = Given(url::parameters(text)?);
        for (name, key) in VARIABLES {
            if let Some(value) = variable(name).filter(|value| !value.is_empty())
                && !given.has(key)
            {
                given.0.push((key.to_owned(), value));
            }
        }
        let hosts = given.hosts()?;
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
        given.keep_alive(&mut config)?;
        let tls = given.tls(&mut config, &hosts)?;
        let session = match given.take("target_session_attrs").as_deref() {
            None | Some("read-write") => Session::ReadWrite,
            Some("primary") => Session::Primary,
            Some("any") => Session::Any,
            Some(_) => {
                return Err(SettingsError::Value {
                    key: "target_session_attrs",
                    expected: "read-write, primary or any: inquiries must be written",
                });
            }
        };
        let is_random = given.choice("load_balance_hosts", &["disable", "random"])? == Some("random");
        let settings = Self {
            hosts,
            is_random,
            session,
            tls,
            password: given.take("password").map(Password::new),
            passfile: given
                .take("passfile")
                .map(PathBuf::from)
                .or_else(|| home.map(|home| home.join(".pgpass"))),
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

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.contains(':') {
            write!(formatter, "[{}]:{}", self.name, self.port)
        } else {
            write!(formatter, "{}:{}", self.name, self.port)
        }
    }
}

impl Host {
    /// Returns the directory of its socket, if that is how it is reached.
    pub fn socket(&self) -> Option<&Path> {
        let is_socket = self.address.is_none() && self.name.starts_with('/');
        is_socket.then(|| Path::new(&self.name))
    }
}

/// The parameters that have not been looked at.
struct Given(Parameters);

impl Given {
    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(given, _)| given == key)
    }

    /// Takes a parameter; of several values the last one counts.
    fn take(&mut self, key: &str) -> Option<String> {
        let value = self.0.iter().rfind(|(given, _)| given == key)?.1.clone();
        self.0.retain(|(given, _)| given != key);
        Some(value)
    }

    fn list(&mut self, key: &str) -> Vec<String> {
        let text = self.take(key);
        text.map_or_else(Vec::new, |text| text.split(',').map(str::to_owned).collect())
    }

    fn choice(
        &mut self,
        key: &'static str,
        choices: &[&'static str],
    ) -> Result<Option<&'static str>, SettingsError> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let found = choices.iter().copied().find(|choice| *choice == value);
        found
            .map(Some)
            .ok_or_else(|| SettingsError::Unknown(format!("{key}={value}")))
    }

    fn number(&mut self, key: &'static str) -> Result<Option<u32>, SettingsError> {
        let number = self.take(key).map(|text| text.trim().parse());
        number.transpose().map_err(|_| SettingsError::Value {
            key,
            expected: "a number",
        })
    }

    /// Takes a time, given in units of so many milliseconds; 0 leaves it at its default.
    fn time(&mut self, key: &'static str, unit: u64) -> Result<Option<Duration>, SettingsError> {
        let number = self.number(key)?.filter(|&number| number > 0);
        Ok(number.map(|number| Duration::from_millis(u64::from(number) * unit)))
    }

    fn hosts(&mut self) -> Result<Vec<Host>, SettingsError> {
        let mut names = self.list("host");
        let addresses = self.list("hostaddr");
        let ports = self.list("port");
        if names.is_empty() {
            names.clone_from(&addresses);
        }
        if names.is_empty() {
            names.push("localhost".to_owned());
        }
        let number = |key, other: usize| {
            let names = names.len();
            if other > 1 && other != names {
                return Err(SettingsError::Number { names, key, other });
            }
            Ok(())
        };
        number("port", ports.len())?;
        number("hostaddr", addresses.len())?;
        let value = |key, expected| SettingsError::Value { key, expected };
        let hosts = names.iter().enumerate().map(|(index, name)| {
            let address = addresses.get(index).filter(|text| !text.is_empty());
            let address = address.map(|text| text.parse()).transpose();
            let port = ports.get(index).or_else(|| ports.first());
            let port = port.filter(|text| !text.is_empty());
            let port = port.map_or(Ok(PORT), |text| text.trim().parse());
            Ok(Host {
                name: match name.as_str() {
                    "" => "localhost".to_owned(),
                    name => name.to_owned(),
                },
                address: address.map_err(|_| value("hostaddr", "an IP address"))?,
                port: port.map_err(|_| value("port", "a number up to 65535"))?,
            })
        });
        hosts.collect()
    }

    fn keep_alive(&mut self, config: &mut Config) -> Result<(), SettingsError> {
        let (idle, interval, retries) = KEEPALIVE;
        config.tcp_user_timeout(self.time("tcp_user_timeout", 1)?.unwrap_or(UNCONFIRMED));
        config.keepalives(self.number("keepalives")? != Some(0));
        config.keepalives_idle(self.time("keepalives_idle", 1000)?.unwrap_or(idle));
        config.keepalives_interval(self.time("keepalives_interval", 1000)?.unwrap_or(interval));
        config.keepalives_retries(self.number("keepalives_count")?.unwrap_or(retries));
        Ok(())
    }

    fn tls(&mut self, config: &mut Config, hosts: &[Host]) -> Result<TlsSettings, SettingsError> {
        const MODES: [&str; 6] = [
            "disable",
            "allow",
            "prefer",
            "require",
            "verify-ca",
            "verify-full",
        ];
        let roots = self.take("sslrootcert");
        let is_system = roots.as_deref() == Some("system");
        let mode = self.choice("sslmode", &MODES)?;
        let binding = self.choice("channel_binding", &["disable", "prefer", "require"])?;
        let is_direct = self.choice("sslnegotiation", &["postgres", "direct"])? == Some("direct");
        // As libpq does: authorities that anybody can have sign say nothing without the name.
        let mode = mode.unwrap_or(if is_system { "verify-full" } else { "prefer" });
        if is_system && mode != "verify-full" {
            return Err(SettingsError::Value {
                key: "sslmode",
                expected: "verify-full where `sslrootcert` is system",
            });
        }
        if is_direct && matches!(mode, "disable" | "allow" | "prefer") {
            return Err(SettingsError::Value {
                key: "sslmode",
                expected: "require, verify-ca or verify-full where `sslnegotiation` is direct",
            });
        }
        config.ssl_mode(match mode {
            "disable" => SslMode::Disable,
            "allow" | "prefer" => SslMode::Prefer,
            _ => SslMode::Require,
        });
        if mode == "verify-full" && hosts.iter().any(|host| host.name.is_empty()) {
            return Err(SettingsError::Host);
        }
        config.ssl_negotiation(if is_direct {
            SslNegotiation::Direct
        } else {
            SslNegotiation::Postgres
        });
        config.channel_binding(match binding {
            Some("disable") => ChannelBinding::Disable,
            Some("require") => ChannelBinding::Require,
            _ => ChannelBinding::Prefer,
        });
        let own = match (self.take("sslcert"), self.take("sslkey")) {
            (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
            (None, None) => None,
            _ => {
                return Err(SettingsError::Value {
                    key: "sslkey",
                    expected: "given with `sslcert`, and the other way round",
                });
            }
        };
        Ok(TlsSettings {
            verification: match mode {
                "verify-full" => Verification::Full,
                "verify-ca" => Verification::Authority,
                // As libpq does.
                "require" if roots.is_some() => Verification::Authority,
                _ => Verification::Nothing,
            },
            roots: match roots {
                Some(path) if !is_system => Roots::File(path.into()),
                _ => Roots::System,
            },
            own,
            is_direct,
        })
    }

    /// Refuses what is left, except for what changes nothing here.
    fn finish(mut self) -> Result<(), SettingsError> {
        self.choice("gssencmode", &["disable", "prefer"])?;
        self.choice("sslcompression", &["0"])?;
        self.choice("client_encoding", &["UTF8", "utf8", "UTF-8", "auto"])?;
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(SettingsError::Unknown(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(settings.passfile.as_deref(), Some(Path::new("/home/a/.pgpass")));
        let settings = Settings::parse("postgres://a:meins@/site?passfile=/x", variable).unwrap();
        assert_eq!(settings.hosts[0].name, "db9");
        assert_eq!(settings.tls.verification, Verification::Full);
        assert_eq!(settings.password.as_ref().unwrap().expose(), "meins");
        assert_eq!(settings.passfile.as_deref(), Some(Path::new("/x")));
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
            "postgres://db?colour=red",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
