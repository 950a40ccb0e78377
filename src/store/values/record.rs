//! How an inquiry is kept: a version byte, then CBOR with numbered fields.
//!
//! A later field is added behind the mark of a suspected inquiry and is optional: older values lack it, older programs
//! skip it, and no file needs a rewrite. A new version byte is for changes that go deeper.

use std::convert::Infallible;

use jiff::Timestamp;
use minicbor::data::Type;
use minicbor::{Decoder, Encoder};
use uuid::Uuid;

use crate::domain::inquiry::{ANSWERS, Answers, Inquiry, NewInquiry, Stored};
use crate::store::error::Damaged;

/// The first byte of every value.
const VERSION: u8 = 1;

/// Room for a usual value, so that encoding one allocates once: 40 bytes beside names, address and number.
const USUAL_LENGTH: usize = 160;

/// The time and the answers; a record with fewer fields is damaged.
const FIELDS: u64 = 1 + ANSWERS.len() as u64;

// Every file holds records of nine fields and a mark. One more required field would make all of them unreadable.
const _: () = assert!(
    FIELDS == 9,
    "a later answer is optional, and stands behind the mark"
);

/// Returns the value that is stored for an inquiry.
///
/// # Errors
/// Never: memory takes every byte.
pub fn encode(inquiry: &NewInquiry) -> Result<Vec<u8>, Damaged> {
    value(
        inquiry.created_at(),
        inquiry.answers(),
        inquiry.suspicion().is_some(),
    )
}

/// Returns the value that takes the place of a stored inquiry's.
///
/// # Errors
/// As for [`encode`].
pub fn encode_stored(inquiry: &Inquiry) -> Result<Vec<u8>, Damaged> {
    value(inquiry.created_at, &inquiry.answers, inquiry.suspected)
}

fn value(created_at: Timestamp, answers: &Answers, is_suspected: bool) -> Result<Vec<u8>, Damaged> {
    let mut value = Vec::with_capacity(USUAL_LENGTH);
    value.push(VERSION);
    write(created_at, answers, is_suspected, &mut Encoder::new(&mut value))
        .map_err(|_| Damaged("an inquiry cannot be written"))?;
    Ok(value)
}

/// Writes the fields: 0 is the time in milliseconds since 1970, the next ones are the answers, and the one after them
/// is `true` for a suspected inquiry, or absent, which takes no byte.
fn write(
    created_at: Timestamp,
    answers: &Answers,
    is_suspected: bool,
    encoder: &mut Encoder<&mut Vec<u8>>,
) -> Result<(), minicbor::encode::Error<Infallible>> {
    encoder.array(FIELDS + u64::from(is_suspected))?;
    encoder.i64(created_at.as_millisecond())?;
    for answer in answers.to_stored() {
        match answer {
            Stored::Number(number) => encoder.u16(number)?,
            Stored::Choice(number) => encoder.u8(number)?,
            Stored::Choices(numbers) => encoder.bytes(&numbers)?,
            Stored::Text(text) => encoder.str(text)?,
        };
    }
    if is_suspected {
        encoder.bool(true)?;
    }
    Ok(())
}

/// Returns the inquiry that a key and a value hold; `None` if the value is damaged.
pub fn decode(id: [u8; 16], value: &[u8]) -> Option<Inquiry> {
    let (&VERSION, fields) = value.split_first()? else {
        return None;
    };
    let mut decoder = Decoder::new(fields);
    let count = decoder.array().ok()??;
    if count < FIELDS {
        return None;
    }
    let created_at = Timestamp::from_millisecond(decoder.i64().ok()?).ok()?;
    let answers = Answers::from_stored(|| next(&mut decoder))?;
    let suspected = count > FIELDS && flag(&mut decoder)?;
    for _ in FIELDS + 1..count {
        decoder.skip().ok()?;
    }
    Some(Inquiry {
        id: Uuid::from_bytes(id),
        created_at,
        answers,
        suspected,
    })
}

