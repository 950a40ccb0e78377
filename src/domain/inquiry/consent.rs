//! The consent sentences above the questionnaire's button, by number.

use std::collections::BTreeMap;

use serde::Deserialize;

/// All wordings ever shown.
const WORDINGS: &str = include_str!("../../../content/consent.toml");

#[derive(Deserialize)]
struct Wording {
    version: u16,
    text: String,
}

/// The sentence with this number; `None` if this version of the program does not know it.
pub fn consent_wording(version: u16) -> Option<String> {
    let mut consent: BTreeMap<String, Vec<Wording>> = toml::from_str(WORDINGS).ok()?;
    let mut wordings = consent.remove("wording")?.into_iter();
    wordings
        .find(|wording| wording.version == version)
        .map(|wording| wording.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_known_and_the_zeroth_is_not() {
        assert!(consent_wording(1).unwrap().contains("Absenden"));
        assert_eq!(consent_wording(0), None);
    }
}
