//! `taubenabwehr export`: writes inquiries to a file or to standard output.

use std::io::{self, Write};

use super::CliError;
use crate::base::text::counted;
use crate::config::args::{ExportArgs, ExportFormat};
use crate::control::Caller;
use crate::operate::calls::ListAcceptances;
use crate::operate::export::{Suspected, export};

/// Exports the inquiries that the arguments select.
///
/// # Errors
/// When not all inquiries could be written; wrong usage if a bound is not a time.
pub fn run(args: &ExportArgs) -> Result<(), CliError> {
    let range = args.range.range()?;
    let suspected = match (args.include_suspected, args.only_suspected) {
        (_, true) => Suspected::Only,
        (true, false) => Suspected::Included,
        (false, false) => Suspected::LeftOut,
    };
    let caller = Caller::new(&args.data)?;
    let acceptances = match args.output.format {
        ExportFormat::Xlsx => caller.call(ListAcceptances {})?,
        _ => Vec::new(),
    };
    let inquiries = caller.records(range)?;
    let left_out = export(
        inquiries,
        acceptances,
        suspected,
        args.output.format,
        args.output.path.as_deref(),
    )?;
    // Always reported, since the suspicion may be wrong.
    if left_out > 0 {
        let (one, more) = (
            "inquiry that may be a robot's was",
            "inquiries that may be a robot's were",
        );
        let inquiries = counted(left_out, one, more);
        // A closed standard error is no reason to fail.
        let _ = writeln!(
            io::stderr(),
            "note: {inquiries} left out; look at them with --only-suspected"
        );
    }
    Ok(())
}
