//! Inquiries by hour and day of the week.

use minijinja::context;
use minijinja::value::Value;

use super::counts::grouped;

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

/// How many tones of a colour people can tell apart, besides none.
const TONES: u64 = 5;

/// Draws counts by day, from Monday on, and hour: a field for each hour of a week.
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
