//! An invented year of a site: inquiries, the answers of firms, and the funnel. Deterministic.

use std::sync::Arc;

use jiff::civil::{Date, Weekday, date};
use jiff::{SignedDuration, Timestamp, ToSpan, tz};
use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::domain::matching::{Firm, FirmId, FirmRotation, PostalPrefix, RequestHistory};
use taubenabwehr::domain::referral::{Answer, Asked, InquiryRecord, Referral};
use taubenabwehr::store::DayCounts;
use uuid::Uuid;

use crate::samples;

/// Pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound
    }

    fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A random entry, chosen in proportion to its weight.
    fn weighted<'a, T>(&mut self, entries: &'a [(u64, T)]) -> &'a T {
        let mut left = self.below(entries.iter().map(|(weight, _)| weight).sum());
        for (weight, entry) in entries {
            if left < *weight {
                return entry;
            }
            left -= weight;
        }
        panic!("no weight is left")
    }
}

const FIRST: Date = date(2025, 11, 23);
const DAYS: i32 = 365;

/// The weight of each hour of the day.
const HOURS: [u64; 24] = [
    1, 1, 0, 0, 0, 1, 3, 8, 14, 18, 17, 15, 12, 11, 12, 13, 14, 15, 17, 19, 18, 13, 7, 3,
];

/// Weighted postal codes: most inquiries come from dense quarters with old houses, fewest from two towns around the city.
const CODES: [(u64, &str); 14] = [
    (14, "20095"),
    (18, "20257"),
    (22, "20359"),
    (13, "21073"),
    (6, "21107"),
    (14, "22081"),
    (13, "22087"),
    (5, "22177"),
    (17, "22305"),
    (3, "22393"),
    (23, "22765"),
    (21, "22767"),
    (3, "22846"),
    (2, "21465"),
];

const PROBLEMS: [(u64, &str); 8] = [
    (30, "nesting,droppings"),
    (26, "droppings"),
    (12, "nesting"),
    (11, "droppings,noise"),
    (8, "damage,droppings"),
    (6, "health,droppings"),
    (2, "other"),
    (7, ""),
];

const LOCATIONS: [(u64, &str); 8] = [
    (38, "balcony"),
    (22, "roof"),
    (15, "facade"),
    (9, "courtyard"),
    (4, "garden"),
    (8, "roof,facade"),
    (2, "other"),
    (4, ""),
];

/// Forty firms: most accept everything in the city, some are selective.
pub fn firms() -> Vec<Firm> {
    let areas: [&[&str]; 5] = [&["20", "21", "22"], &["20", "22"], &["22"], &["21"], &["20"]];
    let long = "für Gebäudeschutz und Höhenarbeiten in Norddeutschland ";
    (0..40)
        .map(|number: usize| Firm {
            // One name is so long that it fills its cell.
            name: format!("Fachbetrieb {}Nr. {number}", if number == 39 { long } else { "" }),
            postal_codes: areas[number % areas.len()]
                .iter()
                .map(|prefix| PostalPrefix::parse(prefix).unwrap())
                .collect(),
            per_week: number.is_multiple_of(3).then_some(12),
            ..samples::firm(&format!("firm-{number}"))
        })
        .collect()
}

/// `count` inquiries of the year, with their outcomes.
pub fn records(count: u64) -> Vec<InquiryRecord> {
    let mut random = Random::new();
    let firms: Arc<[Firm]> = firms().into();
    let mut rotation = FirmRotation::new(Arc::clone(&firms), None::<(FirmId, RequestHistory)>);
    let times = times(&mut random, count);
    let records = times.into_iter().enumerate().map(|(number, created_at)| {
        let answers = inquiry(&mut random, number as u64, created_at).answers.clone();
        let chosen = rotation.ask(&answers, &[], 3, created_at);
        let mut referral = Referral::default();
        for firm in chosen {
            referral.asked.push(asked(&mut random, firm, created_at));
        }
        let is_gone = random.is(1);
        InquiryRecord {
            id: Uuid::from_u128(number as u128),
            inquiry: (!is_gone).then_some(Inquiry {
                id: Uuid::from_u128(number as u128),
                created_at,
                answers,
                suspected: false,
            }),
            referral,
        }
    });
    records.collect()
}

