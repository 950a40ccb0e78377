//! The JSON of a request: exactly one record, its fields text, each at most once and none unknown.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The fields of a record (spec section 3).
pub const FIELDS: [&str; 9] = [
    "created_at",
    "postal_code",
    "property_type",
    "types_of_problems",
    "problem_locations",
    "first_name",
    "last_name",
    "email_address",
    "phone_number",
];

/// One record as sent, borrowed from the request where it holds no escapes.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<'a> {
    #[serde(borrow, default, deserialize_with = "text")]
    pub created_at: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub postal_code: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub property_type: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub types_of_problems: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub problem_locations: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub first_name: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub last_name: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub email_address: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub phone_number: Option<Cow<'a, str>>,
}

/// Reads the one record of a request.
pub fn read(body: &[u8]) -> Result<Record<'_>, serde_json::Error> {
    serde_json::from_slice::<One>(body).map(|one| one.0)
}

/// A field that is there is text; `null` is not the same as missing.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'de, str>>, D::Error> {
    struct Text;

    impl<'de> Visitor<'de> for Text {
        type Value = Cow<'de, str>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text")
        }

        fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
            Ok(Cow::Borrowed(text))
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(Cow::Owned(text.to_owned()))
        }
    }

    deserializer.deserialize_str(Text).map(Some)
}

/// An array of exactly one object, or the bare object.
struct One<'a>(Record<'a>);

/// An object. The record's derived reader alone would take an array of its values as well.
struct Object<'a>(Record<'a>);

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
                Record::deserialize(MapAccessDeserializer::new(map)).map(One)
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
                Record::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor)
    }
}
