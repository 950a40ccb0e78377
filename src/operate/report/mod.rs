//! The operator's report: one HTML page with plots of what became of the inquiries (`docs/behaviour.md`, "Counts and
//! the report"). It names no visitor, and no I/O happens here.

mod bars;
mod collect;
mod counts;
mod day_plot;
mod figures;
mod map;
mod page;
mod week_plot;

pub use collect::{first_day, html};
pub use figures::{FirmFigures, ReportFigures};
pub use page::page;
