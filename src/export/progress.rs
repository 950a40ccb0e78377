//! The progress bar of an export at a terminal.

use std::io::{IsTerminal, stderr, stdout};

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a progress bar on standard error; hidden when that is not a terminal, or when the inquiries themselves go to
/// one. `total` counts inquiries outside the range too, so a narrowed export ends before the bar is full.
pub fn bar(total: u64, to_file: bool) -> ProgressBar {
    if !stderr().is_terminal() || (!to_file && stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} inquiries, {eta} left");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
