//! How connections are protected: libpq's parameters for TLS.

use std::path::PathBuf;

use super::settings_error::SettingsError;
use super::url::Parameters;

/// What of the server's certificate is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Nothing. What is sent is hidden from those who listen, but not from those who intercept it.
    Nothing,
    /// That an authority issued it.
    Authority,
    /// That, and that it is for this host.
    Full,
}

/// Which authorities are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots {
    /// Those of the system.
    System,
    /// Those in a file.
    File(PathBuf),
}

/// What a connection by TLS needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// What is checked.
    pub verification: Verification,
    /// Which authorities are trusted.
    pub roots: Roots,
    /// Certificate and key that the server is shown.
    pub own: Option<(PathBuf, PathBuf)>,
    /// Whether TLS begins at once, without PostgreSQL's question for it.
    pub is_direct: bool,
}

impl TlsSettings {
    /// Takes what TLS needs. Leaves of `sslmode` what tokio-postgres knows: whether TLS is used.
    pub fn take(given: &mut Parameters) -> Result<Self, SettingsError> {
        let wrong = |key, expected| Err(SettingsError::Value { key, expected });
        let roots = given.remove("sslrootcert");
        let is_system = roots.as_deref() == Some("system");
        let is_direct = given.get("sslnegotiation").is_some_and(|value| value == "direct");
        let mode = given.remove("sslmode");
        // As libpq does: without the name, authorities that sign for anybody vouch for nothing.
        let mode = mode
            .as_deref()
            .unwrap_or(if is_system { "verify-full" } else { "prefer" });
        let (usage, verification) = match mode {
            "disable" => ("disable", Verification::Nothing),
            "allow" | "prefer" => ("prefer", Verification::Nothing),
            // As libpq does.
            "require" if roots.is_some() => ("require", Verification::Authority),
            "require" => ("require", Verification::Nothing),
            "verify-ca" => ("require", Verification::Authority),
            "verify-full" => ("require", Verification::Full),
            _ => {
                let expected = "disable, allow, prefer, require, verify-ca or verify-full";
                return wrong("sslmode", expected);
            }
        };
        if is_system && mode != "verify-full" {
            return wrong("sslmode", "verify-full where `sslrootcert` is system");
        }
        if is_direct && usage != "require" {
            let expected = "require, verify-ca or verify-full where `sslnegotiation` is direct";
            return wrong("sslmode", expected);
        }
        given.insert("sslmode".to_owned(), usage.to_owned());
        let own = match (given.remove("sslcert"), given.remove("sslkey")) {
            (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
            (None, None) => None,
            _ => return wrong("sslkey", "given with `sslcert`, and the other way round"),
        };
        Ok(Self {
            verification,
            roots: match roots {
                Some(path) if !is_system => Roots::File(path.into()),
                _ => Roots::System,
            },
            own,
            is_direct,
        })
    }
}
