//! Who was asked when, read from the file.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, WriteTransaction};

use super::error::damaged;
use super::schema::{ASK_LOG, ASKS};
use crate::matching::{Asks, FirmId, NewAsks, Roster};
use crate::referral::{Desk, Plan};

/// How many asks are logged before they are kept with their firms. Reading so many takes 2 ms when a file is opened; and
/// with two thousand firms, what is remembered of each is written once in four asks of it.
const MAX_LOGGED: u64 = 8192;

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
pub fn read(file: &ReadTransaction) -> Result<HashMap<FirmId, Asks>, redb::Error> {
    let unreadable = || damaged("what a firm was asked cannot be read");
    let mut history = HashMap::new();
    for entry in file.open_table(ASKS)?.iter()? {
        let (firm, asks) = entry?;
        let firm = FirmId::parse(firm.value()).ok();
        let (firm, asks) = firm.zip(Asks::from_bytes(asks.value())).ok_or_else(unreadable)?;
        history.insert(firm, asks);
    }
    for entry in file.open_table(ASK_LOG)?.iter()? {
        let (first, asks) = entry?;
        let asks = NewAsks::from_bytes(first.value(), asks.value()).ok_or_else(unreadable)?;
        asks.add_to(&mut history);
    }
    Ok(history)
}

/// Logs the new asks; when there are many in the log, keeps them with their firms instead.
pub fn write(desk: &mut Desk, file: &WriteTransaction) -> Result<(), redb::Error> {
    let new = desk.roster.take_new();
    if new.is_empty() {
        return Ok(());
    }
    let mut log = file.open_table(ASK_LOG)?;
    log.insert(new.first(), new.to_bytes().as_slice())?;
    let oldest = log.first()?.map_or(new.first(), |(first, _)| first.value());
    if new.first() - oldest < MAX_LOGGED {
        return Ok(());
    }
    let mut firms = HashSet::new();
    for entry in log.extract_if(|_, _| true)? {
        let (first, asks) = entry?;
        if let Some(asks) = NewAsks::from_bytes(first.value(), asks.value()) {
            firms.extend(asks.firms().cloned());
        }
    }
    let mut kept = file.open_table(ASKS)?;
    for firm in firms {
        if let Some(asks) = desk.roster.asks(&firm) {
            kept.insert(firm.as_str(), asks.to_bytes().as_slice())?;
        }
    }
    Ok(())
}
