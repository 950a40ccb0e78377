//! The figures of a report. Inquiries are added one by one and not kept.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Zoned};
use serde::{Deserialize, Serialize};

use crate::base::text::berlin;
use crate::domain::inquiry::{Answers, Choice, Location, Problem};
use crate::domain::matching::FirmId;
use crate::domain::referral::{Answer, Asked, InquiryRecord, Referral, State};
use crate::operate::funnel::STEPS;
use crate::store::DayCounts;

/// The maximum number of offers per inquiry, which is also the maximum that the configuration allows.
const MOST_OFFERS: usize = 3;

/// The figures of a report. Memory grows with the number of days, places and firms, not with that of inquiries.
#[derive(Debug, Default)]
pub struct ReportFigures {
    /// Names of the firms that are still in the file.
    pub(super) names: BTreeMap<FirmId, String>,
    pub(super) firms: BTreeMap<FirmId, FirmFigures>,
    pub(super) total: u64,
    pub(super) days: BTreeMap<Date, u64>,
    /// Inquiries by day of the week, starting on Monday, and hour.
    pub(super) week: [[u64; 24]; 7],
    pub(super) postal_codes: BTreeMap<u16, u64>,
    /// Inquiries by the number of the type of building.
    pub(super) buildings: BTreeMap<u8, u64>,
    /// Inquiries by the numbers of the problem or location (`None` if the visitor chose none) and of the type of building.
    pub(super) problems: BTreeMap<(Option<u8>, u8), u64>,
    pub(super) locations: BTreeMap<(Option<u8>, u8), u64>,
    /// Inquiries with no, one, two and three offers.
    pub(super) offers: [u64; MOST_OFFERS + 1],
    /// The time from the first question to a firm until the first offer.
    pub(super) first_offer: Hours,
    /// The counts of the funnel, if there are any.
    pub(super) funnel: Option<FunnelCounts>,
    /// Inquiries omitted as suspected spam.
    pub(super) suspected: u64,
    /// Inquiries omitted because they were withdrawn or erased.
    pub(super) gone: u64,
}

/// The counts of the funnel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FunnelCounts {
    /// Pages shown.
    pub(super) pages: u64,
    /// How often each step of the questionnaire was reached.
    pub(super) steps: [u64; STEPS],
    /// Inquiries sent by the questionnaire.
    pub(super) sent: u64,
    /// Inquiries sent by programs.
    pub(super) others: u64,
}

impl ReportFigures {
    /// Empty figures for the firms with these names. Firms that are no longer in the file are shown by their ids.
    pub fn new(names: BTreeMap<FirmId, String>) -> Self {
        let figures = names.keys().map(|id| (id.clone(), FirmFigures::default()));
        Self {
            firms: figures.collect(),
            names,
            ..Self::default()
        }
    }

    /// Adds an inquiry.
    pub fn add(&mut self, record: &InquiryRecord) {
        if record.referral.is_notice() {
            return;
        }
        let Some(inquiry) = &record.inquiry else {
            self.gone += 1;
            return;
        };
        if record.referral.state() == State::Suspected {
            self.suspected += 1;
            return;
        }
        self.total += 1;
        self.add_time(&inquiry.created_at.to_zoned(berlin::zone()));
        self.add_answers(&inquiry.answers);
        self.add_referral(&record.referral);
    }

    /// Adds the funnel's counts of a day. Unknown names are ignored.
    pub fn add_funnel(&mut self, counts: &DayCounts) {
        let funnel = self.funnel.get_or_insert_default();
        for (name, count) in counts {
            let sum = match name.split_once(':') {
                Some(("inquiry", "other")) => Some(&mut funnel.others),
                Some(("page", _)) => Some(&mut funnel.pages),
                Some(("step", step)) => step
                    .parse()
                    .ok()
                    .and_then(|step: usize| funnel.steps.get_mut(step)),
                None if name == "inquiry" => Some(&mut funnel.sent),
                _ => None,
            };
            if let Some(sum) = sum {
                *sum += count;
            }
        }
    }

    fn add_time(&mut self, time: &Zoned) {
        *self.days.entry(time.date()).or_default() += 1;
        let weekday = usize::try_from(time.weekday().to_monday_zero_offset()).unwrap_or_default();
        let hour = usize::try_from(time.hour()).unwrap_or_default();
        if let Some(count) = self.week.get_mut(weekday).and_then(|hours| hours.get_mut(hour)) {
            *count += 1;
        }
    }

    fn add_answers(&mut self, answers: &Answers) {
        let building = answers.property_type.number();
        *self.postal_codes.entry(answers.postal_code.number()).or_default() += 1;
        *self.buildings.entry(building).or_default() += 1;
        for number in numbers::<Problem>(&answers.types_of_problems) {
            *self.problems.entry((number, building)).or_default() += 1;
        }
        for number in numbers::<Location>(&answers.problem_locations) {
            *self.locations.entry((number, building)).or_default() += 1;
        }
    }

