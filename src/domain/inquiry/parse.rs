//! Parsing and validation of a request body.

use std::fmt;

use jiff::Timestamp;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::fault::{ErrorBody, Faults};
use super::fields::{Answers, SENT_NAMES, Sent};
use super::inquiry::NewInquiry;
use super::time;

impl NewInquiry {
    /// Parses a request body: a JSON array of exactly one record, or the bare record. `now` is used if the client sent no credible
    /// time.
    ///
    /// # Errors
    /// The most important fault, by the order of the questionnaire's steps.
    pub fn parse(body: &[u8], now: Timestamp) -> Result<Self, ErrorBody> {
        let record = read(body).map_err(|error| malformed(&error))?;
        Self::check(record, now).map_err(|faults| faults.gravest().unwrap_or_else(unspecific))
    }

    /// Validates every answer of a record.
    ///
    /// # Errors
    /// All invalid answers.
    pub(super) fn check(record: Sent, now: Timestamp) -> Result<Self, Faults> {
        Ok(Self {
            answers: Answers::check(&record)?,
            created_at: time::credible(record.created_at.as_deref(), now),
            sent_created_at: record.created_at,
            suspicion: None,
        })
    }
}

/// Parses the single record of a request.
fn read(body: &[u8]) -> Result<Sent, serde_json::Error> {
    serde_json::from_slice::<One>(body).map(|one| one.0)
}

/// An array of exactly one object, or the bare object.
struct One(Sent);

/// An object. The derived deserializer of [`Sent`] would also accept an array of its values.
struct Object(Sent);

impl<'de> Deserialize<'de> for One {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneVisitor;

        impl<'de> Visitor<'de> for OneVisitor {
            type Value = One;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of exactly one object, or one object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let Some(Object(record)) = seq.next_element()? else {
                    return Err(de::Error::invalid_length(0, &self));
                };
                if seq.next_element::<IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(2, &self));
                }
                Ok(One(record))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Sent::deserialize(MapAccessDeserializer::new(map)).map(One)
            }
        }

        deserializer.deserialize_any(OneVisitor)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Sent::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// The error for an inquiry that is invalid although no field is.
fn unspecific() -> ErrorBody {
    ErrorBody::new("invalid_record", "Die Anfrage hat nicht die erwartete Form")
}

/// The error for a body that is not a record. It gives only the position: the text of `error` may quote the visitor's data.
fn malformed(error: &serde_json::Error) -> ErrorBody {
    let place = format!("line {}, column {}", error.line(), error.column());
    let (code, message, hint) = match error.classify() {
        Category::Data => (
            "invalid_record",
            "Die Anfrage hat nicht die erwartete Form",
            format!(
                "{place}: expected an array of exactly one object, or one object, with the text fields {}, \
                 each at most once and no other",
                SENT_NAMES.join(", ")
            ),
        ),
        _ => (
            "invalid_json",
            "Die Anfrage konnte nicht gelesen werden",
            format!("{place}: this is not JSON in UTF-8"),
        ),
    };
    ErrorBody {
        hint: Some(hint.into()),
        ..ErrorBody::new(code, message)
    }
}
