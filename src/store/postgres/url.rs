//! Splits a database's address, `postgres://user:password@host:port,host:port/database?key=value`, and hides its passwords.

use percent_encoding::percent_decode_str;

/// Prefix of all addresses of this engine.
pub const NAME: &str = "postgres";

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Parameters whose values are secret.
const SECRET_KEYS: [&str; 2] = ["password", "sslpassword"];

/// Replaces secrets.
const HIDDEN: &str = "***";

/// The parts of an address, still percent-encoded.
pub struct DatabaseUrl<'a> {
    /// `postgres://` or `postgresql://`.
    pub scheme: &'a str,
    /// User and password.
    pub login: Option<&'a str>,
    /// Hosts with their ports.
    pub hosts: &'a str,
    /// Name of the database.
    pub database: Option<&'a str>,
    /// Parameters.
    pub query: Option<&'a str>,
}

impl<'a> DatabaseUrl<'a> {
    /// Splits an address; `None` for another scheme.
    pub fn of(text: &'a str) -> Option<Self> {
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

/// Splits a text at the first `sign`.
fn split(text: &str, sign: char) -> (&str, Option<&str>) {
    match text.split_once(sign) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Whether a text is an address of this engine.
pub fn is_address(text: &str) -> bool {
    DatabaseUrl::of(text).is_some()
}

/// Returns an address with its passwords hidden; `None` if it has none.
pub fn without_password(text: &str) -> Option<String> {
    let address = DatabaseUrl::of(text)?;
    let DatabaseUrl { scheme, hosts, .. } = address;
    let has_sign = |part: Option<&str>| part.is_some_and(|part| part.contains('@'));
    // An unencoded password may extend up to the last `@`.
    if has_sign(address.database)
        || (has_sign(address.query) && address.login.is_none() && hosts.contains(':'))
    {
        return Some(format!("{scheme}{HIDDEN}"));
    }
    let tail = |part: &str| text.get(scheme.len() + part.len()..).unwrap_or_default();
    let mut shown = match address
        .login
        .and_then(|login| Some((login, login.split_once(':')?.0)))
    {
        Some((login, user)) => format!("{scheme}{user}:{HIDDEN}{}", tail(login)),
        None => text.to_owned(),
    };
    if let Some(query) = address.query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((key, _)) if is_secret(key) => format!("{key}={HIDDEN}"),
            _ => pair.to_owned(),
        });
        let pairs: Vec<_> = pairs.collect();
        shown.truncate(shown.len() - query.len());
        shown += &pairs.join("&");
    }
    (shown != text).then_some(shown)
}

fn is_secret(key: &str) -> bool {
    let key = percent_decode_str(key).decode_utf8_lossy();
    SECRET_KEYS.contains(&key.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

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
