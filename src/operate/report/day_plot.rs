//! Inquiries a day, with their mean over a week.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::ToSpan;
use jiff::civil::Date;
use minijinja::context;
use minijinja::value::Value;

use super::counts::{grouped, length};
use super::scale::step;
use super::week_plot::DAYS;
use crate::site::templates::{german_day, month_name};

/// Days on each side of a day that its mean covers: with the day itself they are a week.
const AROUND: usize = 3;

/// How many dates have room below the plot on a tablet.
const MOST_TICKS: usize = 14;

/// How many of those that name the year.
const MOST_TICKS_WITH_YEAR: usize = 8;

/// Draws the days from the first to the last one. Bars are drawn in units of a day and an inquiry; the page stretches them.
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
    // At round counts.
    let lines = (0..=top / step)
        .map(|line| context! { y => length(top - line * step, top), label => grouped(line * step) });
    let busiest = largest.map(|(day, count)| format!("{}: {}", german_day(*day), grouped(*count)));
    context! {
        days => days.len(),
        top,
        bars => bars.collect::<Vec<_>>(),
        mean => mean(&days, top),
        lines => lines.collect::<Vec<_>>(),
        ticks => ticks(&days),
        months => months(&days),
        busiest => busiest.unwrap_or_default(),
    }
}

/// Returns the points of the mean over a week.
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
        // Memory takes every byte.
        let _ = write!(
            points,
            "{separator}{index}.5,{}.{:02}",
            hundredths / 100,
            hundredths % 100
        );
    }
    points
}

/// Returns the dates below the plot; minor ones are left out where there is little room.
fn ticks(days: &[(Date, u64)]) -> Vec<Value> {
    let starts_of_months = days.iter().filter(|(day, _)| day.day() == 1).count();
    let every = if starts_of_months > MOST_TICKS {
        starts_of_months.div_ceil(MOST_TICKS_WITH_YEAR)
    } else {
        1
    };
    let is_short = starts_of_months < 4;
    let weeks = days.len().div_ceil(7 * MOST_TICKS).max(1);
    let mut shown = 0_usize;
    let mut ticks = Vec::new();
    for (index, (day, _)) in days.iter().enumerate() {
        let label = if is_short {
            (index.is_multiple_of(7 * weeks)).then(|| format!("{}. {}", day.day(), short_month(*day)))
        } else if day.day() == 1 {
            shown += 1;
            let has_year = day.month() == 1 || every > 1;
            let month = short_month(*day);
            let label = if has_year {
                format!("{month} {}", day.year())
            } else {
                month
            };
            (shown - 1).is_multiple_of(every).then_some(label)
        } else {
            None
        };
        if let Some(label) = label {
            let x = length(to_u64(index), to_u64(days.len()));
            ticks.push(context! { x, label, is_minor => ticks.len() % 3 != 0 });
        }
    }
    ticks
}

fn months(days: &[(Date, u64)]) -> Vec<Value> {
    let mut sums: BTreeMap<Date, u64> = BTreeMap::new();
    for (day, count) in days {
        *sums.entry(day.first_of_month()).or_default() += count;
    }
    let rows = sums.into_iter().map(|(month, count)| {
        let name = format!("{} {}", month_name(month), month.year());
        context! { name, count => grouped(count) }
    });
    rows.collect()
}

fn short_month(day: Date) -> String {
    month_name(day).chars().take(3).collect()
}

fn weekday(day: Date) -> &'static str {
    let index = usize::try_from(day.weekday().to_monday_zero_offset()).ok();
    let day = index.and_then(|index| DAYS.get(index));
    day.map_or("", |(_, short)| short)
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
