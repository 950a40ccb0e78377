//! `taubenabwehr export`: writes inquiries to a file or to standard output.

use std::io::{self, Write};

use super::CliError;
use crate::config::args::ExportArgs;
use crate::control::Caller;
use crate::operate::export::{Suspected, export};

/// Exports the inquiries that the arguments select.
///
/// # Errors
/// When not all inquiries could be written; wrong usage if a bound is not a time.
pub fn run(args: ExportArgs) -> Result<(), CliError> {
    let ExportArgs {
        output,
        range,
        include_suspected,
        only_suspected,
        data,
    } = args;
    let range = range.range()?;
    let suspected = match (include_suspected, only_suspected) {
        (_, true) => Suspected::Only,
        (true, false) => Suspected::Included,
        (false, false) => Suspected::LeftOut,
    };
    let caller = Caller::new(&data.location)?;
    let inquiries = caller.stream(range)?;
    let exported = export(inquiries, suspected, output.format, output.path.as_deref());
    let left_out = caller.wait(exported)?;
    if left_out > 0 {
        // A closed standard error is no reason to fail.
        let _ = writeln!(io::stderr(), "{}", note(left_out));
    }
    Ok(())
}

/// The note about omitted inquiries. They are always reported, since the suspicion can be wrong.
fn note(left_out: u64) -> String {
    let inquiries = match left_out {
        1 => "1 inquiry that may be a robot's was".to_owned(),
        _ => format!("{left_out} inquiries that may be a robot's were"),
    };
    format!("note: {inquiries} left out; look at them with --only-suspected")
}
