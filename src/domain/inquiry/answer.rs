//! What every field of an inquiry can do, whatever its type: be stored and be shown.

use std::borrow::Cow;

/// The type of one of a visitor's answers.
pub trait Answer: Sized {
    /// Returns the form in which stores keep it.
    fn to_stored(&self) -> Stored<'_>;

    /// Returns the answer that [`Self::to_stored`] returned; `None` if the stored form is damaged.
    fn from_stored(stored: Stored<'_>) -> Option<Self>;

    /// Returns the text that operators see.
    fn to_text(&self) -> Cow<'_, str>;

    /// Returns what its field holds, for the author of a client that has sent something else; `None` where the visitor is told
    /// as much.
    fn hint() -> Option<String> {
        None
    }
}

/// The form in which stores keep an answer. Every engine has a type for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored<'a> {
    /// A number. A store may give a [`Self::Choice`] back as this.
    Number(u16),
    /// The number of an option.
    Choice(u8),
    /// The numbers of options, in the visitor's order.
    Choices(Cow<'a, [u8]>),
    /// A text.
    Text(&'a str),
}
