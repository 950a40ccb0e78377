//! The JSON of a request: exactly one record, its fields text, each at most once and none unknown.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::Sent;

/// Parses the one record of a request.
pub fn read(body: &[u8]) -> Result<Sent<'_>, serde_json::Error> {
    serde_json::from_slice::<One>(body).map(|one| one.0)
}

/// An array of exactly one object, or the bare object.
struct One<'a>(Sent<'a>);

/// An object. The record's derived reader alone would take an array of its values as well.
struct Object<'a>(Sent<'a>);

impl<'de> Deserialize<'de> for One<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneVisitor;

        impl<'de> Visitor<'de> for OneVisitor {
            type Value = One<'de>;

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

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

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
