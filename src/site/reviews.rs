//! What the home page shows of the reviews that are published.
//!
//! No structured data says any of it: search engines show no stars for what a site publishes about itself or about those that it refers
//! to (`LocalBusiness`, `Organization`), and warn of such markup as self-serving.

use jiff::tz;
use serde::Serialize;

use crate::referral::{FoundReview, Review, Stars};
use crate::templates::german_month;

/// How many reviews the page shows, the newest first: more would make it heavy, and nobody turns so many pages. The average is of all.
const SHOWN: usize = 24;

/// How many digits of a postal code are shown: some ten thousand people share them.
const AREA_DIGITS: usize = 3;

/// The classes of a full star and of an empty one (`ui/src/home/stars.css`).
const FULL: &str = "stars-full";
const EMPTY: &str = "";

/// The published reviews, as the template of the home page reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublishedReviews {
    /// Such as `4,6`.
    average: String,
    /// How many there are, such as `12 Bewertungen`.
    counted: String,
    /// How many are shown, unless those are all.
    part: Option<usize>,
    /// Whether there is anything to turn.
    has_several: bool,
    /// The newest.
    shown: Vec<ShownReview>,
}

/// A review on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ShownReview {
    is_first: bool,
    /// Its place among those that are shown.
    index: usize,
    /// What a screen reader calls it, such as `1 von 3`.
    position: String,
    number: usize,
    name: String,
    initials: String,
    /// Such as `Raum 220`.
    area: String,
    stars: u8,
    /// The class of each star.
    star: ShownStars,
    text: String,
    firm: String,
    /// When it was written, such as `November 2026`.
    month: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ShownStars {
    one: &'static str,
    two: &'static str,
    three: &'static str,
    four: &'static str,
    five: &'static str,
}

impl PublishedReviews {
    /// Chooses those that are published; `None` if none is.
    pub fn of(found: Vec<FoundReview>) -> Option<Self> {
        let mut published: Vec<_> = found
            .into_iter()
            .filter(|found| found.review.is_published())
            .collect();
        // The last line decides between those of one moment, so that every instance shows the same.
        published.sort_by_key(|found| (found.review.at, found.id.inquiry, found.id.firm.clone()));
        published.reverse();
        let count = published.len();
        let average = average(published.iter().map(|found| found.review.stars))?;
        let shown = count.min(SHOWN);
        published.truncate(shown);
        Some(Self {
            average,
            counted: match count {
                1 => "1 Bewertung".to_owned(),
                _ => format!("{count} Bewertungen"),
            },
            has_several: shown > 1,
            part: (shown < count).then_some(shown),
            shown: published
                .iter()
                .enumerate()
                .map(|(index, found)| ShownReview::new(found, index, shown))
                .collect(),
        })
    }
}

impl ShownReview {
    fn new(found: &FoundReview, index: usize, count: usize) -> Self {
        let Review {
            stars,
            text,
            name,
            at,
            ..
        } = &found.review;
        let number = index + 1;
        let class = |least: Stars| if *stars >= least { FULL } else { EMPTY };
        let area: String = found.postal_code.to_string().chars().take(AREA_DIGITS).collect();
        let day = at.to_zoned(tz::get!("Europe/Berlin")).date();
        Self {
            is_first: index == 0,
            index,
            position: format!("{number} von {count}"),
            number,
            name: name.clone(),
            initials: initials(name),
            area: format!("Raum {area}"),
            stars: stars.count(),
            star: ShownStars {
                one: class(Stars::One),
                two: class(Stars::Two),
                three: class(Stars::Three),
                four: class(Stars::Four),
                five: class(Stars::Five),
            },
            text: text.clone(),
            firm: found.firm_name.clone(),
            month: german_month(day),
        }
    }
}

/// Returns the average with one decimal, half away from zero; `None` of nothing.
fn average(stars: impl Iterator<Item = Stars>) -> Option<String> {
    let (sum, count) = stars.fold((0_usize, 0_usize), |(sum, count), stars| {
        (sum + usize::from(stars.count()), count + 1)
    });
    let tenths = (20 * sum + count).checked_div(2 * count)?;
    Some(format!("{},{}", tenths / 10, tenths % 10))
}

/// Returns the first letters of the first two words, such as AM for Anna M.
fn initials(name: &str) -> String {
    let words = name.split_whitespace().take(2);
    words.filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[u8]) -> Option<String> {
        average(counts.iter().map(|count| Stars::try_from(*count).unwrap()))
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

    #[test]
    fn initials_are_those_of_two_words() {
        assert_eq!(initials("Anna M."), "AM");
        assert_eq!(initials("Şule von der Höh"), "Şv");
        assert_eq!(initials("X"), "X");
    }
}
