//! The kinds of challenges by which a directory checks that a domain leads here.

use std::fmt;

use instant_acme::ChallengeType;
use serde::{Deserialize, Serialize};

/// A kind of challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A request for a file, on port 80.
    #[serde(rename = "http-01")]
    Http01,
    /// A TLS handshake, on port 443.
    #[serde(rename = "tls-alpn-01")]
    TlsAlpn01,
}

impl Kind {
    /// Returns the kinds in the order in which they are tried. `plain_ports` are those of the plain listeners.
    pub fn in_order(plain_ports: &[u16], worked: Option<Self>) -> Vec<Self> {
        let mut kinds = match plain_ports {
            [] => vec![Self::TlsAlpn01],
            // It gets through any proxy between the directory and this server.
            ports if ports.contains(&80) => vec![Self::Http01, Self::TlsAlpn01],
            // Something else may forward port 80 to one of them.
            _ => vec![Self::TlsAlpn01, Self::Http01],
        };
        kinds.sort_by_key(|&kind| Some(kind) != worked);
        kinds
    }

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

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Http01 => "HTTP-01",
            Self::TlsAlpn01 => "TLS-ALPN-01",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Http01, TlsAlpn01};

    #[test]
    fn kinds_are_tried_where_they_can_succeed_and_what_worked_first() {
        for (ports, worked, expected) in [
            (&[][..], None, &[TlsAlpn01][..]),
            (&[], Some(Http01), &[TlsAlpn01]),
            (&[80], None, &[Http01, TlsAlpn01]),
            (&[8080, 80], None, &[Http01, TlsAlpn01]),
            (&[80], Some(TlsAlpn01), &[TlsAlpn01, Http01]),
            (&[8080], None, &[TlsAlpn01, Http01]),
            (&[8080], Some(Http01), &[Http01, TlsAlpn01]),
        ] {
            assert_eq!(Kind::in_order(ports, worked), expected, "{ports:?} {worked:?}");
        }
    }
}
