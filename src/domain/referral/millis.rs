//! Times in stored values: milliseconds since an epoch that the key of the value tells. Most times lie close to it, and
//! small numbers take few bytes.

use jiff::Timestamp;
use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// The context in which times are written and read.
pub trait Epoch {
    /// Returns the epoch in milliseconds since 1970.
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

/// Writes a time.
pub fn encode<C: Epoch, W: Write>(
    time: &Timestamp,
    encoder: &mut Encoder<W>,
    context: &mut C,
) -> Result<(), encode::Error<W::Error>> {
    encoder.i64(time.as_millisecond().wrapping_sub(context.epoch()))?;
    Ok(())
}

/// Reads a time.
pub fn decode<C: Epoch>(decoder: &mut Decoder<'_>, context: &mut C) -> Result<Timestamp, Error> {
    let millis = decoder.i64()?.wrapping_add(context.epoch());
    Timestamp::from_millisecond(millis).map_err(|_| Error::message("not a time"))
}
