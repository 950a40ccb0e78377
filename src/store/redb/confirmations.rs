//! How many confirmations an address may get: whoever types somebody else's address must not fill that mailbox.

use jiff::Timestamp;
use redb::{ReadableTable, Table};

use super::schema::{Id, millis};

/// How many an address gets within [`PERIOD`] (contract, "Deliveries").
const LIMIT: usize = 3;

/// 24 hours in milliseconds.
const PERIOD: u64 = 24 * 60 * 60 * 1000;

/// Neighbours of an entry that are looked at whenever one is written, so that those of no use do not pile up between
/// two compactions.
const NEIGHBOURS: usize = 2;

/// The table, open for writing.
pub type Confirmations<'t> = Table<'t, &'static Id, (u64, u64, u64)>;

/// Returns whether one more confirmation may be sent to an address, and counts it if so.
pub fn may_confirm(table: &mut Confirmations<'_>, address: &Id, now: Timestamp) -> Result<bool, redb::Error> {
    let times = table.get(address)?.map_or((0, 0, 0), |times| times.value());
    let mut recent: Vec<u64> = [times.0, times.1, times.2]
        .into_iter()
        .filter(|&time| is_recent(time, now))
        .collect();
    if recent.len() >= LIMIT {
        return Ok(false);
    }
    recent.push(millis(now));
    let mut recent = recent.into_iter();
    let mut next = || recent.next().unwrap_or_default();
    table.insert(address, (next(), next(), next()))?;
    forget_neighbours(table, address, now)?;
    Ok(true)
}

/// Returns whether an entry still limits anything.
pub fn is_of_use(times: (u64, u64, u64), now: Timestamp) -> bool {
    [times.0, times.1, times.2]
        .into_iter()
        .any(|time| is_recent(time, now))
}

fn is_recent(time: u64, now: Timestamp) -> bool {
    time + PERIOD > millis(now)
}

fn forget_neighbours(table: &mut Confirmations<'_>, address: &Id, now: Timestamp) -> Result<(), redb::Error> {
    let mut useless = Vec::new();
    for entry in table.range::<&Id>(address..)?.take(1 + NEIGHBOURS) {
        let (address, times) = entry?;
        if !is_of_use(times.value(), now) {
            useless.push(*address.value());
        }
    }
    for address in &useless {
        table.remove(address)?;
    }
    Ok(())
}
