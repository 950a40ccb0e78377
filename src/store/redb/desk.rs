//! Who was asked when, read from the file.

use std::sync::Arc;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, Table};

use super::error::damaged;
use super::schema::ASKS;
use crate::matching::{Asks, FirmId, Roster};
use crate::referral::{Desk, Plan};

/// The table, open for writing.
pub type AsksTable<'t> = Table<'t, &'static str, &'static [u8]>;

/// Prepares the desk of a file for a plan.
pub fn load(database: &Database, plan: Arc<Plan>, is_serving: bool) -> Result<Desk, redb::Error> {
    let history = read(&database.begin_read()?)?;
    let roster = Roster::new(Arc::clone(&plan.firms), history);
    Ok(Desk {
        plan,
        roster,
        is_serving,
    })
}

/// Reads what is remembered of each firm's asks.
pub fn read(file: &ReadTransaction) -> Result<Vec<(FirmId, Asks)>, redb::Error> {
    let mut history = Vec::new();
    for entry in file.open_table(ASKS)?.iter()? {
        let (firm, asks) = entry?;
        let firm = FirmId::parse(firm.value()).ok();
        let asks = Asks::from_bytes(asks.value());
        history.push(
            firm.zip(asks)
                .ok_or_else(|| damaged("what a firm was asked cannot be read"))?,
        );
    }
    Ok(history)
}

/// Writes what has changed.
pub fn write(desk: &mut Desk, table: &mut AsksTable<'_>) -> Result<(), redb::Error> {
    for (firm, asks) in desk.roster.changed() {
        table.insert(firm.as_str(), asks.to_bytes().as_slice())?;
    }
    Ok(())
}
