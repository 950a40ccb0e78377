//! What pages are filled with beside the settings: a form that was sent without JavaScript, and its result.

use std::collections::BTreeMap;
use std::slice;

use minijinja::context;
use minijinja::value::Value;
use serde::Serialize;

use crate::domain::inquiry::{Fault, Faults, Form};

/// A screen reader reads the title first.
const TITLE_PREFIX: &str = "Fehler: ";

/// What the templates of pages read. On nearly every page all of it is empty.
#[derive(Debug, Default, Serialize)]
pub struct PageData {
    /// The questionnaire's form.
    pub form: FormData,
    /// What the thank-you page says.
    pub thanks: ThanksData,
    /// What the home page shows of reviews; `None` if none is published.
    pub reviews: Option<Value>,
}

/// What the thank-you page knows of an inquiry.
#[derive(Debug, Default, Serialize)]
pub struct ThanksData {
    /// The path of the private page.
    pub link: Option<String>,
    /// The short form of its id.
    pub reference: Option<String>,
    /// There is one, whether or not the address names it.
    pub is_stored: bool,
    /// Firms were asked about it.
    pub firms_asked: bool,
}

/// The questionnaire's form with its answers, and what is wrong with them.
#[derive(Debug, Default, Serialize)]
pub struct FormData {
    mode: Mode,
    /// Precedes the title.
    title_prefix: &'static str,
    /// Why it was not taken, if not for its answers.
    notice: Option<String>,
    /// What is wrong in general, and what would be right, where no line of the summary says it.
    leads: Vec<&'static str>,
    /// What is wrong, in the order of the form.
    summary: Vec<Value>,
    /// The error message of each invalid field.
    errors: BTreeMap<&'static str, &'static str>,
    /// What is chosen, each by its id.
    property: BTreeMap<String, bool>,
    problems: BTreeMap<String, bool>,
    locations: BTreeMap<String, bool>,
    /// A type that is chosen without one of the options.
    bare_type: Option<&'static str>,
    bare_name: Option<&'static str>,
    postal_code: String,
    problem_other: String,
    location_other: String,
    first_name: String,
    last_name: String,
    email_address: String,
    phone_number: String,
}

/// How the form is shown.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// As it is, unless a script makes steps of it.
    #[default]
    Whole,
    /// With what is wrong. The other form does not take its place.
    Returned,
}

impl FormData {
    /// Shows a form as it is.
    pub fn new(form: &Form) -> Self {
        let bare = form.property().filter(|property| !property.is_option());
        Self {
            property: chosen(slice::from_ref(&form.property)),
            problems: chosen(&form.problems),
            locations: chosen(&form.locations),
            bare_type: bare.map(|property| property.id),
            bare_name: bare.map(|property| property.name),
            postal_code: form.postal_code.clone(),
            problem_other: form.problem_other.clone(),
            location_other: form.location_other.clone(),
            first_name: form.first_name.clone(),
            last_name: form.last_name.clone(),
            email_address: form.email.clone(),
            phone_number: form.phone.clone(),
            ..Self::default()
        }
    }

    /// Shows a form with what is wrong.
    pub fn with_faults(form: &Form, faults: &Faults) -> Self {
        Self {
            mode: Mode::Returned,
            title_prefix: TITLE_PREFIX,
            leads: leads(faults.all()),
            summary: faults.all().iter().map(summary_line).collect(),
            errors: faults
                .all()
                .iter()
                .map(|fault| (fault.field(), fault.text()))
                .collect(),
            ..Self::new(form)
        }
    }

    /// Shows a form that cannot be accepted, whatever it contains.
    pub fn with_notice(form: &Form, notice: &str) -> Self {
        Self {
            mode: Mode::Returned,
            title_prefix: TITLE_PREFIX,
            notice: Some(notice.to_owned()),
            ..Self::new(form)
        }
    }
}

fn leads(faults: &[Fault]) -> Vec<&'static str> {
    let mut leads = Vec::new();
    let said = faults
        .iter()
        .flat_map(|fault| [Some(fault.title()), fault.explanation()]);
    for line in said.flatten() {
        if !leads.contains(&line) && faults.iter().all(|fault| fault.text() != line) {
            leads.push(line);
        }
    }
    leads
}

/// Returns a line of the list of errors: its text, and the id of the field.
fn summary_line(fault: &Fault) -> Value {
    // The ids of `ui/src/questionnaire/fields.ts`.
    let field = match fault.field() {
        "property_type" => "gebaeude",
        "postal_code" => "postleitzahl",
        "types_of_problems" => "probleme",
        "problem_other" => "probleme-text",
        "problem_locations" => "stellen",
        "location_other" => "stellen-text",
        "first_name" => "vorname",
        "last_name" => "nachname",
        "email_address" => "e-mail",
        _ => "telefon",
    };
    context! { text => fault.text(), field }
}

/// Returns ids that are chosen as a template can name them: with underscores for hyphens.
fn chosen(ids: &[String]) -> BTreeMap<String, bool> {
    ids.iter().map(|id| (id.replace('-', "_"), true)).collect()
}
