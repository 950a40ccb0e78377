//! The common interface of all answer types: how they are stored and shown.

use std::borrow::Cow;

/// The type of one of a visitor's answers.
pub trait Answer: Sized {
    /// The stored form of the answer.
    fn to_stored(&self) -> Stored<'_>;

    /// The answer for a stored form from [`Self::to_stored`]; `None` if the stored form is damaged.
    fn from_stored(stored: Stored<'_>) -> Option<Self>;

    /// The text shown to operators.
    fn to_text(&self) -> Cow<'_, str>;

    /// The expected value, as a hint for the author of a client that sent something else; `None` if the message to the visitor
    /// already says so.
    fn hint() -> Option<String> {
        None
    }
}

/// The stored form of an answer. Every storage engine has a type for each variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored<'a> {
    /// A number. Stores may also return a [`Self::Choice`] as this.
    Number(u16),
    /// The number of an option.
    Choice(u8),
    /// The numbers of options, in the visitor's order.
    Choices(Cow<'a, [u8]>),
    /// A text.
    Text(&'a str),
}
