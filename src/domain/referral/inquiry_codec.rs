//! Binary encoding of an inquiry: its time, whether it is suspected spam, and its answers.
//!
//! New fields are appended and optional: older values lack them, and older programs skip them.

use minicbor::encode::Write;
use minicbor::{Decode, Decoder, Encode, Encoder, decode, encode};
use uuid::Uuid;

use super::millis;
use crate::domain::inquiry::{ANSWERS, Answers, Inquiry};

const FIELDS: u64 = 2 + ANSWERS.len() as u64;

// Stored inquiries lack any later answer, which therefore must be optional (`docs/how-to.md`, "a field of an inquiry").
const _: () = assert!(ANSWERS.len() == 8, "stored inquiries lack a later answer");

impl<C: Copy + Into<i64>> Encode<C> for Inquiry {
    fn encode<W: Write>(
        &self,
        encoder: &mut Encoder<W>,
        context: &mut C,
    ) -> Result<(), encode::Error<W::Error>> {
        encoder.array(FIELDS)?;
        millis::encode(&self.created_at, encoder, context)?;
        encoder.bool(self.suspected)?;
        self.answers.encode(encoder)
    }
}

/// The id is left out, since it is the key.
impl<'b, C: Copy + Into<i64>> Decode<'b, C> for Inquiry {
    fn decode(decoder: &mut Decoder<'b>, context: &mut C) -> Result<Self, decode::Error> {
        let damaged = || decode::Error::message("not an inquiry");
        let count = decoder.array()?.ok_or_else(damaged)?;
        let inquiry = Self {
            id: Uuid::nil(),
            created_at: millis::decode(decoder, context)?,
            suspected: decoder.bool()?,
            answers: Answers::decode(decoder).ok_or_else(damaged)?,
        };
        for _ in FIELDS..count {
            decoder.skip()?;
        }
        Ok(inquiry)
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use minicbor::bytes::ByteSlice;

    use super::*;
    use crate::domain::inquiry::{NewInquiry, Suspicion};

    const EPOCH: i64 = 1_794_139_200_000;

    fn encode(value: impl Encode<i64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        minicbor::encode_with(value, &mut bytes, &mut { EPOCH }).unwrap();
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Inquiry> {
        minicbor::decode_with(bytes, &mut { EPOCH }).ok()
    }

    fn sample(suspicion: Option<Suspicion>) -> Inquiry {
        let body = serde_json::json!({
            "created_at": "2026-11-08T12:00:00.123Z",
            "postal_code": "20095",
            "property_type": "residential",
            "types_of_problems": "nesting,other",
            "problem_locations": "roof",
            "first_name": "Anna",
            "last_name": "Meier",
            "email_address": "anna@example.de",
            "phone_number": "+49 40 1234567",
        });
        let at: Timestamp = "2026-11-08T12:00:00.123Z".parse().unwrap();
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), at + SignedDuration::from_secs(1));
        inquiry.unwrap().marked(suspicion).with_id(Uuid::nil())
    }

    #[test]
    fn what_is_written_is_read_and_a_cut_value_refused() {
        for inquiry in [sample(None), sample(Some(Suspicion::TooQuick(400)))] {
            let value = encode(&inquiry);
            assert_eq!(decode(&value), Some(inquiry));
            for length in 0..value.len() {
                assert_eq!(decode(&value[..length]), None);
            }
        }
    }

    #[test]
    fn the_bytes_stay_as_they_are() {
        // Stores contain these bytes: changing them changes the format.
        let expected = "8a187bf4194e7f00420005410164416e6e61654d656965726f616e6e61406578616d706c652e64656e2b34392034302031323334353637";
        let value = encode(sample(None));
        let hex = value
            .iter()
            .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        assert_eq!(hex, expected);
    }

    #[test]
    fn a_later_field_is_skipped() {
        #[derive(Encode)]
        struct Later<'a>(
            #[n(0)] i64,
            #[n(1)] bool,
            #[n(2)] u16,
            #[n(3)] u8,
            #[n(4)] &'a ByteSlice,
            #[n(5)] &'a ByteSlice,
            #[n(6)] &'a str,
            #[n(7)] &'a str,
            #[n(8)] &'a str,
            #[n(9)] &'a str,
            #[n(10)] Option<&'a str>,
        );
        let none: &ByteSlice = [].as_slice().into();
        let later = Later(
            0,
            false,
            20_095,
            0,
            none,
            none,
            "A",
            "B",
            "a@b.c",
            "0401234567",
            Some("new"),
        );
        let read = decode(&encode(later)).unwrap();
        assert_eq!(read.answers.first_name.as_str(), "A");
    }
}
