//! Edits that turn a sample into another input.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::Index;

/// Maximum length of a piece that is removed, repeated or taken from another sample, in bytes.
const MAX_PIECE: usize = 60;
/// Maximum repetitions of a piece.
const MAX_REPETITIONS: usize = 40;

#[derive(Debug, Clone)]
pub enum Edit {
    /// Flips one bit.
    Flip(Index, u8),
    /// Replaces one byte.
    Set(Index, u8),
    /// Truncates the input.
    Cut(Index),
    /// Removes a piece of this length.
    Remove(Index, usize),
    /// Inserts a token or a piece of a sample.
    Insert(Index, Vec<u8>),
    /// Replaces bytes with a token or a piece of a sample of the same length.
    Replace(Index, Vec<u8>),
    /// Repeats a piece of this length this many times.
    Repeat(Index, usize, usize),
}

/// Generates any edit. Shrinking prefers earlier variants, so the simpler ones come first.
pub fn strategy(
    samples: Vec<Vec<u8>>,
    tokens: &'static [&'static str],
) -> impl Strategy<Value = Edit> + Clone {
    let at = any::<Index>;
    let part = (prop::sample::select(samples), at(), 1..=MAX_PIECE)
        .prop_map(|(sample, at, length)| sample[span(&sample, at, length)].to_vec());
    let piece = prop_oneof![
        3 => prop::sample::select(tokens).prop_map(|token| token.as_bytes().to_vec()),
        1 => part,
    ];
    prop_oneof![
        1 => (at(), 0..8_u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        1 => at().prop_map(Edit::Cut),
        2 => (at(), 1..=MAX_PIECE).prop_map(|(at, length)| Edit::Remove(at, length)),
        3 => (at(), piece.clone()).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        3 => (at(), piece).prop_map(|(at, piece)| Edit::Replace(at, piece)),
        1 => (at(), 1..=MAX_PIECE, 1..=MAX_REPETITIONS)
            .prop_map(|(at, length, times)| Edit::Repeat(at, length, times)),
    ]
}

/// Applies all edits in order.
pub fn apply(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for edit in edits {
        match edit {
            Edit::Flip(at, bit) => {
                let span = span(&bytes, *at, 1);
                bytes[span].iter_mut().for_each(|byte| *byte ^= 1 << bit);
            }
            Edit::Set(at, new) => {
                let span = span(&bytes, *at, 1);
                bytes[span].fill(*new);
            }
            Edit::Cut(at) => bytes.truncate(span(&bytes, *at, 0).start),
            Edit::Remove(at, length) => drop(bytes.drain(span(&bytes, *at, *length))),
            Edit::Insert(at, piece) => {
                let span = span(&bytes, *at, 0);
                bytes.splice(span, piece.iter().copied());
            }
            Edit::Replace(at, piece) => {
                let span = span(&bytes, *at, piece.len());
                bytes.splice(span, piece.iter().copied());
            }
            Edit::Repeat(at, length, times) => {
                let span = span(&bytes, *at, *length);
                let more = bytes[span.clone()].repeat(*times);
                bytes.splice(span.end..span.end, more);
            }
        }
    }
    bytes
}

/// A range of at most `length` bytes at a position.
fn span(bytes: &[u8], at: Index, length: usize) -> Range<usize> {
    let start = at.index(bytes.len() + 1);
    start..bytes.len().min(start + length)
}
