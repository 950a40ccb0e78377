//! Bars in the rows of a table: the numbers beside them are the table of the plot.

use minijinja::context;
use minijinja::value::Value;

use super::counts::{grouped, length, percent};

/// Returns a row with its bar, for the sum of its parts.
pub fn bar(label: &str, parts: &[(&str, &str, u64)], longest: u64, whole: u64) -> Value {
    let count = parts.iter().map(|(_, _, count)| count).sum();
    context! {
        label,
        count => grouped(count),
        share => percent(count, whole),
        segments => segments(parts, longest),
    }
}

/// Returns the parts of a bar, side by side: class, name and count of each. A bar of the count `longest` is as long as there
/// is room.
pub fn segments(parts: &[(&str, &str, u64)], longest: u64) -> Vec<Value> {
    let mut before = 0;
    let shown = parts.iter().filter(|(_, _, count)| *count > 0);
    let segments = shown.map(|&(class, name, count)| {
        let x = length(before, longest);
        before += count;
        let title = format!("{name}: {}", grouped(count));
        context! { class, title, x, width => length(count, longest) }
    });
    segments.collect()
}
