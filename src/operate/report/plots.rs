//! Plots of inquiries over time: per day with a weekly mean, and per hour of the week.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::ToSpan;
use jiff::civil::Date;
use minijinja::context;
use minijinja::value::Value;

use crate::base::text::grouped;
use crate::site::templates::{german_day, month_name};

/// Days before and after each day that its mean covers, a week in total.
const AROUND: usize = 3;

/// Maximum number of dates that fit below the plot on a tablet.
const MOST_TICKS: usize = 14;

/// Maximum number of dates if they include the year.
const MOST_TICKS_WITH_YEAR: usize = 8;

/// Draws the days from `first` to `last`. Bars have units of days and inquiries; the page scales them.
pub fn day_plot(counts: &BTreeMap<Date, u64>, first: Date, last: Date) -> Value {
    let days: Vec<(Date, u64)> = first
        .series(1.day())
        .take_while(|day| *day <= last)
        .map(|day| (day, counts.get(&day).copied().unwrap_or_default()))
        .collect();
    let largest = days.iter().max_by_key(|(_, count)| *count);
    let most = largest.map_or(0, |(_, count)| *count);
    let step = step(most.max(1), 4);
    let top = most.div_ceil(step).max(1) * step;
    let bars = days.iter().enumerate().filter(|(_, (_, count))| *count > 0);
    let bars = bars.map(|(x, &(day, height))| {
        let title = format!("{}, {}: {}", weekday(day), german_day(day), grouped(height));
        context! { x, y => top - height, height, title }
    });
    let busiest = largest.map(|(day, count)| format!("{}: {}", german_day(*day), grouped(*count)));
    context! {
        days => days.len(),
        top,
        bars => bars.collect::<Vec<_>>(),
        mean => mean(&days, top),
        // Lines at round counts.
        lines => (0..=top / step).map(|line| line * step).collect::<Vec<_>>(),
        ticks => ticks(&days),
        months => months(&days),
        busiest => busiest.unwrap_or_default(),
    }
}

/// The points of the weekly mean.
fn mean(days: &[(Date, u64)], top: u64) -> String {
    let mut points = String::new();
    for index in 0..days.len() {
        let around = days
            .iter()
            .take(index + AROUND + 1)
            .skip(index.saturating_sub(AROUND));
        let (sum, count) = around.fold((0, 0), |(sum, count), (_, inquiries)| {
            (sum + inquiries, count + 1)
        });
        let hundredths = (top * 100).saturating_sub(sum * 100 / count);
        let separator = if index == 0 { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(
            points,
            "{separator}{index}.5,{}.{:02}",
            hundredths / 100,
            hundredths % 100
        );
    }
    points
}

/// The dates below the plot, each with the index of its day.
fn ticks(days: &[(Date, u64)]) -> Vec<(usize, String)> {
    let dates = days.iter().map(|(day, _)| *day).enumerate();
    let starts: Vec<(usize, Date)> = dates.clone().filter(|(_, day)| day.day() == 1).collect();
    let is_short = starts.len() < 4;
    let marks = if is_short {
        dates.step_by(7).collect()
    } else {
        starts
    };
    let has_years = !is_short && marks.len() > MOST_TICKS;
    let most = if has_years {
        MOST_TICKS_WITH_YEAR
    } else {
        MOST_TICKS
    };
    let every = marks.len().div_ceil(most).max(1);
    let labelled = marks.into_iter().step_by(every).map(|(index, day)| {
        let month: String = month_name(day).chars().take(3).collect();
        let label = if is_short {
            format!("{}. {month}", day.day())
        } else if has_years || day.month() == 1 {
            format!("{month} {}", day.year())
        } else {
            month
        };
        (index, label)
    });
    labelled.collect()
}

fn months(days: &[(Date, u64)]) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<Date, u64> = BTreeMap::new();
    for (day, count) in days {
        *sums.entry(day.first_of_month()).or_default() += count;
    }
    let named = sums
        .into_iter()
        .map(|(month, count)| (format!("{} {}", month_name(month), month.year()), count));
    named.collect()
}

fn weekday(day: Date) -> &'static str {
    let index = usize::try_from(day.weekday().to_monday_zero_offset()).ok();
    let day = index.and_then(|index| DAYS.get(index));
    day.map_or("", |(_, short)| short)
}

/// The smallest of 1, 2, 5, 10, 20, 50 … that divides an axis into at most `most` steps.
fn step(range: u64, most: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if range <= step.saturating_mul(most) {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Names and abbreviations of the days of the week, starting on Monday.
const DAYS: [(&str, &str); 7] = [
    ("Montag", "Mo"),
    ("Dienstag", "Di"),
    ("Mittwoch", "Mi"),
    ("Donnerstag", "Do"),
    ("Freitag", "Fr"),
    ("Samstag", "Sa"),
    ("Sonntag", "So"),
];

/// The number of shades that people can tell apart, besides the empty one.
const TONES: u64 = 5;

/// Draws counts by day of the week, starting on Monday, and hour, with a field for each hour.
pub fn week_plot(week: &[[u64; 24]; 7]) -> Value {
    let all = week.iter().zip(DAYS).flat_map(|(hours, (name, _))| {
        let hours = hours.iter().zip(0_u64..);
        hours.map(move |(&count, hour)| (count, name, hour))
    });
    let largest = all.max_by_key(|&(count, _, hour)| (count, u64::MAX - hour));
    let busiest =
        largest.map(|(count, day, hour)| format!("{day}, {hour} bis {} Uhr: {}", hour + 1, grouped(count)));
    let most = largest.map_or(1, |(count, _, _)| count.max(1));
    let days = week.iter().zip(DAYS).map(|(counts, (name, short))| {
        let hours = counts
            .iter()
            .map(|&count| context! { count, tone => (count * TONES).div_ceil(most) });
        context! { name, short, hours => hours.collect::<Vec<_>>(), count => counts.iter().sum::<u64>() }
    });
    context! { days => days.collect::<Vec<_>>(), busiest => busiest.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [0, 1, 4, 5, 9, 37, 100, 412].map(|range| step(range, 4)),
            [1, 1, 1, 2, 5, 10, 50, 200]
        );
        assert!(step(u64::MAX, 4) > u64::MAX / 8);
    }
}
