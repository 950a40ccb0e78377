//! The operator's report: one HTML page with plots of what became of the inquiries (contract, "Commands for it"). It names
//! no visitor, and no I/O happens here.

mod area;
mod bars;
mod counts;
mod day_plot;
mod error;
mod figures;
mod firm_figures;
mod hours;
mod map;
mod page;
mod scale;
mod voronoi;
mod week_plot;

pub use error::ReportError;
pub use figures::{Figures, FunnelDay};
pub use firm_figures::FirmFigures;
pub use hours::Hours;
pub use page::{Header, page};
