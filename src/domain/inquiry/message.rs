//! What is said of a wrong answer, from `content/inquiry.toml`.

/// What a visitor reads about one wrong answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// What would be right, as a sentence.
    pub description: Option<&'static str>,
    /// The message for a missing answer.
    pub missing: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/ui/generated/inquiry/messages.rs"));
