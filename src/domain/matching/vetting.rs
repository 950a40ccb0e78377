//! Whether pages may call the firms vetted (`geprüft`).

use jiff::civil::Date;

use super::firm::{Firm, FirmId};

/// The term that pages use for vetted firms.
pub const VETTED: &str = "geprüft";

/// A reason why pages may not call the firms vetted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    /// No firm is asked.
    #[error("no [[firm]] is asked")]
    NoFirm,
    /// The firm has no check.
    #[error("firm {0} has no `checked`")]
    Unchecked(FirmId),
    /// The check of the firm was valid until this day.
    #[error("the check of firm {0} counted until {1}")]
    Ended(FirmId, Date),
}

/// The reasons why pages may not call the configured firms vetted; empty if they may. They may if at least one firm is not paused
/// and each of those has a valid check. The sample operator, which demonstrates a site, needs no firms.
pub fn vetting_gaps(firms: &[Firm], today: Date, is_sample: bool) -> Vec<Gap> {
    if firms.is_empty() && is_sample {
        return Vec::new();
    }
    let mut asked = firms.iter().filter(|firm| !firm.paused).peekable();
    if asked.peek().is_none() {
        return vec![Gap::NoFirm];
    }
    let gaps = asked.filter_map(|firm| match &firm.checked {
        None => Some(Gap::Unchecked(firm.id.clone())),
        Some(check) if check.counts(today) => None,
        Some(check) => Some(Gap::Ended(firm.id.clone(), check.last_day())),
    });
    gaps.collect()
}

/// The reasons without the names of firms, for the log.
pub fn vetting_summary(gaps: &[Gap]) -> String {
    match gaps {
        [gap @ Gap::NoFirm] => gap.to_string(),
        [_] => "one firm that is asked has no check that counts; `config check` names it".to_owned(),
        gaps => format!(
            "{} firms that are asked have no check that counts; `config check` names them",
            gaps.len()
        ),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::domain::matching::{Check, PostalPrefix};

    fn check(on: Date) -> Check {
        Check {
            by: "Taubenfrei Nord GmbH".to_owned(),
            on,
            what: vec!["Gewerbeanmeldung".to_owned()],
        }
    }

    fn firm(id: &str, paused: bool, checked: Option<Date>) -> Firm {
        Firm {
            id: FirmId::parse(id).unwrap(),
            name: id.to_owned(),
            email: format!("{id}@firma.example"),
            phone: None,
            website: None,
            postal_codes: vec![PostalPrefix::parse("2").unwrap()],
            property_types: None,
            problems: None,
            per_week: None,
            paused,
            commission: None,
            checked: checked.map(check),
        }
    }

    #[test]
    fn pages_call_firms_vetted_only_if_each_that_is_asked_is() {
        let today = date(2026, 11, 24);
        let (old, new) = (Some(date(2025, 11, 24)), Some(today));
        let gaps = |firms: &[Firm], is_sample| {
            let gaps = vetting_gaps(firms, today, is_sample);
            gaps.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(gaps(&[], true).is_empty());
        for (firms, expected) in [
            (vec![], vec!["no [[firm]] is asked"]),
            (vec![firm("a", true, new)], vec!["no [[firm]] is asked"]),
            (vec![firm("a", false, new)], vec![]),
            (vec![firm("a", false, new), firm("b", true, None)], vec![]),
            (
                vec![firm("a", false, new), firm("b", false, None)],
                vec!["firm b has no `checked`"],
            ),
            (
                vec![firm("a", false, old)],
                vec!["the check of firm a counted until 2026-11-23"],
            ),
        ] {
            assert_eq!(gaps(&firms, false), expected);
            if !firms.is_empty() {
                assert_eq!(gaps(&firms, true), expected);
            }
        }
    }

    #[test]
    fn a_check_counts_until_the_day_before_the_same_day_a_year_later() {
        for (on, last) in [
            (date(2026, 11, 3), date(2027, 11, 2)),
            (date(2027, 1, 1), date(2027, 12, 31)),
            (date(2027, 3, 1), date(2028, 2, 29)),
            (date(2028, 2, 28), date(2029, 2, 27)),
            (date(2028, 2, 29), date(2029, 2, 28)),
            (date(2028, 3, 1), date(2029, 2, 28)),
        ] {
            let check = check(on);
            assert_eq!(check.last_day(), last, "{on}");
            assert!(check.counts(on) && check.counts(last), "{on}");
            assert!(!check.counts(last.tomorrow().unwrap()), "{on}");
            assert!(!check.counts(on.yesterday().unwrap()), "{on}");
        }
    }
}
