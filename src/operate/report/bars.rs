//! Bars in the rows of a table: the numbers beside them are the table of the plot.

use minijinja::context;
use minijinja::value::Value;

use super::counts::{extent, grouped};

/// A part of a bar: its class, its name and its count.
pub type Part<'a> = (&'a str, &'a str, u64);

/// Returns a table with a bar for each label; the longest is as long as there is room.
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

/// Returns the parts of a bar, side by side. A bar of the count `longest` is as long as there is room.
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
