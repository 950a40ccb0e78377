//! Template data of the form in which a visitor reviews a firm.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value;
use serde::Serialize;

use crate::domain::matching::FirmId;
use crate::domain::referral::{Review, ReviewFault, ReviewState};

/// A field of the form: the name of its error in templates, and its id in `ui/src/private/review-form.tsx` without the number.
type Field = (&'static str, &'static str);

const STARS: Field = ("stars_error", "sterne");
const TEXT: Field = ("text_error", "erfahrung");
const NAME: Field = ("name_error", "anzeigename");

/// The review form for one firm.
#[derive(Debug, Clone, Serialize)]
pub struct ReviewContext {
    /// The firm.
    pub firm: FirmId,
    firm_name: String,
    /// Makes the ids of its fields unique on the page.
    number: usize,
    /// When the form opens, from [`german_time`](crate::site::templates::german_time); `None` if it is open.
    pub opens: Option<String>,
    /// The state of the visitor's review.
    state: &'static str,
    #[serde(flatten)]
    sent: SentReview,
    /// The errors in the order of the form, each with the id of its field.
    faults: Vec<Value>,
    /// The error messages by their template names.
    #[serde(flatten)]
    errors: BTreeMap<&'static str, Option<&'static str>>,
}

/// The contents of a form, submitted or displayed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SentReview {
    /// The number of stars.
    pub stars: String,
    /// The text.
    pub text: String,
    /// The name to be published.
    pub name: String,
    /// Whether the visitor agrees to publication.
    pub consent: bool,
}

impl ReviewContext {
    /// Shows the stored review of a firm, or an empty form with a suggested name.
    pub fn new(
        firm: &FirmId,
        firm_name: &str,
        number: usize,
        review: Option<&Review>,
        suggested_name: &str,
    ) -> Self {
        let sent = match review {
            Some(review) => SentReview {
                stars: review.stars.count().to_string(),
                text: review.text.clone(),
                name: review.name.clone(),
                consent: review.has_consent,
            },
            None => SentReview {
                name: suggested_name.to_owned(),
                ..SentReview::default()
            },
        };
        Self {
            firm: firm.clone(),
            firm_name: firm_name.to_owned(),
            number,
            opens: None,
            state: review.map_or("none", state),
            sent,
            faults: Vec::new(),
            errors: [STARS, TEXT, NAME].map(|(error, _)| (error, None)).into(),
        }
    }

    /// Shows the submitted form with its errors.
    pub fn set_faults(&mut self, sent: SentReview, faults: &[ReviewFault]) {
        self.sent = sent;
        for fault in faults {
            let (text, (error, id)) = described(*fault);
            self.errors.insert(error, Some(text));
            let field = format!("{id}-{}", self.number);
            self.faults.push(context! { text, field });
        }
    }
}

/// The state of a review in templates; `silent` without consent.
fn state(review: &Review) -> &'static str {
    match review.state {
        _ if !review.has_consent => "silent",
        ReviewState::Waiting => "waiting",
        ReviewState::Published(_) => "published",
        ReviewState::Rejected(_) => "rejected",
    }
}

/// The error message of a fault, and the field at fault.
fn described(fault: ReviewFault) -> (&'static str, Field) {
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
