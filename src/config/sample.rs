//! The sample operator of `content/site.toml`, and which of its values a site still shows.

use super::settings::{Operator, SiteSettings};
use super::toml_file::FileError;

/// Reads one value of an operator.
type Value = fn(&Operator) -> Option<&str>;

/// The keys of `[operator]` whose values tell one operator from another. City, postal code and register court are not
/// among them, since a real operator may share those with the sample.
const DISTINCTIVE: [(&str, Value); 7] = [
    ("legal_name", |operator| operator.legal_name.as_deref()),
    ("represented_by", |operator| operator.represented_by.as_deref()),
    ("street", |operator| operator.street.as_deref()),
    ("email", |operator| operator.email.as_deref()),
    ("phone", |operator| operator.phone.as_deref()),
    ("register_number", |operator| operator.register_number.as_deref()),
    ("vat_id", |operator| operator.vat_id.as_deref()),
];

/// Returns the distinctive keys that still hold the sample's values; none for a real operator.
///
/// # Errors
/// When `content/site.toml` is wrong, which a test rules out.
pub fn keys_left(operator: &Operator) -> Result<Vec<&'static str>, FileError> {
    let sample = SiteSettings::embedded()?.operator;
    Ok(DISTINCTIVE
        .iter()
        .filter(|(_, value)| value(operator).is_some_and(|text| value(&sample) == Some(text)))
        .map(|&(key, _)| key)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_known_by_each_of_its_values() {
        let sample = SiteSettings::embedded().unwrap().operator;
        assert_eq!(
            keys_left(&sample).unwrap(),
            DISTINCTIVE.map(|(key, _)| key),
            "the sample lacks a key"
        );
        let street_left = Operator {
            street: sample.street,
            city: sample.city,
            legal_name: Some("Eigen GmbH".to_owned().try_into().unwrap()),
            ..Operator::default()
        };
        assert_eq!(keys_left(&street_left).unwrap(), ["street"]);
        assert!(keys_left(&Operator::default()).unwrap().is_empty());
    }
}
