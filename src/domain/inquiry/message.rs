//! The messages for invalid answers, from `content/inquiry.toml`.

/// The message to the visitor about an invalid answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The problem in a few words.
    pub title: &'static str,
    /// The expected answer, as a sentence.
    pub description: Option<&'static str>,
    /// The message for a missing answer.
    pub missing: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/ui/generated/inquiry/messages.rs"));
