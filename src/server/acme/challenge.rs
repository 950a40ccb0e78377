//! The challenge types by which a CA checks that a domain leads to this server, and the response to each.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use instant_acme::{ChallengeHandle, ChallengeType};

use crate::web::Challenges;

/// A challenge type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeKind {
    /// An HTTP request for a file, on port 80.
    Http01,
    /// A TLS handshake on port 443.
    TlsAlpn01,
}

impl ChallengeKind {
    /// The type in the ACME library.
    pub fn library_name(self) -> ChallengeType {
        match self {
            Self::Http01 => ChallengeType::Http01,
            Self::TlsAlpn01 => ChallengeType::TlsAlpn01,
        }
    }

    /// What a check of this type requires, as advice for the operator.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Http01 => "the domain must lead to this machine, and its port 80 to a plain listener",
            Self::TlsAlpn01 => {
                "the domain must lead to this machine, and its port 443 to --tls-listen, with no TLS proxy in between"
            }
        }
    }

    /// The name and text of the response to a challenge for a domain, as [`Challenges`] stores them.
    pub fn response(self, domain: &str, challenge: &ChallengeHandle<'_>) -> (String, String) {
        let authorization = challenge.key_authorization();
        let (name, text) = match self {
            Self::Http01 => (&*challenge.token, authorization.as_str().to_owned()),
            Self::TlsAlpn01 => (domain, STANDARD.encode(authorization.digest())),
        };
        (format!("{self} {name}"), text)
    }
}

impl fmt::Display for ChallengeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Http01 => Challenges::HTTP_01,
            Self::TlsAlpn01 => Challenges::TLS_ALPN_01,
        })
    }
}
