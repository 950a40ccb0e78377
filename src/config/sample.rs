//! The sample operator of `content/site.toml`, and what of it a site still shows.

use super::settings::{Operator, SettingsError, SiteSettings};

/// Reads one value of an operator.
type Value = fn(&Operator) -> Option<&str>;

/// What tells one operator from another, by the keys of `[operator]`. City, postal code and register court are not among
/// them: a real operator may share those with the sample.
const TELLING: [(&str, Value); 7] = [
    ("legal_name", |operator| operator.legal_name.as_deref()),
    ("represented_by", |operator| operator.represented_by.as_deref()),
    ("street", |operator| operator.street.as_deref()),
    ("email", |operator| operator.email.as_deref()),
    ("phone", |operator| operator.phone.as_deref()),
    ("register_number", |operator| operator.register_number.as_deref()),
    ("vat_id", |operator| operator.vat_id.as_deref()),
];

/// The telling keys that still hold the sample's values; none for a real operator.
///
/// # Errors
/// When `content/site.toml` is wrong, which a test keeps from happening.
pub fn keys_left(operator: &Operator) -> Result<Vec<&'static str>, SettingsError> {
    let sample = SiteSettings::embedded()?.operator;
    Ok(TELLING
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
            TELLING.map(|(key, _)| key),
            "the sample lacks a key"
        );
        let street_left = Operator {
            street: sample.street,
            city: sample.city,
            legal_name: Some("Eigen GmbH".to_owned()),
            ..Operator::default()
        };
        assert_eq!(keys_left(&street_left).unwrap(), ["street"]);
        assert!(keys_left(&Operator::default()).unwrap().is_empty());
    }
}
