//! Strategies for valid and nearly valid records of inquiries.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::string::string_regex;
use serde_json::{Map, Value};

use super::text::{mutated, nasty, near_limit};
use taubenabwehr::base::text::mail_address::is_unprintable;
use taubenabwehr::domain::inquiry::{EmailAddress, NewInquiry, Suspicion};

/// The time at which every record is parsed. Whole milliseconds, as in the store.
pub const NOW: &str = "2026-11-08T12:00:00.5Z";

/// [`NOW`] as a timestamp.
pub fn now() -> Timestamp {
    NOW.parse().unwrap()
}

/// The fields of a record, listed independently of the code under test.
pub const FIELDS: [&str; 9] = [
    "created_at",
    "postal_code",
    "property_type",
    "types_of_problems",
    "problem_locations",
    "first_name",
    "last_name",
    "email_address",
    "phone_number",
];

/// The probability that a field is present.
const PRESENT_PROBABILITY: f64 = 0.98;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 100;
/// Maximum length of an e-mail address, in characters.
const MAX_EMAIL: usize = 254;

/// Matches times that follow RFC 3339, or nearly do.
const RFC_3339_TIME: &str =
    r"2026-11-0[0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,12})?([Zz]|[+-][0-2][0-9]:[0-9]{2})";

const PROBLEMS: &[&str] = &["nesting", "droppings", "noise", "damage", "health", "other"];
const LOCATIONS: &[&str] = &["balcony", "roof", "facade", "courtyard", "garden", "other"];

/// The weight of valid fields against nearly valid ones. Of several invalid fields, only the first determines the error.
const VALID_WEIGHT: u32 = 6;

/// Records with valid and nearly valid fields. Some fields may be missing.
pub fn nearly_valid() -> impl Strategy<Value = Map<String, Value>> {
    let nearly_valid = [
        mutated(time()).boxed(),
        mutated(text("2[0-2][0-9]{3}|[0-3][0-9]{3,5}")).boxed(),
        one_of(&["industry", "other", "", " residential"]),
        mutated(list(PROBLEMS)).boxed(),
        mutated(text("(roof|balcony|garden|,| ){1,3}")).boxed(),
        prop_oneof![nasty(), near_limit(MAX_NAME)].boxed(),
        prop_oneof![nasty(), near_limit(MAX_NAME)].boxed(),
        prop_oneof![
            2 => mutated(text(r"[a-z.+]{1,5}@[a-z]{1,5}\.[a-z]{1,3}")),
            2 => mutated(text(r"[a-z@. ]{0,9}")),
            1 => near_limit(MAX_EMAIL - 4).prop_map(|name| name + "@b.c"),
        ]
        .boxed(),
        prop_oneof![
            2 => mutated(text(r"(\+49|0|00?49|)[ (-]{0,2}[1-9]([0-9][ ()-]?){7,13}")),
            2 => text(r"(\+49|0|00|\+|)[1-9][0-9]{6,14}"),
            1 => (85..90_usize).prop_map(|spaces| format!("040{}12345678", " ".repeat(spaces))),
        ]
        .boxed(),
    ];
    let fields = valid_fields().into_iter().zip(nearly_valid);
    record(fields.map(|(valid, nearly_valid)| prop_oneof![VALID_WEIGHT => valid, 1 => nearly_valid].boxed()))
}

/// Valid inquiries with every kind of text that the rules accept. Some are marked as suspected.
pub fn valid() -> impl Strategy<Value = NewInquiry> {
    (record(valid_fields().into_iter()), any::<bool>()).prop_filter_map(
        "an inquiry",
        |(record, is_suspected)| {
            let body = Value::Object(record).to_string();
            let inquiry = NewInquiry::parse(body.as_bytes(), now()).ok()?;
            Some(inquiry.marked(is_suspected.then_some(Suspicion::TooQuick(400))))
        },
    )
}

/// A valid but possibly odd value for each field.
fn valid_fields() -> [BoxedStrategy<String>; FIELDS.len()] {
    let part =
        |text: String, others: &str| text.replace(|c: char| !c.is_alphanumeric() && !others.contains(c), "");
    let email = (nasty(), nasty()).prop_map(move |(name, host)| {
        let odd = format!(
            "{}x@{}y.z",
            part(name, "+-_'="),
            part(host, "\u{ad}\u{200b}\u{2060}")
        );
        // Not every letter may occur in a domain.
        Some(odd)
            .filter(|odd| EmailAddress::parse(odd).is_some())
            .unwrap_or_else(|| "x@y.z".to_owned())
    });
    [
        time().boxed(),
        text("2[0-2][0-9]{3}").boxed(),
        one_of(&["residential", "commercial", "industrial"]),
        list(PROBLEMS).boxed(),
        list(LOCATIONS).boxed(),
        name().boxed(),
        name().boxed(),
        email.boxed(),
        text(r"(\+49|0|)[1-9][ ()-]?[0-9]([ ()-]?[0-9]){7,11}").boxed(),
    ]
}

/// Records with these values of the nine fields, in their order. Some fields may be missing.
fn record(values: impl Iterator<Item = BoxedStrategy<String>>) -> impl Strategy<Value = Map<String, Value>> {
    let fields: Vec<_> = values
        .map(|value| prop::option::weighted(PRESENT_PROBABILITY, value))
        .collect();
    fields.prop_map(|values| {
        let named = FIELDS.iter().zip(values);
        named
            .filter_map(|(name, value)| Some(((*name).to_owned(), Value::String(value?))))
            .collect()
    })
}

/// Times in many spellings, often near the limits of what is plausible.
fn time() -> impl Strategy<Value = String> + Clone {
    let around = |millis: i64| {
        let ages = [SignedDuration::ZERO, SignedDuration::from_hours(7 * 24)];
        (prop::sample::select(ages.to_vec()), -millis..=millis)
            .prop_map(|(age, off)| (now() - age + SignedDuration::from_millis(off)).to_string())
    };
    prop_oneof![
        2 => around(3),
        2 => around(600_000_000),
        1 => mutated(text(RFC_3339_TIME)),
    ]
}

/// Comma-separated lists of distinct ids in any order.
fn list(ids: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    subsequence(ids, 0..=ids.len())
        .prop_shuffle()
        .prop_map(|chosen| chosen.join(","))
}

/// Valid but possibly odd names.
fn name() -> impl Strategy<Value = String> + Clone {
    let odd = nasty().prop_map(|text| text.replace(is_unprintable, "") + "x");
    let early = nasty().prop_map(|text| "x".to_owned() + &text.replace(is_unprintable, ""));
    let alone = nasty().prop_filter_map("no letter", |text| {
        let text = text.replace(is_unprintable, "");
        (!text
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
            .is_empty())
        .then_some(text)
    });
    prop_oneof![3 => alone, 1 => odd, 1 => early, 1 => near_limit(MAX_NAME - 2)]
}

fn one_of(texts: &'static [&'static str]) -> BoxedStrategy<String> {
    prop::sample::select(texts).prop_map(str::to_owned).boxed()
}

fn text(pattern: &str) -> impl Strategy<Value = String> + Clone + use<> {
    let text = string_regex(pattern).unwrap();
    // The strategy itself is not `Clone`.
    std::sync::Arc::new(text)
}
