//! The address of a database as libpq writes it: `postgres://user:password@host:port,host:port/database?key=value`.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::parameters::Parameters;
use super::settings_error::SettingsError;

/// What every address of this engine begins with.
pub const NAME: &str = "postgres";

/// What may be in front of the rest.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Keys whose values are nobody's business.
const SECRET_KEYS: [&str; 2] = ["password", "sslpassword"];

/// What stands for a secret.
const HIDDEN: &str = "***";

/// Returns whether a text is an address of this engine.
pub fn is_address(text: &str) -> bool {
    without_scheme(text).is_some()
}

fn without_scheme(text: &str) -> Option<&str> {
    SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme))
}

/// Takes an address apart.
///
/// # Errors
/// When it is not understood. The error shows nothing of it, since any part may hold the password by a slip.
pub fn parameters(text: &str) -> Result<Parameters, SettingsError> {
    let rest = without_scheme(text).ok_or(SettingsError::Scheme)?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
    if database.contains('@') {
        return Err(SettingsError::Sign);
    }
    let mut found = Parameters::default();
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (login, hosts),
        None => ("", authority),
    };
    let (user, password) = match login.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (login, None),
    };
    push(&mut found, "user", user)?;
    push(&mut found, "password", password.unwrap_or_default())?;
    if !hosts.is_empty() {
        let mut names = Vec::new();
        let mut ports = Vec::new();
        for host in hosts.split(',') {
            let (name, port) = host_and_port(host)?;
            names.push(decoded(name)?.into_owned());
            ports.push(port);
        }
        found.push("host", names.join(","));
        if ports.iter().any(|port| !port.is_empty()) {
            found.push("port", ports.join(","));
        }
    }
    push(&mut found, "dbname", database)?;
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or(SettingsError::Query)?;
        found.push(&decoded(key)?, decoded(value)?.into_owned());
    }
    Ok(found)
}

fn push(found: &mut Parameters, key: &str, value: &str) -> Result<(), SettingsError> {
    if !value.is_empty() {
        found.push(key, decoded(value)?.into_owned());
    }
    Ok(())
}

/// Splits `host:port`; an IPv6 address stands in brackets.
fn host_and_port(text: &str) -> Result<(&str, &str), SettingsError> {
    if let Some(rest) = text.strip_prefix('[') {
        let (address, rest) = rest.split_once(']').ok_or(SettingsError::Host)?;
        return match rest.strip_prefix(':') {
            Some(port) => Ok((address, port)),
            None if rest.is_empty() => Ok((address, "")),
            None => Err(SettingsError::Host),
        };
    }
    Ok(text.split_once(':').unwrap_or((text, "")))
}

fn decoded(text: &str) -> Result<Cow<'_, str>, SettingsError> {
    let decoded = percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| SettingsError::Text)?;
    if decoded.contains('\0') {
        return Err(SettingsError::Text);
    }
    Ok(decoded)
}

/// Returns an address without the passwords in it; `None` if it has none.
pub fn without_password(text: &str) -> Option<String> {
    let rest = without_scheme(text)?;
    let scheme = text.strip_suffix(rest)?;
    let (place, query) = match rest.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (rest, None),
    };
    let (authority, database) = match place.split_once('/') {
        Some((authority, database)) => (authority, Some(database)),
        None => (place, None),
    };
    let is_elsewhere = |part: Option<&str>| part.is_some_and(|part| part.contains('@'));
    // A password that should have been encoded may reach as far as its last sign.
    if is_elsewhere(database) || (is_elsewhere(query) && !authority.contains('@') && authority.contains(':'))
    {
        return Some(format!("{scheme}{HIDDEN}"));
    }
    let mut hides = false;
    let mut shown = scheme.to_owned();
    match authority.rsplit_once('@') {
        Some((login, hosts)) => {
            let user = login.split_once(':').map(|(user, _)| user);
            hides = user.is_some();
            shown += user.unwrap_or(login);
            if hides {
                shown = format!("{shown}:{HIDDEN}");
            }
            shown = format!("{shown}@{hosts}");
        }
        None => shown += authority,
    }
    if let Some(database) = database {
        shown = format!("{shown}/{database}");
    }
    if let Some(query) = query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((key, _)) if is_secret(key) => {
                hides = true;
                format!("{key}={HIDDEN}")
            }
            _ => pair.to_owned(),
        });
        let pairs: Vec<_> = pairs.collect();
        shown = format!("{shown}?{}", pairs.join("&"));
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
                    "user=u",
                    "password=p@:/",
                    "host=db1,::1,db3",
                    "port=5433,,",
                    "dbname=name",
                    "sslmode=verify-full",
                    "options=-c search_path=a",
                ],
            ),
            ("postgres://u:a@b@db", &["user=u", "password=a@b", "host=db"]),
            (
                "postgres://%2Frun%2Fpostgresql/name",
                &["host=/run/postgresql", "dbname=name"],
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
