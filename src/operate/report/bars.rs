//! Bars in the rows of a table: the numbers beside them are the table of the plot.

use serde::Serialize;

use super::counts::{grouped, length, percent};

/// A table of bars.
#[derive(Debug, Serialize)]
pub struct BarTable {
    /// What it shows.
    pub title: &'static str,
    /// What its percentages are of.
    pub share_of: &'static str,
    /// Its rows.
    pub rows: Vec<Bar>,
}

/// A row with its bar.
#[derive(Debug, Serialize)]
pub struct Bar {
    label: String,
    count: String,
    share: String,
    segments: Vec<Segment>,
}

/// A part of a bar.
#[derive(Debug, Serialize)]
pub struct Segment {
    class: &'static str,
    title: String,
    x: String,
    width: String,
}

impl Bar {
    /// Returns a row for a count.
    pub fn new(
        label: impl Into<String>,
        parts: &[(&'static str, &str, u64)],
        longest: u64,
        whole: u64,
    ) -> Self {
        let count = parts.iter().map(|(_, _, count)| count).sum();
        Self {
            label: label.into(),
            count: grouped(count),
            share: percent(count, whole),
            segments: segments(parts, longest),
        }
    }
}

/// Returns the parts of a bar, side by side: class, name and count of each. A bar of the count `longest` is as long as there
/// is room.
pub fn segments(parts: &[(&'static str, &str, u64)], longest: u64) -> Vec<Segment> {
    let mut before = 0;
    let mut segments = Vec::with_capacity(parts.len());
    for &(class, name, count) in parts.iter().filter(|(_, _, count)| *count > 0) {
        segments.push(Segment {
            class,
            title: format!("{name}: {}", grouped(count)),
            x: length(before, longest),
            width: length(count, longest),
        });
        before += count;
    }
    segments
}
