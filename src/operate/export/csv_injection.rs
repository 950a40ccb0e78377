//! A guard against CSV injection: cells that a spreadsheet would take for a formula become text.
//!
//! A name such as `=HYPERLINK(…)` is allowed, but must not run when an operator opens the CSV. It gets an
//! apostrophe in front. A cell that already looks like the result gets one more, so that the guard can be undone: strip one
//! apostrophe from each cell in which a formula's first character follows one or more apostrophes, and every
//! cell is as it was.

use std::borrow::Cow;

/// Characters with which a spreadsheet begins a formula, full-width forms included.
const STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Returns the cell, with an apostrophe in front if a spreadsheet would run it.
pub fn guard(cell: &str) -> Cow<'_, str> {
    if cell.trim_start_matches('\'').starts_with(STARTS) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undo(cell: &str) -> &str {
        let formula = cell.trim_start_matches('\'').starts_with(STARTS);
        cell.strip_prefix('\'').filter(|_| formula).unwrap_or(cell)
    }

    #[test]
    fn formulas_get_one_apostrophe_and_lose_it_again() {
        for cell in [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1", "''@", "'＝",
        ] {
            assert_eq!(guard(cell), format!("'{cell}"));
            assert_eq!(undo(&guard(cell)), cell);
        }
        for cell in [
            "", "'", "''", "Anna", "'n Name", "O'Neill", "a=1", " =1", "5-7", "a@b.de", "'a'=1",
        ] {
            assert_eq!(guard(cell), cell);
            assert_eq!(undo(cell), cell);
        }
    }
}
