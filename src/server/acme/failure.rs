//! Why there is no certificate and what to do about it, in one line for the operator.

use instant_acme::{Error, Problem};

use super::challenge::ChallengeKind;
use crate::base::text::mail_address::one_line;
use crate::server::tls::CertificateFault;
use crate::store::Unavailable;

/// Prefix of the problem types that RFC 8555 defines.
const TYPES: &str = "urn:ietf:params:acme:error:";

/// Why an attempt to get a certificate failed.
#[derive(Debug, thiserror::Error)]
pub enum AcmeFailure {
    /// The CA cannot be reached, or returned an error.
    #[error("{}", told(.0))]
    Directory(#[from] Error),
    /// The CA checked a name and did not get the right response.
    #[error("the directory could not check {domain} by {kind}: {reason}; {}", kind.advice())]
    Check {
        /// The name.
        domain: String,
        /// The challenge type.
        kind: ChallengeKind,
        /// The error that the CA reports.
        reason: String,
    },
    /// The CA does not offer this challenge type.
    #[error("the directory does not offer to check {0} by {1}; take another directory with --acme-directory")]
    NotOffered(String, ChallengeKind),
    /// The CA ended an order without a reason.
    #[error("the directory gave the order up without a reason; it is tried again")]
    GivenUp,
    /// The certificate is not what was ordered.
    #[error("the certificate cannot be used: {0}; check the clock of this machine, then the directory")]
    Unusable(&'static str),
    /// The certificate and the key cannot be used together.
    #[error("the certificate cannot be used: {0}")]
    Fault(#[from] CertificateFault),
    /// A key or a signing request could not be created.
    #[error("a key cannot be made: {0}; please report it")]
    Key(#[from] rcgen::Error),
    /// The store does not answer.
    #[error("the store does not answer; check the disk, or that the database runs")]
    Store(#[from] Unavailable),
    /// The attempt timed out.
    #[error("the directory took too long; it may be busy")]
    TooLong,
}

impl AcmeFailure {
    /// Whether another challenge type may succeed right away.
    pub fn is_of_challenge(&self) -> bool {
        matches!(self, Self::Check { .. } | Self::NotOffered(..))
    }
}

/// Describes an error of the CA, with advice.
fn told(error: &Error) -> String {
    match error {
        Error::Api(problem) => format!("the directory refuses: {}; {}", detail(problem), advice(problem)),
        Error::Other(other) => format!(
            "{other}; check --acme-directory, the name server, the firewall and the clock, and for a private directory --acme-ca"
        ),
        Error::Json(_) => {
            "the directory gave an unexpected answer; check that --acme-directory is the address of an ACME directory"
                .to_owned()
        }
        Error::Timeout(_) => "the directory did not finish in time; it may be busy".to_owned(),
        Error::Crypto | Error::KeyRejected => {
            "the account's key cannot be used; the next try makes a new account".to_owned()
        }
        other => format!("{other}; check that --acme-directory is the address of an ACME directory"),
    }
}

/// The detail of a problem document, on one line.
pub fn detail(problem: &Problem) -> String {
    let mut parts: Vec<&str> = problem.detail.as_deref().into_iter().collect();
    parts.extend(problem.subproblems.iter().filter_map(|sub| sub.detail.as_deref()));
    if parts.is_empty() {
        parts.push(kind(problem));
    }
    one_line(&parts.join("; "))
}

fn kind(problem: &Problem) -> &str {
    let kind = problem.r#type.as_deref().unwrap_or("no reason given");
    kind.strip_prefix(TYPES).unwrap_or(kind)
}

fn advice(problem: &Problem) -> &'static str {
    match kind(problem) {
        "rateLimited" => {
            "it is tried again when the directory allows it; use its staging directory for trials"
        }
        "rejectedIdentifier" | "unsupportedIdentifier" | "malformed" => "check the domains of --acme",
        "caa" => "allow the authority in the CAA record of the domain",
        "dns" => "check the domain's records at its name server",
        "invalidContact" | "unsupportedContact" => "check --acme-contact",
        "externalAccountRequired" => {
            "it wants an account that was created on its site, which is not supported: choose another with --acme-directory"
        }
        "userActionRequired" => "its terms have changed: follow the link that it gives",
        _ => "it is tried again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(kind: &str, detail: &str) -> Problem {
        let json = serde_json::json!({ "type": format!("{TYPES}{kind}"), "detail": detail, "status": 403 });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn each_failure_is_one_line_with_advice() {
        for (failure, expected) in [
            (
                AcmeFailure::from(Error::Api(problem("rateLimited", "too many\ncertificates"))),
                "the directory refuses: too many certificates; it is tried again when the directory allows it",
            ),
            (
                AcmeFailure::from(Error::Api(problem("caa", ""))),
                "the directory refuses: ; allow the authority in the CAA record",
            ),
            (
                AcmeFailure::from(Error::Other("a.example answered 502 Bad Gateway".into())),
                "a.example answered 502 Bad Gateway; check --acme-directory",
            ),
            (
                AcmeFailure::from(Error::Other("cannot connect to a.example port 443".into())),
                "cannot connect to a.example port 443; check --acme-directory, the name server",
            ),
            (
                AcmeFailure::Check {
                    domain: "www.example.de".to_owned(),
                    kind: ChallengeKind::TlsAlpn01,
                    reason: detail(&problem("connection", "Connection refused")),
                },
                "the directory could not check www.example.de by TLS-ALPN-01: Connection refused; the domain must lead to",
            ),
        ] {
            let line = failure.to_string();
            assert!(line.starts_with(expected), "{line}");
            assert_eq!(line.lines().count(), 1, "{line}");
        }
    }
}
