//! A visitor's review of a firm that has accepted the inquiry, and the operator's decision about it.
//!
//! It is stored in the referral, beside the firm's answer: only visitors whose inquiry the firm accepted can write one, one per
//! firm, and it is erased with the inquiry.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{FromRepr, IntoStaticStr};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::millis;
use crate::base::text::mail_address::{is_invisible, one_line, plain_lines};
use crate::domain::inquiry::Answers;

/// The maximum length of the text in characters.
pub const MAX_REVIEW_TEXT: usize = crate::domain::inquiry::limits::REVIEW;

/// The maximum length of the displayed name in characters.
pub const MAX_REVIEW_NAME: usize = crate::domain::inquiry::limits::REVIEW_NAME;

/// The maximum number of combining accents on a letter, after composition.
const MAX_MARKS: usize = 2;

/// A rating in stars.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize, Deserialize, FromRepr,
)]
#[cbor(index_only)]
#[repr(u8)]
pub enum Stars {
    /// One, the lowest.
    #[n(1)]
    One = 1,
    /// Two.
    #[n(2)]
    Two,
    /// Three.
    #[n(3)]
    Three,
    /// Four.
    #[n(4)]
    Four,
    /// Five, the highest.
    #[n(5)]
    Five,
}

impl Stars {
    /// The number of stars.
    pub fn count(self) -> u8 {
        self as u8
    }
}

/// A fault in a review. The form shows each one at its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewFault {
    /// The stars are missing.
    NoStars,
    /// The text is longer than [`MAX_REVIEW_TEXT`].
    LongText,
    /// The name is missing.
    NoName,
    /// The name is longer than [`MAX_REVIEW_NAME`].
    LongName,
}

/// Drops accents that are stacked higher than in any name: they would run into neighbouring lines.
fn with_few_marks(text: &str) -> String {
    let mut marks = 0;
    let is_shown = |c: &char| {
        marks = if is_combining_mark(*c) { marks + 1 } else { 0 };
        marks <= MAX_MARKS
    };
    text.nfc().filter(is_shown).collect()
}

/// A review.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Review {
    /// The rating.
    #[n(0)]
    pub stars: Stars,
    /// The visitor's text; may be empty.
    #[n(1)]
    pub text: String,
    /// The displayed name.
    #[n(2)]
    pub name: String,
    /// Whether the visitor agreed to its publication.
    #[n(3)]
    pub has_consent: bool,
    /// When it was written or last changed.
    #[cbor(n(4), with = "millis")]
    pub at: Timestamp,
    /// The operator's decision.
    #[n(5)]
    pub state: ReviewState,
}

/// The operator's decision about a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, IntoStaticStr)]
#[cbor(context_bound = "Copy + Into<i64>")]
#[strum(serialize_all = "lowercase")]
pub enum ReviewState {
    /// None since the review was written or changed.
    #[n(0)]
    Waiting,
    /// Shown on the home page since this time.
    #[n(1)]
    Published(#[cbor(n(0), with = "millis")] Timestamp),
    /// Rejected at this time.
    #[n(2)]
    Rejected(#[cbor(n(0), with = "millis")] Timestamp),
}

/// A decision that the operator makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Publish the review.
    Publish,
    /// Do not publish it, or stop publishing it.
    Reject,
}

impl ReviewState {
    /// The name used in the output of commands.
    pub fn id(self) -> &'static str {
        self.into()
    }
}

impl Review {
    /// Parses the fields of a form. The time is set when the review is stored in a referral.
    ///
    /// # Errors
    /// All faults, in the order of the form.
    pub fn parse(stars: &str, text: &str, name: &str, has_consent: bool) -> Result<Self, Vec<ReviewFault>> {
        let stars = stars.parse().ok().and_then(Stars::from_repr);
        let text = with_few_marks(&plain_lines(text));
        let name: String = name.chars().filter(|&c| !is_invisible(c)).collect();
        let name = with_few_marks(&one_line(&name));
        let found = [
            (stars.is_none(), ReviewFault::NoStars),
            (text.chars().count() > MAX_REVIEW_TEXT, ReviewFault::LongText),
            (!name.contains(char::is_alphanumeric), ReviewFault::NoName),
            (name.chars().count() > MAX_REVIEW_NAME, ReviewFault::LongName),
        ];
        let faults: Vec<_> = found
            .into_iter()
            .filter_map(|(is_found, fault)| is_found.then_some(fault))
            .collect();
        match stars {
            Some(stars) if faults.is_empty() => Ok(Self {
                stars,
                text,
                name,
                has_consent,
                at: Timestamp::UNIX_EPOCH,
                state: ReviewState::Waiting,
            }),
            _ => Err(faults),
        }
    }

    /// Whether another review has the same content.
    pub(super) fn says(&self, other: &Self) -> bool {
        let said = |review: &Self| (review.stars, review.has_consent);
        said(self) == said(other) && self.text == other.text && self.name == other.name
    }

    /// Whether it is shown on the home page.
    pub fn is_published(&self) -> bool {
        self.has_consent && matches!(self.state, ReviewState::Published(_))
    }

    /// Whether it is waiting for the operator's decision.
    pub fn is_waiting(&self) -> bool {
        self.state == ReviewState::Waiting
    }
}

/// The name prefilled in the form: the first name and the initial of the last name, such as `Anna M.`
pub fn suggested_name(answers: &Answers) -> String {
    let first = answers.first_name.as_str();
    match answers.last_name.as_str().chars().next() {
        Some(letter) => format!("{first} {letter}."),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_has_stars_a_name_and_600_characters() {
        let parse = |stars: &str, text: &str, name: &str| Review::parse(stars, text, name, true);
        for stars in ["1", "5"] {
            assert!(parse(stars, &"ü".repeat(600), &"ü".repeat(60)).is_ok());
        }
        for stars in ["", "0", "6", "-1", "4.5", "fünf", "256"] {
            assert!(
                parse(stars, "", "A") == Err(vec![ReviewFault::NoStars]),
                "{stars}"
            );
        }
        assert_eq!(
            parse("1", &"ü".repeat(601), "A"),
            Err(vec![ReviewFault::LongText])
        );
        assert_eq!(parse("1", "", &"ü".repeat(61)), Err(vec![ReviewFault::LongName]));
        let stacked = "\u{301}\u{308}\u{307}".repeat(10);
        for name in [
            "",
            " \u{202e}\n",
            "\u{200b}",
            "\u{2060}\u{feff}",
            "\u{3164}",
            "\u{2800}",
            "\u{ad}",
            &stacked,
            "…",
        ] {
            assert_eq!(parse("1", "", name), Err(vec![ReviewFault::NoName]), "{name:?}");
        }
        let parsed = parse(
            "1",
            &format!("e{stacked}"),
            &format!("A\u{200b}n\u{303}a{stacked} M."),
        )
        .unwrap();
        assert_eq!(parsed.name, "Añá\u{308}\u{307} M.");
        assert_eq!(parsed.text, "é\u{308}\u{307}");
        // Browsers count a line break as one character but send two.
        assert!(parse("1", &"a\r\n".repeat(300), "A").is_ok());
    }
}
