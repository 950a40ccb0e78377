//! The kinds of challenges by which a directory checks that a domain leads here.

use std::fmt;

use instant_acme::ChallengeType;

/// A kind of challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChallengeKind {
    /// A request for a file, on port 80.
    Http01,
    /// A TLS handshake, on port 443.
    TlsAlpn01,
}

impl ChallengeKind {
    /// Returns the library's name for it.
    pub fn library_name(self) -> ChallengeType {
        match self {
            Self::Http01 => ChallengeType::Http01,
            Self::TlsAlpn01 => ChallengeType::TlsAlpn01,
        }
    }

    /// Says what a check of this kind needs.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Http01 => "the domain must lead to this machine, and its port 80 to a plain listener",
            Self::TlsAlpn01 => {
                "the domain must lead to this machine, and its port 443 to --tls-listen, with no TLS proxy in between"
            }
        }
    }
}

impl fmt::Display for ChallengeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Http01 => "HTTP-01",
            Self::TlsAlpn01 => "TLS-ALPN-01",
        })
    }
}
