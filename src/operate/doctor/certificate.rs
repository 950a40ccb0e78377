//! How long a server's certificate is good for. It is verified as of later days, as a browser would then.

use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use super::finding::Finding;
use crate::outbox::sending::{self, SendError};

/// The name of the check.
pub const CHECK: &str = "certificate";

/// How many days before its end it should have been renewed: half of the month that is left when Let's Encrypt's are
/// due.
pub const RENEWED: u64 = 14;

/// In seconds.
pub const DAY: u64 = 24 * 60 * 60;

/// What to do about one that ends soon.
pub const RENEW_NOW: &str = "renew it now, and find out why that did not happen by itself";

/// Judges the chain that a server has shown and that is good today.
pub fn judge(chain: &[CertificateDer<'_>], name: &ServerName<'_>) -> Finding {
    let Some((leaf, rest)) = chain.split_first() else {
        return Finding::error(
            CHECK,
            "the public address shows none",
            "see the log of the server or proxy",
        );
    };
    let verifier = match verifier() {
        Ok(verifier) => verifier,
        Err(error) => return Finding::error(CHECK, error.to_string(), "install the package ca-certificates"),
    };
    let is_good_after = |days: u64| {
        let then = UnixTime::since_unix_epoch(Duration::from_secs(UnixTime::now().as_secs() + days * DAY));
        verifier.verify_server_cert(leaf, rest, name, &[], then).is_ok()
    };
    match (1..=RENEWED).find(|&days| !is_good_after(days)) {
        None => Finding::ok(CHECK, format!("good for more than {RENEWED} days")),
        Some(days) => Finding::warning(
            CHECK,
            match days {
                1 => "it ends within a day".to_owned(),
                _ => format!("it ends within {days} days"),
            },
            RENEW_NOW,
        ),
    }
}

/// Returns what trusts the authorities of the system.
fn verifier() -> Result<Arc<WebPkiServerVerifier>, SendError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(sending::roots(None)?);
    let provider = Arc::new(ring::default_provider());
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| SendError::transient(format_args!("TLS cannot be set up: {error}")))
}

/// Describes a handshake that failed.
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

/// Describes an address without one.
pub fn absent() -> Finding {
    Finding::warning(
        CHECK,
        "the public address is http://, so what visitors send can be read on its way",
        "serve it by HTTPS, and set --public-url to its https:// address",
    )
}

/// Describes one that was not seen.
pub fn unseen() -> Finding {
    Finding::warning(
        CHECK,
        "not seen, because the public address does not answer",
        "make it answer, and run this again",
    )
}

/// Describes one that is not needed.
pub fn not_needed() -> Finding {
    Finding::ok(CHECK, "not needed on this machine")
}
