//! Parsing and validation of a request body.

use std::fmt;

use jiff::Timestamp;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
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
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let record = RecordSeed { is_in_array: false }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(record)
}

/// Reads an object, or an array of exactly one. The derived deserializer of [`Sent`] would also accept an array of its values.
struct RecordSeed {
    is_in_array: bool,
}

impl<'de> DeserializeSeed<'de> for RecordSeed {
    type Value = Sent;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Sent, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed {
    type Value = Sent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of exactly one object, or one object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Sent, A::Error> {
        if self.is_in_array {
            return Err(de::Error::invalid_type(Unexpected::Seq, &self));
        }
        let record = seq.next_element_seed(Self { is_in_array: true })?;
        let record = record.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        match seq.next_element::<IgnoredAny>()? {
            Some(_) => Err(de::Error::invalid_length(2, &self)),
            None => Ok(record),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Sent, A::Error> {
        Sent::deserialize(MapAccessDeserializer::new(map))
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
