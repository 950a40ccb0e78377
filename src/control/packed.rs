//! Values on their way to a command as JSON strings: base64 of their CBOR form, the one that the store keeps. So what one
//! version adds at the end another passes over.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use minicbor::{Decode, Encode};

use crate::referral::millis::Since;

/// Times count from 1970: there is no key that tells another epoch.
const EPOCH: Since = Since(0);

/// Returns the text of a value.
pub fn pack(value: &impl Encode<Since>) -> String {
    // Memory takes every byte, so that no step fails.
    let cbor = minicbor::to_vec_with(value, &mut { EPOCH }).unwrap_or_default();
    STANDARD_NO_PAD.encode(cbor)
}

/// Returns the value of a text; `None` if it is not one of these.
pub fn unpack<T: for<'b> Decode<'b, Since>>(text: &str) -> Option<T> {
    let cbor = STANDARD_NO_PAD.decode(text).ok()?;
    minicbor::decode_with(&cbor, &mut { EPOCH }).ok()
}
