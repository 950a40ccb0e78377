//! Template data of public pages beyond the settings: a form submitted without JavaScript, and its result.

use std::collections::BTreeMap;
use std::slice;

use minijinja::context;
use minijinja::value::Value;
use serde::Serialize;

use crate::domain::inquiry::{ANSWERS, Choice, Fault, Faults, Form, Location, Problem, Property};

/// Prefixes the title of a returned form, since screen readers read the title first.
const TITLE_PREFIX: &str = "Fehler: ";

/// Template data of a page. Empty on nearly every page.
#[derive(Debug, Default, Serialize)]
pub struct PageData {
    /// The questionnaire's form.
    pub form: FormData,
    /// The result on the thank-you page.
    pub thanks: ThanksData,
    /// The reviews on the home page; `None` if none are published.
    pub reviews: Option<Value>,
}

/// The facts about an inquiry on the thank-you page.
#[derive(Debug, Default, Serialize)]
pub struct ThanksData {
    /// The path of the visitor's private page.
    pub link: Option<String>,
    /// The short form of the inquiry's id.
    pub reference: Option<String>,
    /// Whether the inquiry was stored, even if the address does not identify it.
    pub is_stored: bool,
    /// Whether firms were asked.
    pub firms_asked: bool,
}

/// The questionnaire's form with its answers and errors.
#[derive(Debug, Default, Serialize)]
pub struct FormData {
    mode: Mode,
    /// Prefix of the page title.
    title_prefix: &'static str,
    /// Why the form was rejected, for reasons other than its answers.
    notice: Option<String>,
    /// Why the form was rejected, if an answer is missing.
    lead: Option<&'static str>,
    /// The errors in the order of the form.
    summary: Vec<Value>,
    /// The error message of each invalid field.
    errors: BTreeMap<&'static str, Option<&'static str>>,
    /// Whether each option is selected, by id.
    property: BTreeMap<String, bool>,
    problems: BTreeMap<String, bool>,
    locations: BTreeMap<String, bool>,
    /// A selected building type without one of its options.
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

/// How the form is displayed.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// As one page, unless a script splits it into steps.
    #[default]
    Whole,
    /// With errors. It is not replaced by the scripted form.
    Returned,
}

impl FormData {
    /// Shows a form as filled in.
    pub fn new(form: &Form) -> Self {
        let fields = ANSWERS.iter().map(|field| field.name);
        let fields = fields.chain(["problem_other", "location_other"]);
        let bare = form.property().filter(|property| !property.is_option());
        Self {
            errors: fields.map(|name| (name, None)).collect(),
            property: chosen(
                slice::from_ref(&form.property),
                Property::options().iter().map(|option| option.id),
            ),
            problems: chosen(&form.problems, Problem::ALL.iter().map(|one| one.id())),
            locations: chosen(&form.locations, Location::ALL.iter().map(|one| one.id())),
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

    /// Shows a form with its errors.
    pub fn with_faults(form: &Form, faults: &Faults) -> Self {
        let Self { mut errors, .. } = Self::new(form);
        errors.extend(
            faults
                .all()
                .iter()
                .map(|fault| (fault.field(), Some(fault.text()))),
        );
        Self {
            mode: Mode::Returned,
            title_prefix: TITLE_PREFIX,
            lead: faults
                .all()
                .iter()
                .find(|fault| fault.is_missing)
                .map(Fault::title),
            summary: faults.all().iter().map(summary_line).collect(),
            errors,
            ..Self::new(form)
        }
    }

    /// Shows a form that was rejected regardless of its answers.
    pub fn with_notice(form: &Form, notice: &str) -> Self {
        Self {
            mode: Mode::Returned,
            title_prefix: TITLE_PREFIX,
            notice: Some(notice.to_owned()),
            ..Self::new(form)
        }
    }
}

/// A line of the error summary: the text of its link to the field, and the rest of the toast's text before and after it.
fn summary_line(fault: &Fault) -> Value {
    // The ids are from `ui/src/questionnaire/fields.ts`.
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
        "phone_number" => "telefon",
        unknown => unknown,
    };
    let title = Some(fault.title()).filter(|title| !fault.is_missing && *title != fault.text());
    context! { text => fault.text(), field, title, explanation => fault.explanation() }
}

/// Whether each of the options is among the selected ids, by its name in templates, with underscores for hyphens.
fn chosen(ids: &[String], options: impl Iterator<Item = &'static str>) -> BTreeMap<String, bool> {
    options
        .map(|option| (option.replace('-', "_"), ids.iter().any(|id| id == option)))
        .collect()
}
