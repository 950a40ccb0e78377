//! Validated short texts and helpers that all parts of the program share.

pub mod berlin;
pub mod mail_address;
pub mod origin;
pub mod phone;

use std::fmt::Display;

/// A count with its noun in the singular or plural.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, one: &str, more: &str) -> String {
    let noun = if count == N::from(1) { one } else { more };
    format!("{count} {noun}")
}

/// A count with points between groups of three digits: `1.234.567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('.');
        }
        text.push(digit);
    }
    text
}

/// Implements `Serialize` by `Display`, and `Deserialize` by a parse function.
macro_rules! serde_as_text {
    ($name:ty, $parse:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                $parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;

/// The error for an invalid text: what was expected, worded for the person who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub &'static str);
