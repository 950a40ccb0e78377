//! The check of a firm: who looked at what and when, and how long that counts.

use jiff::civil::Date;

/// What somebody has checked of a firm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Who has checked it.
    pub by: String,
    /// The day in Hamburg, which is not in the future.
    pub on: Date,
    /// What was looked at, such as an insurance.
    pub what: Vec<String>,
}

impl Check {
    /// Returns the last day on which it counts: the one before the same day a year later. A year after 29 February that is 28
    /// February (§ 188 BGB).
    pub fn last_day(&self) -> Date {
        let year = self.on.year().saturating_add(1);
        let same = Date::new(year, self.on.month(), self.on.day());
        let last = same.and_then(Date::yesterday);
        last.or_else(|_| Date::new(year, 2, 28)).unwrap_or(self.on)
    }

    /// Whether it counts on a day.
    pub fn counts(&self, today: Date) -> bool {
        self.on <= today && today <= self.last_day()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn check(on: Date) -> Check {
        Check {
            by: "Taubenfrei Nord GmbH".to_owned(),
            on,
            what: vec!["Gewerbeanmeldung".to_owned()],
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
