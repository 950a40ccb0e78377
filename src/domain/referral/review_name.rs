//! Names of reviews in commands.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::base::text::Malformed;
use crate::domain::inquiry::PartName;
use crate::domain::matching::FirmId;

/// Identifies a review: the inquiry and the firm reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewId {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The firm.
    pub firm: FirmId,
}

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.inquiry, self.firm)
    }
}

/// A review as operators name it: by inquiry and firm, or all reviews of an inquiry.
pub type ReviewName = PartName<FirmId>;

/// The error for text that does not name a review.
const NO_REVIEW_NAME: Malformed = Malformed(
    "expected the id of a review, such as 019a3c5e-7b1c-7def-8000-0123456789ab-nordnetz, or its end from the reference on, such as \
     0123456789ab-nordnetz",
);

impl ReviewName {
    /// Whether it covers the review with this id.
    pub fn is_of(&self, id: &ReviewId) -> bool {
        self.inquiry.is_of(id.inquiry) && self.part.as_ref().is_none_or(|firm| *firm == id.firm)
    }
}

impl FromStr for ReviewName {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        Self::parse(text, |firm| FirmId::parse(firm).ok()).ok_or(NO_REVIEW_NAME)
    }
}

impl fmt::Display for ReviewName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Some(firm) => write!(f, "{}-{firm}", self.inquiry),
            None => self.inquiry.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_named_by_its_id_its_reference_or_its_inquiry() {
        let inquiry: Uuid = "019a3c5e-7b1c-7def-8000-0123456789ab".parse().unwrap();
        let of = |firm| ReviewId {
            inquiry,
            firm: FirmId::parse(firm).unwrap(),
        };
        for (name, both) in [
            ("019a3c5e-7b1c-7def-8000-0123456789ab-nord-netz", false),
            ("0123456789AB-nord-netz", false),
            ("0123456789ab", true),
            ("019a3c5e-7b1c-7def-8000-0123456789ab", true),
        ] {
            let name: ReviewName = name.parse().unwrap();
            assert!(name.is_of(&of("nord-netz")), "{name}");
            assert_eq!(name.is_of(&of("nord")), both, "{name}");
        }
        assert_eq!(
            of("a-b").to_string().parse::<ReviewName>().unwrap().to_string(),
            of("a-b").to_string()
        );
        for wrong in [
            "",
            "nordnetz",
            "0123456789ab-",
            "0123456789ab-Nord",
            "0123456789a-nord",
        ] {
            assert_eq!(wrong.parse::<ReviewName>(), Err(NO_REVIEW_NAME), "{wrong}");
        }
    }
}
