//! A dossier as one JSON object, on its way to a command.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::packed::{pack, unpack};
use crate::inquiry::{Answers, Inquiry, Stored, parse_rfc3339};
use crate::referral::Dossier;

/// A dossier as a server sends it. Keys that are not known are passed over.
#[derive(Debug, Serialize, Deserialize)]
pub struct DossierLine {
    id: String,
    inquiry: Option<InquiryLine>,
    referral: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct InquiryLine {
    created_at: String,
    suspected: bool,
    /// In the order of `ANSWERS`.
    answers: Vec<AnswerLine>,
}

/// An answer in the form in which stores keep it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum AnswerLine {
    Number(u16),
    Choices(Vec<u8>),
    Text(String),
}

impl From<&Dossier> for DossierLine {
    fn from(dossier: &Dossier) -> Self {
        Self {
            id: dossier.id.to_string(),
            inquiry: dossier.inquiry.as_ref().map(|inquiry| InquiryLine {
                created_at: inquiry.created_at.to_string(),
                suspected: inquiry.suspected,
                answers: inquiry
                    .answers
                    .to_stored()
                    .into_iter()
                    .map(AnswerLine::from)
                    .collect(),
            }),
            referral: pack(&dossier.referral),
        }
    }
}

impl DossierLine {
    /// Returns the dossier; `None` if something in it is not understood.
    pub fn dossier(&self) -> Option<Dossier> {
        let id = self.id.parse().ok()?;
        let inquiry = match &self.inquiry {
            None => None,
            Some(line) => {
                let mut answers = line.answers.iter().map(AnswerLine::stored);
                Some(Inquiry {
                    id,
                    created_at: parse_rfc3339(&line.created_at)?,
                    answers: Answers::from_stored(|| answers.next())?,
                    suspected: line.suspected,
                })
            }
        };
        Some(Dossier {
            id,
            inquiry,
            referral: unpack(&self.referral)?,
        })
    }

    /// Reads a line; `None` if something in it is not understood.
    pub fn read(line: &[u8]) -> Option<Dossier> {
        serde_json::from_slice::<Self>(line).ok()?.dossier()
    }
}

impl From<Stored<'_>> for AnswerLine {
    fn from(stored: Stored<'_>) -> Self {
        match stored {
            Stored::Number(number) => Self::Number(number),
            Stored::Choice(number) => Self::Number(number.into()),
            Stored::Choices(numbers) => Self::Choices(numbers.into_owned()),
            Stored::Text(text) => Self::Text(text.to_owned()),
        }
    }
}

impl AnswerLine {
    fn stored(&self) -> Stored<'_> {
        match self {
            Self::Number(number) => Stored::Number(*number),
            Self::Choices(numbers) => Stored::Choices(Cow::Borrowed(numbers)),
            Self::Text(text) => Stored::Text(text),
        }
    }
}
