//! The address of a database as libpq writes it: `postgres://user:password@host:port,host:port/database?key=value`.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use super::settings_error::SettingsError;

/// What every address of this engine begins with.
pub const NAME: &str = "postgres";

/// What may come before the rest.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Keys whose values are secret.
const SECRET_KEYS: [&str; 2] = ["password", "sslpassword"];

/// What is shown instead of a secret.
const HIDDEN: &str = "***";

/// libpq's parameters by their names.
pub type Parameters = BTreeMap<String, String>;

/// The parts of an address, still encoded.
struct Address<'a> {
    scheme: &'a str,
    /// User and password.
    login: Option<&'a str>,
    hosts: &'a str,
    database: Option<&'a str>,
    query: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// Splits an address; `None` if it is of another kind.
    fn of(text: &'a str) -> Option<Self> {
        let scheme = SCHEMES.into_iter().find(|scheme| text.starts_with(scheme))?;
        let (place, query) = split(text.strip_prefix(scheme)?, '?');
        let (authority, database) = split(place, '/');
        let (login, hosts) = match authority.rsplit_once('@') {
            Some((login, hosts)) => (Some(login), hosts),
            None => (None, authority),
        };
        Some(Self {
            scheme,
            login,
            hosts,
            database,
            query,
        })
    }
}

/// Splits a text at the first sign of this kind.
fn split(text: &str, sign: char) -> (&str, Option<&str>) {
    match text.split_once(sign) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Returns whether a text is an address of this engine.
pub fn is_address(text: &str) -> bool {
    Address::of(text).is_some()
}

/// Reads the parameters in an address. Hosts and ports are lists, separated by commas.
///
/// # Errors
/// When it is not understood. The error shows nothing of it, since any part may hold the password by mistake.
pub fn parameters(text: &str) -> Result<Parameters, SettingsError> {
    let address = Address::of(text).ok_or(SettingsError::Scheme)?;
    let database = address.database.unwrap_or_default();
    if database.contains('@') {
        return Err(SettingsError::Sign);
    }
    let (user, password) = split(address.login.unwrap_or_default(), ':');
    let mut names = Vec::new();
    let mut ports = Vec::new();
    for host in address.hosts.split(',') {
        let (name, port) = host_and_port(host)?;
        names.push(decoded(name)?);
        ports.push(port);
    }
    let has_ports = ports.iter().any(|port| !port.is_empty());
    let mut found = Parameters::new();
    for (key, value) in [
        ("user", decoded(user)?),
        ("password", decoded(password.unwrap_or_default())?),
        ("host", names.join(",")),
        ("port", if has_ports { ports.join(",") } else { String::new() }),
        ("dbname", decoded(database)?),
    ] {
        if !value.is_empty() {
            found.insert(key.to_owned(), value);
        }
    }
    let pairs = address.query.unwrap_or_default().split('&');
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or(SettingsError::Query)?;
        found.insert(decoded(key)?, decoded(value)?);
    }
    Ok(found)
}

/// Splits `host:port`; an IPv6 address stands in brackets.
fn host_and_port(text: &str) -> Result<(&str, &str), SettingsError> {
    let Some(rest) = text.strip_prefix('[') else {
        return Ok(text.split_once(':').unwrap_or((text, "")));
    };
    let (name, rest) = rest.split_once(']').ok_or(SettingsError::Host)?;
    match rest.strip_prefix(':') {
        Some(port) => Ok((name, port)),
        None if rest.is_empty() => Ok((name, "")),
        None => Err(SettingsError::Host),
    }
}

fn decoded(text: &str) -> Result<String, SettingsError> {
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decoded.map_err(|_| SettingsError::Text)?.into_owned();
    if decoded.contains('\0') {
        return Err(SettingsError::Text);
    }
    Ok(decoded)
}

/// Returns an address without the passwords in it; `None` if it has none.
pub fn without_password(text: &str) -> Option<String> {
    let address = Address::of(text)?;
    let Address { scheme, hosts, .. } = address;
    let has_sign = |part: Option<&str>| part.is_some_and(|part| part.contains('@'));
    // A password that should have been encoded may reach as far as its last `@`.
    if has_sign(address.database)
        || (has_sign(address.query) && address.login.is_none() && hosts.contains(':'))
    {
        return Some(format!("{scheme}{HIDDEN}"));
    }
    let mut hides = false;
    let mut shown = scheme.to_owned();
    if let Some(login) = address.login {
        let (user, password) = split(login, ':');
        shown += user;
        if password.is_some() {
            hides = true;
            shown.extend([":", HIDDEN]);
        }
        shown.push('@');
    }
    shown += hosts;
    if let Some(database) = address.database {
        shown.extend(["/", database]);
    }
    if let Some(query) = address.query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((key, _)) if is_secret(key) => {
                hides = true;
                format!("{key}={HIDDEN}")
            }
            _ => pair.to_owned(),
        });
        let pairs: Vec<_> = pairs.collect();
        shown.extend(["?", &pairs.join("&")]);
    }
    hides.then_some(shown)
}

fn is_secret(key: &str) -> bool {
    let key = percent_decode_str(key).decode_utf8_lossy();
    SECRET_KEYS.contains(&key.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<String> {
        let found = parameters(text).unwrap();
        found
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect()
    }

    #[test]
    fn an_address_is_taken_apart() {
        for (text, expected) in [
            ("postgres://", &[][..]),
            ("postgresql://db", &["host=db"]),
            (
                "postgres://u:p%40:%2F@db1:5433,[::1],db3/name?sslmode=verify-full&options=-c%20search_path%3Da",
                &[
                    "dbname=name",
                    "host=db1,::1,db3",
                    "options=-c search_path=a",
                    "password=p@:/",
                    "port=5433,,",
                    "sslmode=verify-full",
                    "user=u",
                ],
            ),
            ("postgres://u:a@b@db", &["host=db", "password=a@b", "user=u"]),
            (
                "postgres://%2Frun%2Fpostgresql/name",
                &["dbname=name", "host=/run/postgresql"],
            ),
            ("postgres:///name?host=/run", &["dbname=name", "host=/run"]),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
        for wrong in [
            "mysql://db",
            "postgres://db?a",
            "postgres://%ff@db",
            "postgres://a%00@db",
            "postgres://[::1",
            "postgres://[::1]5432",
            "postgres://u:p/q@db/name",
        ] {
            let error = parameters(wrong).err().unwrap().to_string();
            assert!(!error.contains("p/q"), "{wrong}: {error}");
        }
    }

    #[test]
    fn passwords_are_hidden() {
        for (text, expected) in [
            ("postgres://u:geheim@db/name", "postgres://u:***@db/name"),
            ("postgres://u:geheim@x@db", "postgres://u:***@db"),
            ("postgresql://:geheim@db", "postgresql://:***@db"),
            (
                "postgres://db:5432/name?user=a&password=geheim&sslmode=disable",
                "postgres://db:5432/name?user=a&password=***&sslmode=disable",
            ),
            (
                "postgres://u@db?p%61ssword=geheim",
                "postgres://u@db?p%61ssword=***",
            ),
            ("postgres://u:ge/heim@db/name", "postgres://***"),
            ("postgres://u:ge?heim@db/name", "postgres://***"),
        ] {
            assert_eq!(without_password(text).as_deref(), Some(expected), "{text}");
        }
        for open in [
            "postgres://u@db/name",
            "redb:data",
            "postgres://db:5432/x?sslmode=disable",
        ] {
            assert_eq!(without_password(open), None, "{open}");
        }
    }
}
