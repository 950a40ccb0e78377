//! How an inquiry is kept: a version byte, then CBOR with numbered fields.
//!
//! A later field is added as an `Option` with the next number: older values read as `None`, older programs
//! skip it, and no file needs a rewrite. A new version byte is for changes that go deeper.

use jiff::Timestamp;
use minicbor::bytes::ByteSlice;
use uuid::Uuid;

use super::Unavailable;
use crate::inquiry::{
    Answers, Choice, EmailAddress, Inquiry, Location, NewInquiry, PersonName, PhoneNumber, PostalCode,
    Problem, PropertyType,
};

/// The first byte of every value.
const VERSION: u8 = 1;

/// Room for a usual value, so that encoding one allocates once: 40 bytes beside names, address and number.
const USUAL_LENGTH: usize = 160;

#[derive(minicbor::Encode, minicbor::Decode)]
struct Record<'a> {
    /// Milliseconds since 1970.
    #[n(0)]
    created_at: i64,
    #[n(1)]
    postal_code: u16,
    #[n(2)]
    property_type: u8,
    /// One byte an option.
    #[b(3)]
    problems: &'a ByteSlice,
    #[b(4)]
    locations: &'a ByteSlice,
    #[b(5)]
    first_name: &'a str,
    #[b(6)]
    last_name: &'a str,
    #[b(7)]
    email: &'a str,
    #[b(8)]
    phone: &'a str,
    /// `Some(true)`, or absent, which takes no byte.
    #[n(9)]
    suspected: Option<bool>,
}

/// The value that is stored for an inquiry.
///
/// # Errors
/// None that can happen: memory takes every byte.
pub fn encode(inquiry: &NewInquiry) -> Result<Vec<u8>, Unavailable> {
    let answers = inquiry.answers();
    let problems = numbers(&answers.problems);
    let locations = numbers(&answers.locations);
    let record = Record {
        created_at: inquiry.created_at().as_millisecond(),
        postal_code: answers.postal_code.number(),
        property_type: answers.property_type.number(),
        problems: problems.as_slice().into(),
        locations: locations.as_slice().into(),
        first_name: answers.first_name.as_str(),
        last_name: answers.last_name.as_str(),
        email: answers.email.as_str(),
        phone: answers.phone.as_str(),
        suspected: inquiry.suspicion().map(|_| true),
    };
    let mut value = Vec::with_capacity(USUAL_LENGTH);
    value.push(VERSION);
    minicbor::encode(&record, &mut value).map_err(|_| Unavailable)?;
    Ok(value)
}

/// The inquiry that a key and a value hold; `None` if the value is damaged.
pub fn decode(id: [u8; 16], value: &[u8]) -> Option<Inquiry> {
    let (&VERSION, fields) = value.split_first()? else {
        return None;
    };
    let record: Record<'_> = minicbor::decode(fields).ok()?;
    Some(Inquiry {
        id: Uuid::from_bytes(id),
        created_at: Timestamp::from_millisecond(record.created_at).ok()?,
        answers: Answers {
            postal_code: PostalCode::from_number(record.postal_code)?,
            property_type: PropertyType::from_number(record.property_type)?,
            problems: choices::<Problem>(record.problems)?,
            locations: choices::<Location>(record.locations)?,
            first_name: PersonName::from_stored(record.first_name),
            last_name: PersonName::from_stored(record.last_name),
            email: EmailAddress::from_stored(record.email),
            phone: PhoneNumber::from_stored(record.phone),
        },
        suspected: record.suspected.unwrap_or_default(),
    })
}

fn numbers<C: Choice>(list: &[C]) -> Vec<u8> {
    list.iter().map(|choice| choice.number()).collect()
}

fn choices<C: Choice>(numbers: &[u8]) -> Option<Vec<C>> {
    numbers.iter().map(|&number| C::from_number(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::Suspicion;
    use crate::store::tests::sample;

    #[test]
    fn what_is_written_is_read() {
        let id = [7; 16];
        let suspected = sample(3).marked(Some(Suspicion::TooQuick));
        for inquiry in [sample(1), sample(2), suspected] {
            let value = encode(&inquiry).unwrap();
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
