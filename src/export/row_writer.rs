//! What every format does.

use super::error::ExportError;
use super::output::Output;
use crate::inquiry::ExportRow;

/// Writes inquiries in one format.
pub trait RowWriter {
    /// Writes one inquiry.
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError>;

    /// Writes what comes after the last inquiry; returns the output.
    fn finish(self: Box<Self>) -> Result<Output, ExportError>;
}
