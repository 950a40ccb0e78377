//! Encoding of times in stored values: milliseconds since an epoch derived from the value's key. Most times are close to it, and
//! small numbers take few bytes. The context of encoding and decoding is the epoch, in milliseconds since 1970.

use jiff::Timestamp;
use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// Encodes a time.
pub fn encode<C: Copy + Into<i64>, W: Write>(
    time: &Timestamp,
    encoder: &mut Encoder<W>,
    context: &mut C,
) -> Result<(), encode::Error<W::Error>> {
    encoder.i64(time.as_millisecond().wrapping_sub((*context).into()))?;
    Ok(())
}

/// Decodes a time.
pub fn decode<C: Copy + Into<i64>>(decoder: &mut Decoder<'_>, context: &mut C) -> Result<Timestamp, Error> {
    let millis = decoder.i64()?.wrapping_add((*context).into());
    Timestamp::from_millisecond(millis).map_err(|_| Error::message("not a time"))
}
