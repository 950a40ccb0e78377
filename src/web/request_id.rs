//! The id of a request: in the log, and in the answer, so that a visitor's question leads to the line about it.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use ipnet::IpNet;

use crate::web::limits::client_ip;

/// The header.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id that is taken from a proxy. Theirs are UUIDs and the like; a longer text is not one.
const MAX_LENGTH: usize = 64;

/// The number of the next request.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Turns numbers into ids that tell nobody how many requests there were, and that no other process gives.
static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);

/// An id in visible ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id that a trusted proxy has given a request, or else a new one.
    pub fn of(headers: &HeaderMap, peer: IpAddr, trusted: &[IpNet]) -> Self {
        let given = headers.get(HEADER).filter(|id| is_well_formed(id.as_bytes()));
        match given {
            Some(id) if client_ip::is_trusted(peer, trusted) => Self(id.clone()),
            _ => Self::new(),
        }
    }

    fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let [high, low] = KEYS.each_ref().map(|keys| keys.hash_one(number));
        let text = format!("{high:016x}{low:016x}");
        // Digits and letters alone.
        Self(HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("-")))
    }

    /// Returns it as the value of a header.
    pub fn into_value(self) -> HeaderValue {
        self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.to_str().unwrap_or_default())
    }
}

fn is_well_formed(id: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_gives_ids() {
        let proxy = "10.0.0.1".parse().unwrap();
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let id = |value: &'static str, peer, trusted: &[IpNet]| {
            let headers = HeaderMap::from_iter([(HEADER, HeaderValue::from_static(value))]);
            RequestId::of(&headers, peer, trusted).to_string()
        };
        let given = "7f6c-4d.A_9";
        assert_eq!(id(given, proxy, &trusted), given);
        assert_ne!(id(given, proxy, &[]), given);
        for wrong in ["", "a b", "a\"b", "anna@example.de", "x=1;y", LONG] {
            assert_ne!(id(wrong, proxy, &trusted), wrong);
        }
        let (one, other) = (id("", proxy, &[]), id("", proxy, &[]));
        assert_ne!(one, other);
        assert!(one.len() == 32 && is_well_formed(one.as_bytes()), "{one}");
    }

    const LONG: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
}
