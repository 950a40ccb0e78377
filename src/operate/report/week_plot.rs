//! Inquiries by hour and day of the week.

use serde::Serialize;

use super::counts::{grouped, length};
use super::scale::Levels;

/// A field for each hour of a week.
#[derive(Debug, Serialize)]
pub struct WeekPlot {
    hours: Vec<u64>,
    days: Vec<WeekDay>,
    busiest: String,
}

#[derive(Debug, Serialize)]
struct WeekDay {
    name: &'static str,
    short: &'static str,
    y: usize,
    hours: Vec<Hour>,
    count: String,
}

#[derive(Debug, Serialize)]
struct Hour {
    x: String,
    level: u64,
    title: String,
    count: u64,
}

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

impl WeekPlot {
    /// Draws counts by day, from Monday on, and hour.
    pub fn new(week: &[[u64; 24]; 7]) -> Self {
        let all = week.iter().zip(DAYS).flat_map(|(hours, (name, _))| {
            let hours = hours.iter().zip(0_u64..);
            hours.map(move |(&count, hour)| (count, name, hour))
        });
        let largest = all.max_by_key(|&(count, _, hour)| (count, u64::MAX - hour));
        let levels = Levels::up_to(largest.map_or(0, |(count, _, _)| count));
        let days = week
            .iter()
            .zip(DAYS)
            .enumerate()
            .map(|(row, (hours, (name, short)))| WeekDay {
                name,
                short,
                y: row * ROW,
                hours: hours
                    .iter()
                    .zip(0_u64..)
                    .map(|(&count, hour)| Hour {
                        x: length(hour, 24),
                        level: levels.of(count),
                        title: format!("{name}, {}: {}", span(hour), grouped(count)),
                        count,
                    })
                    .collect(),
                count: grouped(hours.iter().sum()),
            });
        Self {
            hours: (0..24).collect(),
            days: days.collect(),
            busiest: largest.map_or_else(String::new, |(count, day, hour)| {
                format!("{day}, {}: {}", span(hour), grouped(count))
            }),
        }
    }
}

fn span(hour: u64) -> String {
    format!("{hour} bis {} Uhr", hour + 1)
}
