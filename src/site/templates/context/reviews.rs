//! What a visitor can say of a firm, as the form has it.

use serde::Serialize;

use crate::domain::matching::FirmId;
use crate::domain::referral::{Review, ReviewFault, ReviewState};

/// What happens to the visitor's review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// No review yet.
    None,
    /// It is not to be published.
    Silent,
    /// The operator will read it.
    Waiting,
    /// It is on the home page.
    Published,
    /// It does not.
    Rejected,
}

/// The form about one firm.
#[derive(Debug, Clone, Serialize)]
pub struct ReviewContext {
    /// The firm's id.
    firm: String,
    firm_name: String,
    /// Tells the ids of its fields from those of other forms.
    number: usize,
    state: State,
    /// How many stars are chosen, as a form sends it.
    stars: String,
    text: String,
    name: String,
    consent: bool,
    /// What is wrong with what was sent, in the order of the form.
    faults: Vec<FaultContext>,
    stars_error: Option<&'static str>,
    text_error: Option<&'static str>,
    name_error: Option<&'static str>,
}

/// Something that is wrong, and the id of its field.
#[derive(Debug, Clone, Serialize)]
struct FaultContext {
    text: &'static str,
    field: String,
}

/// What a form has sent.
#[derive(Debug, Clone, Default)]
pub struct SentReview {
    /// How many stars.
    pub stars: String,
    /// The text.
    pub text: String,
    /// The name to be shown.
    pub name: String,
    /// Whether it may be published.
    pub consent: bool,
}

impl ReviewContext {
    /// Shows what is stored about a firm, or a form with this name in advance.
    pub fn new(
        firm: &FirmId,
        firm_name: &str,
        number: usize,
        review: Option<&Review>,
        suggested_name: &str,
    ) -> Self {
        Self {
            firm: firm.to_string(),
            firm_name: firm_name.to_owned(),
            number,
            state: review.map_or(State::None, State::of),
            stars: review.map_or_else(String::new, |review| review.stars.count().to_string()),
            text: review.map_or_else(String::new, |review| review.text.clone()),
            name: review.map_or(suggested_name, |review| &review.name).to_owned(),
            consent: review.is_some_and(|review| review.has_consent),
            faults: Vec::new(),
            stars_error: None,
            text_error: None,
            name_error: None,
        }
    }

    /// Whether it is about a firm.
    pub fn is_about(&self, firm: &FirmId) -> bool {
        self.firm == firm.as_str()
    }

    /// Shows what was sent, and what is wrong with it.
    pub fn set_faults(&mut self, sent: SentReview, faults: &[ReviewFault]) {
        let SentReview {
            stars,
            text,
            name,
            consent,
        } = sent;
        (self.stars, self.text, self.name, self.consent) = (stars, text, name, consent);
        for fault in faults {
            let (text, field) = described(*fault);
            let error = match field {
                STARS => &mut self.stars_error,
                TEXT => &mut self.text_error,
                _ => &mut self.name_error,
            };
            *error = Some(text);
            let field = format!("{field}-{}", self.number);
            self.faults.push(FaultContext { text, field });
        }
    }
}

impl State {
    fn of(review: &Review) -> Self {
        match review.state {
            _ if !review.has_consent => Self::Silent,
            ReviewState::Waiting => Self::Waiting,
            ReviewState::Published(_) => Self::Published,
            ReviewState::Rejected(_) => Self::Rejected,
        }
    }
}

/// The ids of the fields in `ui/src/private/review-form.tsx`, without the number.
const STARS: &str = "sterne";
const TEXT: &str = "erfahrung";
const NAME: &str = "anzeigename";

fn described(fault: ReviewFault) -> (&'static str, &'static str) {
    match fault {
        ReviewFault::NoStars => ("Bitte wählen Sie 1 bis 5 Sterne.", STARS),
        ReviewFault::LongText => (
            "Der Text ist zu lang. Bitte kürzen Sie ihn auf 600 Zeichen.",
            TEXT,
        ),
        ReviewFault::NoName => ("Bitte geben Sie einen Namen an, zum Beispiel Anna M.", NAME),
        ReviewFault::LongName => ("Der Name ist zu lang. Bitte kürzen Sie ihn auf 60 Zeichen.", NAME),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::referral::{MAX_REVIEW_NAME, MAX_REVIEW_TEXT};

    #[test]
    fn messages_name_the_limits() {
        for (fault, limit) in [
            (ReviewFault::LongText, MAX_REVIEW_TEXT),
            (ReviewFault::LongName, MAX_REVIEW_NAME),
        ] {
            assert!(described(fault).0.contains(&format!("auf {limit} Zeichen")));
        }
    }
}
