//! Checks how long the certificate remains valid, both the one visitors get and the one in the files of `--tls-cert` and
//! `--tls-key`. A running server may have read the files long ago, and keeps its certificate if they are invalid, so problems with
//! the files do not show at the public address until the next start.

use std::time::Duration;

use jiff::Timestamp;
use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_cert::der::Decode;

use super::{Finding, Level};
use crate::base::text::mail_address::one_line;
use crate::config::{CertificateSource, Config};

/// The name of the check.
pub const CHECK: &str = "certificate";

/// How many days before its expiry a certificate should have been renewed: half of the month that remains when those of Let's
/// Encrypt are due.
const RENEWED: u64 = 14;

/// Seconds per day.
const DAY: u64 = 24 * 60 * 60;

/// Judges the remaining validity of a chain that the handshake accepted.
pub fn shown(chain: Option<&[CertificateDer<'_>]>) -> Finding {
    let leaf = chain.and_then(|chain| x509_cert::Certificate::from_der(chain.first()?).ok());
    match leaf {
        Some(leaf) => {
            let end = leaf.tbs_certificate.validity.not_after.to_system_time();
            good_until("it", Timestamp::try_from(end).unwrap_or(Timestamp::MAX))
        }
        None => Finding::error(
            CHECK,
            "the public address shows none",
            "see the log of the server or proxy",
        ),
    }
}

fn good_until(what: &str, end: Timestamp) -> Finding {
    let left = Duration::try_from(end.duration_since(Timestamp::now()));
    match left.map(|left| left.as_secs() / DAY) {
        Err(_) => Finding::error(
            CHECK,
            format!("{what} has expired"),
            "it is over: renew it, and find out why that did not happen by itself",
        ),
        Ok(days) if days < RENEWED => Finding::warning(
            CHECK,
            match days {
                0 => format!("{what} ends within a day"),
                days => format!("{what} ends within {} days", days + 1),
            },
            "renew it now, and find out why that did not happen by itself",
        ),
        Ok(_) => Finding::ok(CHECK, format!("{what} is good for more than {RENEWED} days")),
    }
}

/// The finding about the files, unless the public address has a worse one.
pub fn with_files(config: &Config, shown: Finding) -> Finding {
    let Some(CertificateSource::Files(files)) = &config.certificate else {
        return shown;
    };
    let file = files.certificate.display().to_string();
    let read = match files.certificate() {
        Ok(certificate) => good_until(&file, certificate.validity.end),
        Err(fault) => Finding::error(
            CHECK,
            one_line(&fault),
            "put a certificate and its key there; a server that runs keeps the former ones, and does not start again",
        ),
    };
    // If both are equally bad, report the files, which are the likelier cause.
    match (read.level, shown.level) {
        // An untrusted certificate may expire soon as well; the operator should fix both at once.
        (Level::Warning, Level::Error) => both(&shown, &read),
        (Level::Error, _) | (Level::Warning, Level::Ok | Level::Warning) => read,
        (Level::Ok, _) => shown,
    }
}

fn both(shown: &Finding, read: &Finding) -> Finding {
    let advice = [&shown.advice, &read.advice].map(|advice| advice.as_deref().unwrap_or_default());
    let message = format!("{}; {}", shown.message, read.message);
    Finding::error(CHECK, message, advice.join("; "))
}

/// The finding about a failed handshake.
pub fn refused(reason: &str) -> Finding {
    let advice = if reason.contains("Expired") || reason.contains("expired") {
        "it is over: renew it, and find out why that did not happen by itself"
    } else if reason.contains("NotValidForName") || reason.contains("not valid for name") {
        "get a certificate for the host of --public-url"
    } else if reason.contains("UnknownIssuer") {
        "have the whole chain sent, intermediate certificates included; SSL_CERT_FILE names an authority of your own"
    } else {
        "see the log of the server or proxy that answers at the public address"
    };
    Finding::error(CHECK, format!("browsers refuse it: {reason}"), advice)
}
