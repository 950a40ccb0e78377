//! How an entry of the ledger is kept: by the inquiry's id and the firm's, as a version byte, then CBOR. Each engine keeps it so, since a
//! copy from one to another takes keys and values along.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use crate::domain::commission::{Euro, Outcome, Percent, Terms};
use crate::domain::ledger::Acceptance;
use crate::domain::matching::FirmId;
use crate::store::error::Damaged;

/// What an entry of the ledger is kept by.
pub type AcceptanceKey = (Uuid, FirmId);

/// The first byte of every value.
const VERSION: u8 = 1;

/// The value. Amounts are in cents, the share is in ten-thousandths of a percent.
#[derive(Encode, Decode)]
struct Value<'a> {
    /// Milliseconds since 1970.
    #[n(0)]
    at: i64,
    #[b(1)]
    name: &'a str,
    #[n(2)]
    per_acceptance: u64,
    #[n(3)]
    per_order: u64,
    #[n(4)]
    share: u32,
    /// [`OPEN`], [`ORDER`] or [`NONE`].
    #[n(5)]
    outcome: u8,
    #[n(6)]
    net_sum: Option<u64>,
}

const OPEN: u8 = 0;
const ORDER: u8 = 1;
const NONE: u8 = 2;

/// Returns the value that is stored for an acceptance.
///
/// # Errors
/// Never: memory takes every byte.
pub fn encode(acceptance: &Acceptance) -> Result<Vec<u8>, Damaged> {
    let terms = &acceptance.terms;
    let stored = Value {
        at: acceptance.at.as_millisecond(),
        name: &acceptance.name,
        per_acceptance: terms.per_acceptance.cents(),
        per_order: terms.per_order.cents(),
        share: terms.share.parts(),
        outcome: match acceptance.outcome {
            Outcome::Open => OPEN,
            Outcome::Order(_) => ORDER,
            Outcome::None => NONE,
        },
        net_sum: acceptance.outcome.net_sum().map(Euro::cents),
    };
    let mut value = vec![VERSION];
    minicbor::encode(stored, &mut value).map_err(|_| Damaged("an acceptance cannot be written"))?;
    Ok(value)
}

/// Returns the acceptance that a key and a value hold.
///
/// # Errors
/// When they are not what was written.
pub fn decode(inquiry: Uuid, firm: &str, value: &[u8]) -> Result<Acceptance, Damaged> {
    read(inquiry, firm, value).ok_or(Damaged("an acceptance cannot be read"))
}

fn read(inquiry: Uuid, firm: &str, value: &[u8]) -> Option<Acceptance> {
    let (&VERSION, fields) = value.split_first()? else {
        return None;
    };
    let stored: Value<'_> = minicbor::decode(fields).ok()?;
    Some(Acceptance {
        inquiry,
        firm: FirmId::parse(firm).ok()?,
        name: stored.name.to_owned(),
        at: Timestamp::from_millisecond(stored.at).ok()?,
        terms: Terms {
            per_acceptance: Euro::from_cents(stored.per_acceptance),
            per_order: Euro::from_cents(stored.per_order),
            share: Percent::from_parts(stored.share),
        },
        outcome: match (stored.outcome, stored.net_sum) {
            (OPEN, None) => Outcome::Open,
            (ORDER, Some(sum)) => Outcome::Order(Euro::from_cents(sum)),
            (NONE, None) => Outcome::None,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(outcome: Outcome) -> Acceptance {
        Acceptance {
            inquiry: Uuid::from_u128(7),
            firm: FirmId::parse("nordnetz").unwrap(),
            name: "Nordnetz GmbH".to_owned(),
            at: "2026-11-08T12:00:00.123Z".parse().unwrap(),
            terms: Terms {
                per_acceptance: Euro::from_cents(2_500),
                per_order: Euro::from_cents(1),
                share: Percent::parse("7.5").unwrap(),
            },
            outcome,
        }
    }

    #[test]
    fn what_is_written_is_read_and_a_cut_value_refused() {
        for outcome in [
            Outcome::Open,
            Outcome::None,
            Outcome::Order(Euro::from_cents(123_450)),
        ] {
            let acceptance = sample(outcome);
            let value = encode(&acceptance).unwrap();
            let read = decode(acceptance.inquiry, "nordnetz", &value);
            assert_eq!(read.unwrap(), acceptance);
            for length in 0..value.len() {
                assert!(decode(acceptance.inquiry, "nordnetz", &value[..length]).is_err());
            }
            assert!(decode(acceptance.inquiry, "Nord", &value).is_err());
        }
    }
}
