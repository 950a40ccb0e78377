//! The consent sentences above the questionnaire's button, and those read to callers, by number.

use std::collections::BTreeMap;

use serde::Deserialize;

/// All wordings ever shown.
const WORDINGS: &str = include_str!("../../../content/consent.toml");

#[derive(Deserialize)]
struct Wording {
    version: u16,
    text: String,
}

/// The number of the sentence that the operator reads to callers.
pub const SPOKEN_CONSENT: u16 = 50_001;

/// The sentence with this number; `None` if this version of the program does not know it.
pub fn consent_wording(version: u16) -> Option<String> {
    let consent: BTreeMap<String, Vec<Wording>> = toml::from_str(WORDINGS).ok()?;
    let mut wordings = consent.into_values().flatten();
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
        assert!(consent_wording(SPOKEN_CONSENT).unwrap().contains("Am Telefon"));
        assert_eq!(consent_wording(0), None);
    }
}
