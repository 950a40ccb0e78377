//! An erasure as JSON: `{"ids":["…"]}` or `{"until":"…"}` there, `{"erased":2}` or `{"unknown":"…"}` back.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::inquiry::parse_rfc3339;
use crate::store::Erasure;

/// What is asked for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EraseRequest {
    /// The ids of the inquiries.
    Ids(BTreeSet<String>),
    /// All that were made before this RFC 3339 time.
    Until(String),
    /// All that were received before this RFC 3339 time.
    ReceivedBefore(String),
}

impl From<&Erasure> for EraseRequest {
    fn from(what: &Erasure) -> Self {
        match what {
            Erasure::Ids(ids) => Self::Ids(ids.iter().map(Uuid::to_string).collect()),
            Erasure::Until(time) => Self::Until(time.to_string()),
            Erasure::ReceivedBefore(time) => Self::ReceivedBefore(time.to_string()),
        }
    }
}

impl EraseRequest {
    /// Parses a body; `None` if something in it is not understood.
    pub fn parse(body: &[u8]) -> Option<Erasure> {
        match serde_json::from_slice(body).ok()? {
            Self::Ids(ids) => {
                let ids = ids.iter().map(|id| id.parse().ok());
                ids.collect::<Option<_>>().map(Erasure::Ids)
            }
            Self::Until(time) => parse_rfc3339(&time).map(Erasure::Until),
            Self::ReceivedBefore(time) => parse_rfc3339(&time).map(Erasure::ReceivedBefore),
        }
    }
}

/// How many were erased.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EraseResponse {
    /// That many inquiries were erased.
    Erased(u64),
    /// None, because there is no inquiry with this id.
    Unknown(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        for what in [
            Erasure::Ids(BTreeSet::from([Uuid::from_u128(1), Uuid::from_u128(2)])),
            Erasure::Until("2026-11-08T12:00:00.5Z".parse().unwrap()),
            Erasure::ReceivedBefore("2026-11-08T12:00:00.5Z".parse().unwrap()),
        ] {
            let written = serde_json::to_vec(&EraseRequest::from(&what)).unwrap();
            assert_eq!(EraseRequest::parse(&written), Some(what));
        }
        for wrong in [
            "",
            "{}",
            "[]",
            r#"{"ids":["1"]}"#,
            r#"{"until":"2026-11-08"}"#,
            r#"{"until":null}"#,
            r#"{"ids":[],"until":"2026-11-08T12:00:00Z"}"#,
            r#"{"all":true}"#,
        ] {
            assert_eq!(EraseRequest::parse(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