/// Returns when the inquiry was made that a value holds; `None` if that is damaged.
pub fn created_at(value: &[u8]) -> Option<Timestamp> {
    let (&VERSION, fields) = value.split_first()? else {
        return None;
    };
    let mut decoder = Decoder::new(fields);
    decoder.array().ok()??;
    Timestamp::from_millisecond(decoder.i64().ok()?).ok()
}

fn next<'a>(decoder: &mut Decoder<'a>) -> Option<Stored<'a>> {
    Some(match decoder.datatype().ok()? {
        Type::Bytes => Stored::Choices(decoder.bytes().ok()?.into()),
        Type::String => Stored::Text(decoder.str().ok()?),
        _ => Stored::Number(decoder.u16().ok()?),
    })
}

/// Reads an optional flag, which is `null` where a later field follows.
fn flag(decoder: &mut Decoder<'_>) -> Option<bool> {
    match decoder.datatype().ok()? {
        Type::Null | Type::Undefined => {
            decoder.skip().ok()?;
            Some(false)
        }
        _ => decoder.bool().ok(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use minicbor::bytes::ByteSlice;

    use super::*;
    use crate::domain::inquiry::Suspicion;

    fn sample(number: u64) -> NewInquiry {
        let body = serde_json::json!({
            "created_at": "2026-11-08T12:00:00.123Z",
            "postal_code": "20095",
            "property_type": "residential",
            "types_of_problems": "nesting,other",
            "problem_locations": "roof",
            "first_name": "Anna",
            "last_name": format!("Meier {number}"),
            "email_address": "anna@example.de",
            "phone_number": "+49 40 1234567",
        });
        let at: Timestamp = "2026-11-08T12:00:00.123Z".parse().unwrap();
        NewInquiry::parse(body.to_string().as_bytes(), at + SignedDuration::from_secs(1)).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let id = [7; 16];
        let suspected = sample(3).marked(Some(Suspicion::TooQuick));
        for inquiry in [sample(1), sample(2), suspected] {
            let value = encode(&inquiry).unwrap();
            assert_eq!(created_at(&value), Some(inquiry.created_at()));
            assert_eq!(decode(id, &value), Some(inquiry.with_id(Uuid::from_bytes(id))));
        }
    }

    #[test]
    fn the_bytes_stay_as_they_are() {
        // Files hold these bytes: a change here is a change of the file format.
        let expected = "01891b000001a1bb079a7b194e7f00420005410164416e6e61674d6569657220316f616e6e61406578616d70\
                        6c652e64656e2b34392034302031323334353637";
        let digits = expected
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).unwrap());
        let expected: Vec<u8> = digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect();
        assert_eq!(encode(&sample(1)).unwrap(), expected);
    }

    #[test]
    fn a_later_field_is_skipped_and_a_cut_value_refused() {
        #[derive(minicbor::Encode)]
        struct Later<'a>(
            #[n(0)] i64,
            #[n(1)] u16,
            #[n(2)] u8,
            #[n(3)] &'a ByteSlice,
            #[n(4)] &'a ByteSlice,
            #[n(5)] &'a str,
            #[n(6)] &'a str,
            #[n(7)] &'a str,
            #[n(8)] &'a str,
            #[n(9)] Option<bool>,
            #[n(10)] Option<&'a str>,
        );
        let none: &ByteSlice = [].as_slice().into();
        let later = Later(
            0,
            20_095,
            0,
            none,
            none,
            "A",
            "B",
            "a@b.c",
            "0401234567",
            None,
            Some("new"),
        );
        let mut value = vec![VERSION];
        minicbor::encode(&later, &mut value).unwrap();
        assert_eq!(decode([0; 16], &value).unwrap().answers.first_name.as_str(), "A");

        let value = encode(&sample(1)).unwrap();
        for length in 0..value.len() {
            assert_eq!(decode([0; 16], &value[..length]), None);
        }
        let newer = [&[VERSION + 1], &value[1..]].concat();
        assert_eq!(decode([0; 16], &newer), None);
    }
}
