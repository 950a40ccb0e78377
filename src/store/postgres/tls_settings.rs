//! How connections are protected: libpq's parameters for TLS.

use std::path::PathBuf;

use tokio_postgres::Config;
use tokio_postgres::config::{ChannelBinding, SslMode, SslNegotiation};

use super::parameters::Parameters;
use super::settings_error::SettingsError;

/// The values of `sslmode`.
const MODES: [&str; 6] = [
    "disable",
    "allow",
    "prefer",
    "require",
    "verify-ca",
    "verify-full",
];

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

/// Takes what TLS needs, and notes in `config` whether and how it is used.
pub fn tls_settings(given: &mut Parameters, config: &mut Config) -> Result<TlsSettings, SettingsError> {
    let roots = given.take("sslrootcert");
    let is_system = roots.as_deref() == Some("system");
    let mode = given.choice("sslmode", &MODES)?;
    let binding = given.choice("channel_binding", &["disable", "prefer", "require"])?;
    let is_direct = given.choice("sslnegotiation", &["postgres", "direct"])? == Some("direct");
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
        own: own_certificate(given)?,
        is_direct,
    })
}

fn own_certificate(given: &mut Parameters) -> Result<Option<(PathBuf, PathBuf)>, SettingsError> {
    match (given.take("sslcert"), given.take("sslkey")) {
        (Some(certificate), Some(key)) => Ok(Some((certificate.into(), key.into()))),
        (None, None) => Ok(None),
        _ => Err(SettingsError::Value {
            key: "sslkey",
            expected: "given with `sslcert`, and the other way round",
        }),
    }
}
