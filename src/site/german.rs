//! Formats dates, times and costs in German.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;
use crate::domain::commission::{Euro, Percent, Terms};
use crate::domain::inquiry::Suspicion;

const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// The German name of a month.
pub fn month_name(day: Date) -> &'static str {
    let index = usize::try_from(day.month() - 1).ok();
    index.and_then(|index| MONTHS.get(index)).copied().unwrap_or("")
}

/// Formats a date, such as `3. März 2026`.
pub fn german_day(day: Date) -> String {
    format!("{}.\u{a0}{}", day.day(), german_month(day))
}

/// Formats a time in Hamburg's time zone, such as `3. März 2026, 09:05 Uhr`. Non-breaking spaces join the day to its month and the
/// time to `Uhr`; rendering as plain text replaces them.
pub fn german_time(time: Timestamp) -> String {
    let zoned = time.to_zoned(berlin::zone());
    let day = german_day(zoned.date());
    format!("{day}, {:02}:{:02}\u{a0}Uhr", zoned.hour(), zoned.minute())
}

/// Formats the month of a date, such as `März 2026`.
pub fn german_month(day: Date) -> String {
    format!("{} {}", month_name(day), day.year())
}

/// Describes the cost of accepting an inquiry, such as `Annehmen kostet 25,00 Euro; wird daraus ein Auftrag, kommen 8 % der
/// Auftragssumme netto hinzu. Dazu kommt die Umsatzsteuer.` With a rate of 0 no tax is announced.
pub fn german_cost(terms: &Terms, vat: Percent) -> String {
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
    match vat {
        Percent::ZERO => cost + ".",
        _ => cost + ". Dazu kommt die Umsatzsteuer.",
    }
}

/// Says why an inquiry is suspected.
pub fn german_suspicion(reason: Suspicion) -> String {
    match reason {
        Suspicion::TrapFilled => "Ein Feld ist ausgefüllt, das Menschen nicht sehen.".to_owned(),
        Suspicion::Forged => "Wie lange das Ausfüllen dauerte, ist gefälscht.".to_owned(),
        Suspicion::TooQuick(millis) => {
            let seconds = (f64::from(millis) / 1000.0).to_string().replace('.', ",");
            format!("Das Formular war in {seconds} Sekunden ausgefüllt.")
        }
        Suspicion::TooMany(number) => {
            format!("Sie ist die {number}. Anfrage desselben Absenders innerhalb von 24 Stunden.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_hamburg() {
        for (utc, expected) in [
            ("2026-03-03T08:05:59Z", "3.\u{a0}März 2026, 09:05\u{a0}Uhr"),
            ("2026-07-31T22:30:00Z", "1.\u{a0}August 2026, 00:30\u{a0}Uhr"),
            ("2025-12-31T23:00:00Z", "1.\u{a0}Januar 2026, 00:00\u{a0}Uhr"),
        ] {
            assert_eq!(german_time(utc.parse().unwrap()), expected);
        }
    }

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
            let said = |vat| german_cost(&terms, vat).replace('\u{a0}', " ");
            assert_eq!(said(Percent::USUAL_VAT), expected);
            assert_eq!(
                said(Percent::ZERO),
                expected.replace(" Dazu kommt die Umsatzsteuer.", "")
            );
        }
    }
}