    fn add_referral(&mut self, referral: &Referral) {
        for asked in &referral.asked {
            self.firms.entry(asked.firm.clone()).or_default().add(asked);
        }
        if let Some(count) = self.offers.get_mut(referral.accepted().min(MOST_OFFERS)) {
            *count += 1;
        }
        let begun = referral.asked.iter().map(|asked| asked.at).min();
        let offered = referral.asked.iter().filter_map(|asked| match asked.answer {
            Answer::Accepted(at) => Some(at),
            _ => None,
        });
        if let Some((begun, offered)) = begun.zip(offered.min()) {
            self.first_offer.add(offered.duration_since(begun));
        }
    }
}

/// The number of a firm's answers of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirmFigures {
    /// Inquiries it accepted.
    pub accepted: u64,
    /// Inquiries it declined.
    pub declined: u64,
    /// Inquiries it did not answer in time.
    pub silent: u64,
    /// Inquiries it may still answer.
    pub pending: u64,
    /// How long it took to answer.
    pub hours: Hours,
}

impl FirmFigures {
    /// Adds an inquiry that the firm was asked about.
    pub fn add(&mut self, asked: &Asked) {
        let count = match asked.answer {
            Answer::Accepted(_) => &mut self.accepted,
            Answer::Declined(_) => &mut self.declined,
            Answer::Silent => &mut self.silent,
            Answer::Pending => &mut self.pending,
            Answer::Unreachable => return,
        };
        *count += 1;
        if let Some(duration) = asked.answered_after() {
            self.hours.add(duration);
        }
    }

    /// The number of inquiries it was asked about.
    pub fn asked(&self) -> u64 {
        self.accepted + self.declined + self.silent + self.pending
    }
}

/// A histogram of durations in steps of a tenth of an hour, the precision of the median. Answers take some weeks at most, so there
/// are few different values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hours(BTreeMap<u32, u64>);

/// The length of a step.
const STEP_SECONDS: i64 = 360;

/// The number of steps from which durations are no longer distinguished: ten weeks. Bounds the memory.
const MOST: u32 = 10 * 7 * 24 * 10;

impl Hours {
    /// Adds a duration.
    pub fn add(&mut self, duration: SignedDuration) {
        let steps = duration.as_secs().max(0).saturating_add(STEP_SECONDS / 2) / STEP_SECONDS;
        let steps = u32::try_from(steps).unwrap_or(MOST).min(MOST);
        *self.0.entry(steps).or_default() += 1;
    }

    /// The median in hours, to a tenth; `None` without durations. For an even number of durations, the lower one of the middle two.
    pub fn median(&self) -> Option<f64> {
        let total: u64 = self.0.values().sum();
        let mut below = 0;
        let (steps, _) = self.0.iter().find(|&(_, count)| {
            below += count;
            below * 2 >= total
        })?;
        Some(f64::from(*steps) / 10.0)
    }

    /// The median as text: in tenths below ten hours, else in whole hours; a dash without durations.
    pub fn median_text(&self) -> String {
        match self.median() {
            Some(hours) if hours < 10.0 => format!("{hours:.1}").replace('.', ","),
            Some(hours) => format!("{hours:.0}"),
            None => "–".to_owned(),
        }
    }
}

/// The numbers of the chosen options, or a single `None` if none was chosen.
fn numbers<C: Choice>(chosen: &[C]) -> Vec<Option<u8>> {
    if chosen.is_empty() {
        return vec![None];
    }
    chosen.iter().map(|choice| Some(choice.number())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(minutes: &[i64]) -> Hours {
        let mut hours = Hours::default();
        for &minutes in minutes {
            hours.add(SignedDuration::from_mins(minutes));
        }
        hours
    }

    #[test]
    fn days_are_added_up() {
        let counts = [
            ("page:/", 5),
            ("page:/blog", 2),
            ("step:0", 4),
            ("step:4", 1),
            ("step:9", 7),
            ("inquiry", 1),
            ("inquiry:other", 2),
            ("other", 3),
        ];
        let counts = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        let mut figures = ReportFigures::default();
        figures.add_funnel(&counts);
        let expected = FunnelCounts {
            pages: 7,
            steps: [4, 0, 0, 0, 1],
            sent: 1,
            others: 2,
        };
        assert_eq!(figures.funnel, Some(expected));
        figures.add_funnel(&counts);
        assert_eq!(figures.funnel.unwrap().steps, [8, 0, 0, 0, 2]);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(hours(&[]).median(), None);
        assert_eq!(hours(&[90]).median(), Some(1.5));
        assert_eq!(hours(&[600, 30, 60]).median(), Some(1.0));
        assert_eq!(hours(&[600, 30, 60, 60_000]).median(), Some(1.0));
        assert_eq!(hours(&[-5]).median(), Some(0.0));
        assert_eq!(hours(&[i64::MAX / 60]).median(), Some(1680.0));
    }

    #[test]
    fn the_median_is_written_as_finely_as_matters() {
        assert_eq!(hours(&[]).median_text(), "–");
        assert_eq!(hours(&[93]).median_text(), "1,6");
        assert_eq!(hours(&[60 * 23 + 31]).median_text(), "24");
    }
}
