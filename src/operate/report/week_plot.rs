//! Inquiries by hour and day of the week.

use minijinja::context;
use minijinja::value::Value;

use super::counts::{grouped, length};
use super::scale::Levels;

/// The height of a day's row, in pixels.
const ROW: usize = 22;

/// The days of a week, from Monday on, and how they are called where there is little room.
pub const DAYS: [(&str, &str); 7] = [
    ("Montag", "Mo"),
    ("Dienstag", "Di"),
    ("Mittwoch", "Mi"),
    ("Donnerstag", "Do"),
    ("Freitag", "Fr"),
    ("Samstag", "Sa"),
    ("Sonntag", "So"),
];

/// Draws counts by day, from Monday on, and hour: a field for each hour of a week.
pub fn week_plot(week: &[[u64; 24]; 7]) -> Value {
    let all = week.iter().zip(DAYS).flat_map(|(hours, (name, _))| {
        let hours = hours.iter().zip(0_u64..);
        hours.map(move |(&count, hour)| (count, name, hour))
    });
    let largest = all.max_by_key(|&(count, _, hour)| (count, u64::MAX - hour));
    let levels = Levels::up_to(largest.map_or(0, |(count, _, _)| count));
    let title = |(count, day, hour)| format!("{day}, {}: {}", span(hour), grouped(count));
    let days = week.iter().zip(DAYS).enumerate();
    let days = days.map(|(row, (counts, (name, short)))| {
        let hours = counts.iter().zip(0_u64..).map(|(&count, hour)| {
            context! {
                count,
                x => length(hour, 24),
                level => levels.of(count),
                title => title((count, name, hour)),
            }
        });
        let hours: Vec<_> = hours.collect();
        context! { name, short, hours, y => row * ROW, count => grouped(counts.iter().sum()) }
    });
    context! {
        hours => (0..24).collect::<Vec<_>>(),
        days => days.collect::<Vec<_>>(),
        busiest => largest.map(title).unwrap_or_default(),
    }
}

fn span(hour: u64) -> String {
    format!("{hour} bis {} Uhr", hour + 1)
}
