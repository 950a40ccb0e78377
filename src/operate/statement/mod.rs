//! What firms owe for a month, as it is written for programs and for people (`docs/behaviour.md`, "Commission and statements").

mod page;
mod rows;

pub use page::{Issuer, StatementError, page};
pub use rows::{FirmObject, csv, json};

use super::{AskError, Backend, Request, find};
use crate::domain::commission::Percent;
use crate::domain::ledger::{Acceptance, Closing, Month, Statement};
use crate::domain::matching::FirmId;

/// Returns the statement of a month, of all firms or of one. Unless the month is closed, its value added tax has this rate, or
/// else that of the server.
///
/// # Errors
/// When the ledger cannot be read.
pub fn of_month(
    asked: &dyn Backend,
    month: Month,
    firm: Option<&FirmId>,
    vat: Option<Percent>,
) -> Result<Statement, AskError> {
    let found: (Option<Closing>, Vec<Acceptance>, Percent) = find(asked, &Request::Ledger { month, vat })?;
    let (closing, mut acceptances, vat) = found;
    if let Some(firm) = firm {
        acceptances.retain(|acceptance| acceptance.firm == *firm);
    }
    Ok(Statement::new(month, closing.as_ref(), vat, acceptances))
}
