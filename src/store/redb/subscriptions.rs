//! The table of subscriptions, and when something is due.

use redb::{ReadOnlyTable, ReadableTable, Table};
use tokio::sync::mpsc::Sender;

use super::copying::Copying;
use super::due_index::DueIndex;
use super::schema::{Id, SUBSCRIPTIONS, millis};
use crate::newsletter::Subscription;
use crate::referral::{Due, Lane};
use crate::store::stream::{CHUNK, Chunk};
use crate::store::subscription_record;

/// The table, open for writing.
pub type Subscriptions<'t> = Table<'t, &'static Id, &'static [u8]>;

/// Returns the value that is stored for a subscription.
pub fn encode(subscription: &Subscription) -> Result<Vec<u8>, redb::Error> {
    Ok(subscription_record::encode(subscription)?)
}

/// Returns the subscription that a value holds.
pub fn decode(value: &[u8]) -> Result<Subscription, redb::Error> {
    Ok(subscription_record::decode(value)?)
}

/// Reads a subscription; `None` if there is none.
pub fn read(
    table: &impl ReadableTable<&'static Id, &'static [u8]>,
    key: &Id,
) -> Result<Option<Subscription>, redb::Error> {
    table.get(key)?.map(|value| decode(value.value())).transpose()
}

/// Sends all subscriptions but the end. Returns early when the reader is gone.
pub fn send(
    table: &ReadOnlyTable<&'static Id, &'static [u8]>,
    sender: &Sender<Chunk<Subscription>>,
) -> Result<(), redb::Error> {
    let mut chunk = Vec::with_capacity(CHUNK);
    for entry in table.iter()? {
        chunk.push(decode(entry?.1.value())?);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if sender.blocking_send(Ok(full)).is_err() {
                return Ok(());
            }
        }
    }
    if !chunk.is_empty() {
        // A reader that is gone does not miss it.
        let _ = sender.blocking_send(Ok(chunk));
    }
    Ok(())
}

/// Stores a subscription, or removes it, and when it is due next.
pub fn write(
    table: &mut Subscriptions<'_>,
    index: &mut DueIndex<'_>,
    key: &Id,
    subscription: Option<&Subscription>,
    due_before: Due,
) -> Result<(), redb::Error> {
    match subscription {
        Some(subscription) => {
            table.insert(key, encode(subscription)?.as_slice())?;
        }
        None => {
            table.remove(key)?;
        }
    }
    let due = subscription.map(Subscription::due).unwrap_or_default();
    for lane in [Lane::Clock, Lane::Mail] {
        if let Some(before) = due_before.of(lane) {
            index.remove(number(lane), millis(before), key)?;
        }
        if let Some(due) = due.of(lane) {
            index.add(number(lane), millis(due), key)?;
        }
    }
    Ok(())
}

/// Returns the number of a lane in the index, apart from those of referrals. Numbers are part of the file format.
pub fn number(lane: Lane) -> u8 {
    match lane {
        Lane::Clock => 3,
        Lane::Mail => 4,
        Lane::Webhook => 5,
    }
}

/// Copies the subscriptions that are of use.
pub fn copy(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let mut new = copying.new.open_table(SUBSCRIPTIONS)?;
    let mut index = DueIndex::new(copying.new);
    for entry in copying.old.open_table(SUBSCRIPTIONS)?.iter()? {
        let (key, value) = entry?;
        (copying.progress)();
        let subscription = decode(value.value())?;
        if !subscription.is_expired(copying.now) {
            write(
                &mut new,
                &mut index,
                key.value(),
                Some(&subscription),
                Due::default(),
            )?;
        }
    }
    index.write()
}
