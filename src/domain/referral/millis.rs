//! Encoding of times in stored values: milliseconds since an epoch derived from the value's key. Most times are close to it, and
//! small numbers take few bytes.

use jiff::Timestamp;
use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// The context for encoding and decoding times.
pub trait Epoch {
    /// The epoch in milliseconds since 1970.
    fn epoch(&self) -> i64;
}

/// An epoch, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Since(pub i64);

impl Epoch for Since {
    fn epoch(&self) -> i64 {
        self.0
    }
}

/// Encodes a time.
pub fn encode<C: Epoch, W: Write>(
    time: &Timestamp,
    encoder: &mut Encoder<W>,
    context: &mut C,
) -> Result<(), encode::Error<W::Error>> {
    encoder.i64(time.as_millisecond().wrapping_sub(context.epoch()))?;
    Ok(())
}

/// Decodes a time.
pub fn decode<C: Epoch>(decoder: &mut Decoder<'_>, context: &mut C) -> Result<Timestamp, Error> {
    let millis = decoder.i64()?.wrapping_add(context.epoch());
    Timestamp::from_millisecond(millis).map_err(|_| Error::message("not a time"))
}
