//! From the bytes of a request to a valid inquiry, or to the reasons why not.

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
    /// Parses a request body: a JSON array of exactly one record, or the record alone. `now` is the time that
    /// counts when the client sent none that is credible.
    ///
    /// # Errors
    /// The first reason, in the order of the questionnaire's steps, why the body is not an inquiry.
    pub fn parse(body: &[u8], now: Timestamp) -> Result<Self, ErrorBody> {
        let record = read(body).map_err(|error| malformed(&error))?;
        Self::check(record, now).map_err(|faults| faults.gravest().unwrap_or_else(unspecific))
    }

    /// Checks every answer of a record.
    ///
    /// # Errors
    /// All that is wrong.
    pub(super) fn check(record: Sent, now: Timestamp) -> Result<Self, Faults> {
        Ok(Self {
            answers: Answers::check(&record)?,
            created_at: time::credible(record.created_at.as_deref(), now),
            sent_created_at: record.created_at,
            suspicion: None,
        })
    }
}

/// Parses the one record of a request.
fn read(body: &[u8]) -> Result<Sent, serde_json::Error> {
    serde_json::from_slice::<One>(body).map(|one| one.0)
}

/// An array of exactly one object, or the bare object.
struct One(Sent);

/// An object. The record's derived reader alone would take an array of its values as well.
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

/// Returns the error of an inquiry with which something is wrong that no field is.
fn unspecific() -> ErrorBody {
    ErrorBody::new("invalid_record", "Die Anfrage hat nicht die erwartete Form")
}

/// Describes a body that is not a record by the position of the mistake: the text of `error` may quote the visitor's data.
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
