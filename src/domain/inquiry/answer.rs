//! The common interface of all answer types: how they are stored and shown.

use std::borrow::Cow;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};

/// The type of one of a visitor's answers.
pub trait Answer: Sized {
    /// Encodes the answer for the store.
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>>;

    /// Decodes the result of [`Self::encode`]; `None` if it is damaged.
    fn decode(decoder: &mut Decoder<'_>) -> Option<Self>;

    /// The bytes that digests are made of.
    fn to_bytes(&self) -> Cow<'_, [u8]>;

    /// The text shown to operators.
    fn to_text(&self) -> Cow<'_, str>;

    /// The expected value, as a hint for the author of a client that sent something else; `None` if the message to the visitor
    /// already says so.
    fn hint() -> Option<String> {
        None
    }
}
