//! Times in stored values: milliseconds since 1970.

use jiff::Timestamp;
use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// Writes a time.
pub fn encode<C, W: Write>(
    time: &Timestamp,
    encoder: &mut Encoder<W>,
    _: &mut C,
) -> Result<(), encode::Error<W::Error>> {
    encoder.i64(time.as_millisecond())?;
    Ok(())
}

/// Reads a time.
pub fn decode<C>(decoder: &mut Decoder<'_>, _: &mut C) -> Result<Timestamp, Error> {
    let millis = decoder.i64()?;
    Timestamp::from_millisecond(millis).map_err(|_| Error::message("not a time"))
}