/// The funnel of the year.
pub fn funnel() -> Vec<DayCounts> {
    let mut random = Random::new();
    let days = (0..DAYS).map(|_| {
        let begun = 60 + random.below(40);
        let pages = begun * 11 + random.below(100);
        let steps = [100, 71, 62, 55, 49].map(|percent| begun * percent / 100);
        counted(pages, steps, begun * 34 / 100, 0)
    });
    days.collect()
}

/// The counts of a day: pages, each step, inquiries from the questionnaire and from API clients.
pub fn counted(pages: u64, steps: [u64; 5], sent: u64, others: u64) -> DayCounts {
    let named = [("page:/", pages), ("inquiry", sent), ("inquiry:other", others)];
    let named = named.map(|(name, count)| (name.to_owned(), count));
    let steps = steps.into_iter().enumerate();
    let steps = steps.map(|(step, count)| (format!("step:{step}"), count));
    steps.chain(named).collect()
}

/// The times of `count` inquiries, in order.
fn times(random: &mut Random, count: u64) -> Vec<Timestamp> {
    let mut times: Vec<Timestamp> = (0..count).map(|_| time(random)).collect();
    times.sort();
    times
}

/// A random time: most in spring, few on Sundays.
fn time(random: &mut Random) -> Timestamp {
    loop {
        let day = FIRST + i32::try_from(random.below(DAYS as u64)).unwrap().days();
        let season = [6, 9, 17, 20, 18, 14, 11, 10, 11, 9, 7, 5][usize::try_from(day.month() - 1).unwrap()];
        let weekday = match day.weekday() {
            Weekday::Sunday => 9,
            Weekday::Saturday => 12,
            Weekday::Monday => 20,
            _ => 17,
        };
        if random.below(20 * 20) < season * weekday {
            let hours: Vec<_> = HOURS.iter().copied().zip(0_i8..).collect();
            let hour = *random.weighted(&hours);
            let minute = i8::try_from(random.below(60)).unwrap();
            let time = day.at(hour, minute, 0, 0).to_zoned(tz::get!("Europe/Berlin"));
            return time.unwrap().timestamp();
        }
    }
}

/// An inquiry that is made now; `number` tells visitors apart.
fn inquiry(random: &mut Random, number: u64, now: Timestamp) -> NewInquiry {
    let body = serde_json::json!({
        "postal_code": random.weighted(&CODES),
        "property_type": random.weighted(&[(68, "residential"), (25, "commercial"), (7, "industrial")]),
        "types_of_problems": random.weighted(&PROBLEMS),
        "problem_locations": random.weighted(&LOCATIONS),
        "first_name": "Änne",
        "last_name": "Besucherin",
        "email_address": format!("visitor-{number}@example.org"),
        "phone_number": "040 7654321",
    });
    NewInquiry::parse(body.to_string().as_bytes(), now).unwrap()
}

/// How a firm responds to requests: each has its own rates and delays.
struct Habits(u64);

impl Habits {
    fn of(firm: &FirmId) -> Self {
        let number = firm.as_str().strip_prefix("firm-").unwrap();
        Self(number.parse().unwrap())
    }

    /// Whether it accepts; `None` if it does not answer.
    fn answer(&self, random: &mut Random) -> Option<bool> {
        let accepts = 35 + self.0 * 7 % 45;
        let declines = 8 + self.0 * 5 % 17;
        let drawn = random.below(100);
        (drawn < accepts + declines).then_some(drawn < accepts)
    }

    /// How long it takes to answer.
    fn delay(&self, random: &mut Random) -> SignedDuration {
        let minutes = 12 + random.below(60 * (2 + self.0 * 3 % 17));
        SignedDuration::from_mins(i64::try_from(minutes).unwrap())
    }
}

fn asked(random: &mut Random, firm: FirmId, at: Timestamp) -> Asked {
    let habits = Habits::of(&firm);
    let until = at + SignedDuration::from_hours(24);
    let end: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
    let answered = at + habits.delay(random);
    let answer = match habits.answer(random) {
        Some(true) if answered < end => Answer::Accepted(answered),
        Some(false) if answered < end => Answer::Declined(answered),
        None if until < end => Answer::Silent,
        _ => Answer::Pending,
    };
    Asked {
        firm,
        at,
        until,
        answer,
        reminder: None,
        name: None,
        review: None,
        despite_pause: None,
        passed_on_by_pause: None,
    }
}
