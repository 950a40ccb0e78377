//! Formatting of counts, and bars for the rows of a table, whose numbers make the plot accessible.

use minijinja::value::Value;
use minijinja::{Environment, context};

use crate::base::text::grouped;

/// A segment of a bar: its class, name and count.
pub type Part<'a> = (&'a str, &'a str, u64);

/// A table with a bar for each label. The longest bar takes the full width.
pub fn bars<'a>(title: &str, rows: impl IntoIterator<Item = (&'a str, Vec<Part<'a>>)>) -> Value {
    let rows = rows.into_iter().map(|(label, parts)| {
        let count: u64 = parts.iter().map(|(_, _, count)| count).sum();
        (label, parts, count)
    });
    let rows: Vec<_> = rows.collect();
    let longest = rows.iter().map(|&(_, _, count)| count).max().unwrap_or_default();
    let rows = rows
        .into_iter()
        .map(|(label, parts, count)| context! { label, count, segments => segments(&parts, longest) });
    context! { title, rows => rows.collect::<Vec<_>>() }
}

/// The segments of a bar, side by side. A bar with the count `longest` takes the full width.
pub fn segments(parts: &[Part<'_>], longest: u64) -> Vec<Value> {
    let mut before = 0;
    let shown = parts.iter().filter(|(_, _, count)| *count > 0);
    let segments = shown.map(|&(class, name, count)| {
        let x = extent(before, longest);
        before += count;
        let title = format!("{name}: {}", grouped(count));
        context! { class, title, x, width => extent(count, longest) }
    });
    segments.collect()
}

/// Adds the filters that format counts.
pub fn add_filters(environment: &mut Environment<'_>) {
    environment.add_filter("grouped", grouped);
    environment.add_filter("percent", percent);
    environment.add_filter("mean", mean);
    environment.add_filter("extent", extent);
}

/// Formats a share as a percentage: `37 %`, `0,4 %`, or a dash if the whole is zero.
pub fn percent(part: u64, whole: u64) -> String {
    let Some(tenths) = (part * 1000 + whole / 2).checked_div(whole) else {
        return "–".to_owned();
    };
    match tenths {
        1..100 => format!("{},{}\u{a0}%", tenths / 10, tenths % 10),
        _ => format!("{}\u{a0}%", (tenths + 5) / 10),
    }
}

/// Formats a mean to one decimal place: `3,4`.
pub fn mean(sum: u64, count: u64) -> String {
    let tenths = (sum * 10 + count / 2).checked_div(count).unwrap_or_default();
    format!("{},{}", grouped(tenths / 10), tenths % 10)
}

/// Formats a share as a length in a drawing, such as `37.25%`.
pub fn extent(part: u64, whole: u64) -> String {
    let hundredths = (part * 10_000).checked_div(whole).unwrap_or_default();
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1.000", "1.234.567"]
        );
        assert_eq!(percent(1, 0), "–");
        assert_eq!(percent(0, 3), "0\u{a0}%");
        assert_eq!(percent(1, 250), "0,4\u{a0}%");
        assert_eq!(percent(1, 3), "33\u{a0}%");
        assert_eq!(percent(999, 1000), "100\u{a0}%");
        assert_eq!(percent(3, 3), "100\u{a0}%");
        assert_eq!(mean(10_005, 10), "1.000,5");
        assert_eq!(mean(1, 0), "0,0");
        assert_eq!(extent(1, 3), "33.33%");
        assert_eq!(extent(1, 0), "0.00%");
    }
}
