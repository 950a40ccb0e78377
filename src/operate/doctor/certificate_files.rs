//! What `--tls-cert` and `--tls-key` name. A running server may have read the files long ago, and keeps what it has
//! when they are wrong, so that the public address does not show it before the next start.

use std::time::Duration;

use jiff::Timestamp;

use super::certificate::{CHECK, DAY, RENEW_NOW, RENEWED};
use super::finding::{Finding, Level};
use crate::base::text::mail_address::one_line;
use crate::config::{CertificateFiles, CertificateSource, Config};

/// Returns what is wrong with the files, unless the public address shows something worse.
pub fn beside(config: &Config, shown: Finding) -> Finding {
    let Some(CertificateSource::Files(files)) = config.tls.as_ref().map(|tls| &tls.source) else {
        return shown;
    };
    let read = judge(files, Timestamp::now());
    // Of two that are equally bad, the files are the nearer cause.
    match (read.level, shown.level) {
        // Trust is one thing, expiry another: whoever fixes one should know of the other.
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

fn judge(files: &CertificateFiles, now: Timestamp) -> Finding {
    let certificate = match files.certificate() {
        Ok(certificate) => certificate,
        Err(fault) => {
            return Finding::error(
                CHECK,
                one_line(&fault.to_string()),
                "put a certificate and its key there; a server that runs keeps the former ones, and does not start again",
            );
        }
    };
    let file = files.certificate.display();
    let left = Duration::try_from(certificate.validity.end.duration_since(now));
    match left.map(|left| left.as_secs() / DAY) {
        Err(_) => Finding::error(
            CHECK,
            format!("{file} has expired"),
            "it is over: renew it, and find out why that did not happen by itself",
        ),
        Ok(days) if days < RENEWED => Finding::warning(
            CHECK,
            match days {
                0 => format!("{file} ends within a day"),
                days => format!("{file} ends within {} days", days + 1),
            },
            RENEW_NOW,
        ),
        Ok(_) => Finding::ok(CHECK, format!("{file} is good for more than {RENEWED} days")),
    }
}
