//! The published reviews as shown on the home page.
//!
//! They are not part of the structured data: search engines show no stars for what a site publishes about itself or its partners
//! (`LocalBusiness`, `Organization`), and flag such markup as self-serving.

use minijinja::context;
use minijinja::value::Value;

use crate::base::text::berlin;
use crate::base::text::counted;
use crate::domain::referral::{FoundReview, Stars};
use crate::site::german::german_month;

/// How many reviews the page shows, newest first: more would only slow it down. The average covers all.
const SHOWN: usize = 24;

/// How many digits of a postal code are shown: about ten thousand people share them.
const AREA_DIGITS: usize = 3;

/// CSS class of a full star (`ui/src/components/stars.css`); empty ones have none.
const FULL: &str = "stars-full";
const EMPTY: &str = "";

/// Template data for the published reviews; `None` if there are none.
pub fn published(found: Vec<FoundReview>) -> Option<Value> {
    let mut published: Vec<_> = found
        .into_iter()
        .filter(|found| found.review.is_published())
        .collect();
    // The ids break ties, so that every instance shows the same order.
    published.sort_by_key(|found| (found.review.at, found.id.inquiry, found.id.firm.clone()));
    published.reverse();
    let count = published.len();
    let average = average(published.iter().map(|found| found.review.stars))?;
    let shown = count.min(SHOWN);
    published.truncate(shown);
    let counted = counted(count, "Bewertung", "Bewertungen");
    let slides = published.iter().enumerate();
    let slides = slides.map(|(index, found)| slide(found, index, shown));
    Some(context! {
        average,
        counted,
        // `None` if all are shown.
        part => (shown < count).then_some(shown),
        has_several => shown > 1,
        shown => slides.collect::<Vec<_>>(),
    })
}

/// Template data for the review at `index` of `count`.
fn slide(found: &FoundReview, index: usize, count: usize) -> Value {
    let review = &found.review;
    let number = index + 1;
    let class = |least: Stars| if review.stars >= least { FULL } else { EMPTY };
    let area: String = found.postal_code.to_string().chars().take(AREA_DIGITS).collect();
    context! {
        is_first => index == 0,
        index,
        // The label for screen readers.
        position => format!("{number} von {count}"),
        number,
        name => &review.name,
        initials => initials(&review.name),
        area => format!("Raum {area}"),
        stars => review.stars.count(),
        star => context! {
            one => class(Stars::One),
            two => class(Stars::Two),
            three => class(Stars::Three),
            four => class(Stars::Four),
            five => class(Stars::Five),
        },
        text => &review.text,
        firm => &found.firm_name,
        month => german_month(berlin::day(review.at)),
    }
}

/// The average with one decimal, rounded half up; `None` if there are no stars.
fn average(stars: impl Iterator<Item = Stars>) -> Option<String> {
    let (sum, count) = stars.fold((0_usize, 0_usize), |(sum, count), stars| {
        (sum + usize::from(stars.count()), count + 1)
    });
    let tenths = (20 * sum + count).checked_div(2 * count)?;
    Some(format!("{},{}", tenths / 10, tenths % 10))
}

/// The initials of the first two words, such as AM for Anna M.
fn initials(name: &str) -> String {
    let words = name.split_whitespace().take(2);
    words.filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::domain::inquiry::PostalCode;
    use crate::domain::matching::FirmId;
    use crate::domain::referral::{Review, ReviewId, ReviewState};

    fn of(counts: &[u8]) -> Option<String> {
        average(counts.iter().map(|count| Stars::from_repr(*count).unwrap()))
    }

    #[test]
    fn an_average_has_one_decimal_and_is_rounded_half_away_from_zero() {
        for (counts, expected) in [
            (&[5][..], "5,0"),
            (&[4, 5], "4,5"),
            // 4.25 and 4.75
            (&[4, 4, 4, 5], "4,3"),
            (&[4, 5, 5, 5], "4,8"),
            (&[1, 1, 2], "1,3"),
            // 55 of 12
            (&[5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4], "4,6"),
            (&[1], "1,0"),
        ] {
            assert_eq!(of(counts).as_deref(), Some(expected), "{counts:?}");
        }
        assert_eq!(of(&[]), None);
    }

    /// A review written this many days after the first of November.
    fn found(day: i64, has_consent: bool, state: ReviewState) -> FoundReview {
        let first: Timestamp = "2026-11-01T12:00:00Z".parse().unwrap();
        FoundReview {
            id: ReviewId {
                inquiry: Uuid::from_u128(7),
                firm: FirmId::parse("nordnetz").unwrap(),
            },
            firm_name: "Nordnetz GmbH".to_owned(),
            postal_code: PostalCode::parse("22087").unwrap(),
            review: Review {
                stars: Stars::Four,
                text: format!("Tag {day}"),
                name: "Anna M.".to_owned(),
                has_consent,
                at: first + SignedDuration::from_hours(24 * day),
                state,
            },
        }
    }

    #[test]
    fn the_newest_are_shown_and_all_are_counted() {
        let published = ReviewState::Published(Timestamp::UNIX_EPOCH);
        let rejected = ReviewState::Rejected(Timestamp::UNIX_EPOCH);
        let hidden = [
            found(90, true, ReviewState::Waiting),
            found(91, true, rejected),
            // Without consent it is not shown, whatever the decision was.
            found(92, false, published),
        ];
        assert_eq!(super::published(hidden.to_vec()), None);
        for (count, shown, part) in [(1, 1, None), (24, 24, None), (25, 24, Some(24))] {
            let found = (0..count)
                .map(|day| found(day, true, published))
                .chain(hidden.clone());
            let reviews = super::published(found.collect()).unwrap();
            let label = if count == 1 {
                "1 Bewertung".to_owned()
            } else {
                format!("{count} Bewertungen")
            };
            let reviews = serde_json::to_value(reviews).unwrap();
            assert_eq!(reviews["shown"].as_array().unwrap().len(), shown);
            assert_eq!(reviews["part"], json!(part));
            assert_eq!(reviews["counted"], label);
            assert_eq!(reviews["has_several"], count > 1);
            let first = &reviews["shown"][0];
            assert_eq!(first["text"], format!("Tag {}", count - 1));
            assert_eq!(
                (&first["area"], &first["month"]),
                (&json!("Raum 220"), &json!("November 2026"))
            );
            assert_eq!(
                (&first["star"]["four"], &first["star"]["five"]),
                (&json!(FULL), &json!(EMPTY))
            );
        }
    }

    #[test]
    fn initials_are_those_of_two_words() {
        assert_eq!(initials("Anna M."), "AM");
        assert_eq!(initials("Şule von der Höh"), "Şv");
        assert_eq!(initials("X"), "X");
    }
}
