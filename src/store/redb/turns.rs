//! Who was asked when, read from the file.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, WriteTransaction};

use super::error::damaged;
use super::schema::{ASK_LOG, ASKS};
use crate::matching::{FirmId, FirmRotation, NewRequests, RequestHistory};
use crate::referral::{HandlingPolicy, MatchingState};
use crate::store::core::firm_asks;

/// How many asks are logged before they are kept with their firms. Reading so many takes 2 ms when a file is opened; and
/// with two thousand firms, what is remembered of each is written once in four asks of it.
const MAX_LOGGED: u64 = 8192;

/// Prepares the matching state of a file for a policy.
pub fn load(
    database: &Database,
    policy: Arc<HandlingPolicy>,
    is_serving: bool,
) -> Result<MatchingState, redb::Error> {
    let history = read(&database.begin_read()?)?;
    let rotation = FirmRotation::new(Arc::clone(&policy.firms), history);
    Ok(MatchingState {
        policy,
        rotation,
        is_serving,
    })
}

/// Reads what is remembered of each firm's asks.
pub fn read(file: &ReadTransaction) -> Result<HashMap<FirmId, RequestHistory>, redb::Error> {
    read_all(file, Err)
}

/// As [`read`]; `unreadable` says whether to go on behind an entry that cannot be read.
pub fn read_all(
    file: &ReadTransaction,
    mut unreadable: impl FnMut(redb::Error) -> Result<(), redb::Error>,
) -> Result<HashMap<FirmId, RequestHistory>, redb::Error> {
    let mut history = HashMap::new();
    for entry in file.open_table(ASKS)?.iter()? {
        let (name, asks) = entry?;
        match firm_asks(name.value(), asks.value()) {
            Ok((firm, asks)) => drop(history.insert(firm, asks)),
            Err(_) => unreadable(damaged(&format!(
                "what the firm {:?} was asked cannot be read",
                name.value()
            )))?,
        }
    }
    for entry in file.open_table(ASK_LOG)?.iter()? {
        let (first, asks) = entry?;
        match NewRequests::from_bytes(first.value(), asks.value()) {
            Some(asks) => asks.add_to(&mut history),
            None => unreadable(damaged(&format!(
                "what firms were asked from number {} on cannot be read",
                first.value()
            )))?,
        }
    }
    Ok(history)
}

/// Logs the new asks; when there are many in the log, keeps them with their firms instead.
pub fn write(matching: &mut MatchingState, file: &WriteTransaction) -> Result<(), redb::Error> {
    let new = matching.rotation.take_new();
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
        if let Some(asks) = NewRequests::from_bytes(first.value(), asks.value()) {
            firms.extend(asks.firms().cloned());
        }
    }
    let mut kept = file.open_table(ASKS)?;
    for firm in firms {
        if let Some(asks) = matching.rotation.asks(&firm) {
            kept.insert(firm.as_str(), asks.to_bytes().as_slice())?;
        }
    }
    Ok(())
}
