//! Records of inquiries: right, nearly right, and completely wrong.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::string::string_regex;
use serde_json::{Map, Value};

use super::text::{nasty, near_limit, spoilt};
use taubenabwehr::inquiry::{NewInquiry, Suspicion};

/// The time at which every record is read. Times are whole milliseconds, as they are stored.
pub const NOW: &str = "2026-11-08T12:00:00.5Z";

/// [`NOW`] as a time.
pub fn now() -> Timestamp {
    NOW.parse().unwrap()
}

/// The fields of a record (spec section 3), written a second time here.
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

/// How often a field is present.
const PRESENT: f64 = 0.98;
/// Longest name, in characters (contract, "HTTP").
const NAME_LIMIT: usize = 100;
/// Longest e-mail address, in characters.
const EMAIL_LIMIT: usize = 254;

/// Generates times in the notation of RFC 3339, or nearly so.
const SPELT_TIME: &str =
    r"2026-11-0[0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,12})?([Zz]|[+-][0-2][0-9]:[0-9]{2})";

const PROBLEMS: &[&str] = &["nesting", "droppings", "noise", "damage", "health", "other"];
const LOCATIONS: &[&str] = &["balcony", "roof", "facade", "courtyard", "garden", "other"];

/// How many fields are right for each that is only nearly right: if several are wrong, only the first one matters.
const RIGHT: u32 = 6;

/// Generates records with fields that are right or nearly right, and perhaps some missing.
pub fn near() -> impl Strategy<Value = Map<String, Value>> {
    let nearly = [
        spoilt(time()).boxed(),
        spoilt(text("2[0-2][0-9]{3}|[0-3][0-9]{3,5}")).boxed(),
        one_of(&["industry", "other", "", " residential"]),
        spoilt(list(PROBLEMS)).boxed(),
        spoilt(text("(roof|balcony|garden|,| ){1,3}")).boxed(),
        prop_oneof![nasty(), near_limit(NAME_LIMIT)].boxed(),
        prop_oneof![nasty(), near_limit(NAME_LIMIT)].boxed(),
        prop_oneof![
            2 => spoilt(text(r"[a-z.+]{1,5}@[a-z]{1,5}\.[a-z]{1,3}")),
            2 => spoilt(text(r"[a-z@. ]{0,9}")),
            1 => near_limit(EMAIL_LIMIT - 4).prop_map(|name| name + "@b.c"),
        ]
        .boxed(),
        prop_oneof![
            2 => spoilt(text(r"(\+49|0|00?49|)[ (-]{0,2}[1-9]([0-9][ ()-]?){7,13}")),
            2 => text(r"(\+49|0|00|\+|)[1-9][0-9]{6,14}"),
            1 => (85..90_usize).prop_map(|spaces| format!("040{}12345678", " ".repeat(spaces))),
        ]
        .boxed(),
    ];
    let fields = right().into_iter().zip(nearly);
    record(fields.map(|(right, nearly)| prop_oneof![RIGHT => right, 1 => nearly].boxed()))
}

/// Generates valid inquiries with any texts that the rules allow, some of them suspected to be a robot's.
pub fn valid() -> impl Strategy<Value = NewInquiry> {
    (record(right().into_iter()), any::<bool>()).prop_filter_map("an inquiry", |(record, is_suspected)| {
        let body = Value::Object(record).to_string();
        let inquiry = NewInquiry::parse(body.as_bytes(), now()).ok()?;
        Some(inquiry.marked(is_suspected.then_some(Suspicion::TooQuick)))
    })
}

/// Generates a valid value, however odd, for each field.
fn right() -> [BoxedStrategy<String>; FIELDS.len()] {
    let part = |text: String| {
        text.replace(
            |c: char| c == '@' || c == '\u{feff}' || c.is_whitespace() || c.is_control(),
            "",
        )
    };
    let email = (nasty(), nasty()).prop_map(move |(name, host)| format!("{}x@{}y.z", part(name), part(host)));
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

/// Generates records with these values for the nine fields, in their order; now and then a field is missing.
fn record(values: impl Iterator<Item = BoxedStrategy<String>>) -> impl Strategy<Value = Map<String, Value>> {
    let fields: Vec<_> = values
        .map(|value| prop::option::weighted(PRESENT, value))
        .collect();
    fields.prop_map(|values| {
        let named = FIELDS.iter().zip(values);
        named
            .filter_map(|(name, value)| Some(((*name).to_owned(), Value::String(value?))))
            .collect()
    })
}

/// Generates times in many spellings, often close to the limits of what is credible.
fn time() -> impl Strategy<Value = String> + Clone {
    let around = |millis: i64| {
        let ages = [SignedDuration::ZERO, SignedDuration::from_hours(7 * 24)];
        (prop::sample::select(ages.to_vec()), -millis..=millis)
            .prop_map(|(age, off)| (now() - age + SignedDuration::from_millis(off)).to_string())
    };
    prop_oneof![
        2 => around(3),
        2 => around(600_000_000),
        1 => spoilt(text(SPELT_TIME)),
    ]
}

/// Generates ids joined by a comma, in their order, none of them twice.
fn list(ids: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    subsequence(ids, 0..=ids.len())
        .prop_shuffle()
        .prop_map(|chosen| chosen.join(","))
}

/// Generates names that the rules allow, however odd.
fn name() -> impl Strategy<Value = String> + Clone {
    let odd = nasty().prop_map(|text| text.replace(char::is_control, "") + "x");
    let early = nasty().prop_map(|text| "x".to_owned() + &text.replace(char::is_control, ""));
    let alone = nasty().prop_filter_map("no letter", |text| {
        let text = text.replace(char::is_control, "");
        (!text
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
            .is_empty())
        .then_some(text)
    });
    prop_oneof![3 => alone, 1 => odd, 1 => early, 1 => near_limit(NAME_LIMIT - 2)]
}

fn one_of(texts: &'static [&'static str]) -> BoxedStrategy<String> {
    prop::sample::select(texts).prop_map(str::to_owned).boxed()
}

fn text(pattern: &str) -> impl Strategy<Value = String> + Clone + use<> {
    let text = string_regex(pattern).unwrap();
    // Generators of patterns cannot be cloned.
    std::sync::Arc::new(text)
}
