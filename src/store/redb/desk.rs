//! Who was asked when, read from the file.

use std::sync::Arc;

use redb::{Database, ReadableDatabase, ReadableTable, Table};

use super::error::damaged;
use super::schema::ASKS;
use crate::matching::{Asks, FirmId, Roster};
use crate::referral::{Desk, Plan};

/// The table, open for writing.
pub type AsksTable<'t> = Table<'t, &'static str, &'static [u8]>;

/// Prepares the desk of a file for a plan.
pub fn load(database: &Database, plan: Arc<Plan>) -> Result<Desk, redb::Error> {
    let mut history = Vec::new();
    for entry in database.begin_read()?.open_table(ASKS)?.iter()? {
        let (firm, asks) = entry?;
        let firm = FirmId::parse(firm.value()).ok();
        let asks = Asks::from_bytes(asks.value());
        history.push(
            firm.zip(asks)
                .ok_or_else(|| damaged("what a firm was asked cannot be read"))?,
        );
    }
    let roster = Roster::new(Arc::clone(&plan.firms), history);
    Ok(Desk { plan, roster })
}

/// Writes what has changed.
pub fn write(desk: &mut Desk, table: &mut AsksTable<'_>) -> Result<(), redb::Error> {
    for (firm, asks) in desk.roster.changed() {
        table.insert(firm.as_str(), asks.to_bytes().as_slice())?;
    }
    Ok(())
}
