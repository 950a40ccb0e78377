//! How the desk writes what commands print for programs: times and amounts as Germans write them, options by their names.

use jiff::Timestamp;
use jiff::civil::Date;
use minijinja::Environment;

use super::date::{german_day, german_time};
use crate::commission::Euro;
use crate::inquiry::Labels;

/// Adds the filters. What they do not understand stays as it is.
pub fn add(environment: &mut Environment<'_>, labels: Labels) {
    environment.add_filter("time", |text: &str| {
        let time: Option<Timestamp> = text.parse().ok();
        time.map_or_else(|| text.to_owned(), german_time)
    });
    environment.add_filter("day", |text: &str| {
        let day: Option<Date> = text.parse().ok();
        day.map_or_else(|| text.to_owned(), german_day)
    });
    environment.add_filter("euro", |text: &str| {
        let amount = Euro::parse(text).ok();
        amount.map_or_else(|| text.to_owned(), Euro::german)
    });
    environment.add_filter("named", move |ids: &str| labels.all(ids));
    environment.add_filter("tel", |number: &str| {
        let is_dialled = |c: &char| c.is_ascii_digit() || *c == '+';
        number.chars().filter(is_dialled).collect::<String>()
    });
}
