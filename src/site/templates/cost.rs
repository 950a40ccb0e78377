//! What accepting an inquiry costs, as firms read it.

use crate::domain::commission::{Euro, Percent, Terms};

/// Says what accepting costs, such as `Annehmen kostet 25,00 Euro; wird daraus ein Auftrag, kommen 8 % der Auftragssumme netto hinzu. Dazu
/// kommt die Umsatzsteuer.`
pub fn german_cost(terms: &Terms) -> String {
    let euros = |amount: Euro| (amount != Euro::ZERO).then(|| format!("{}\u{a0}Euro", amount.german()));
    let share = (terms.share != Percent::ZERO)
        .then(|| format!("{}\u{a0}% der Auftragssumme netto", terms.share.german()));
    let of_order = match (euros(terms.per_order), share) {
        (Some(fixed), Some(share)) => Some(format!("{fixed} und {share}")),
        (fixed, share) => fixed.or(share),
    };
    let cost = match (euros(terms.per_acceptance), of_order) {
        (None, None) => return "Annehmen kostet Sie nichts, auch wenn daraus ein Auftrag wird.".to_owned(),
        (Some(at_once), None) => format!("Annehmen kostet {at_once}"),
        (Some(at_once), Some(later)) => {
            format!("Annehmen kostet {at_once}; wird daraus ein Auftrag, kommen {later} hinzu")
        }
        (None, Some(later)) => format!("Annehmen kostet nichts; wird daraus ein Auftrag, kostet er {later}"),
    };
    format!("{cost}. Dazu kommt die Umsatzsteuer.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_owed_is_said_and_nothing_else() {
        for (per_acceptance, per_order, share, expected) in [
            (
                "0",
                "0",
                "0",
                "Annehmen kostet Sie nichts, auch wenn daraus ein Auftrag wird.",
            ),
            (
                "25.00",
                "0",
                "0",
                "Annehmen kostet 25,00 Euro. Dazu kommt die Umsatzsteuer.",
            ),
            (
                "25",
                "1250.5",
                "7.5",
                "Annehmen kostet 25,00 Euro; wird daraus ein Auftrag, kommen 1.250,50 Euro und 7,5 % der Auftragssumme netto \
                 hinzu. Dazu kommt die Umsatzsteuer.",
            ),
            (
                "0",
                "0",
                "8",
                "Annehmen kostet nichts; wird daraus ein Auftrag, kostet er 8 % der Auftragssumme netto. Dazu kommt die \
                 Umsatzsteuer.",
            ),
        ] {
            let terms = Terms {
                per_acceptance: Euro::parse(per_acceptance).unwrap(),
                per_order: Euro::parse(per_order).unwrap(),
                share: Percent::parse(share).unwrap(),
            };
            assert_eq!(german_cost(&terms).replace('\u{a0}', " "), expected);
        }
    }
}
