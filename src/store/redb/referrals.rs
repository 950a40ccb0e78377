//! The table of referrals, and an index of when something is due.

use redb::{ReadableTable, Table};

use super::copying::Copying;
use super::due_index::DueIndex;
use super::schema::{INQUIRIES, Id, REFERRALS, millis};
use crate::referral::{Due, Lane, Referral, Status};
use crate::store::referral_record;

/// The table of referrals, open for writing.
pub type Referrals<'t> = Table<'t, &'static Id, &'static [u8]>;

/// Returns the value that is stored for the referral of an inquiry.
pub fn encode(id: &Id, referral: &Referral) -> Result<Vec<u8>, redb::Error> {
    Ok(referral_record::encode(id, referral)?)
}

/// Returns the referral that the value of an inquiry holds.
pub fn decode(id: &Id, value: &[u8]) -> Result<Referral, redb::Error> {
    Ok(referral_record::decode(id, value)?)
}

/// Reads the referral of an inquiry; `None` if there is none.
pub fn read(
    table: &impl ReadableTable<&'static Id, &'static [u8]>,
    id: &Id,
) -> Result<Option<Referral>, redb::Error> {
    table.get(id)?.map(|value| decode(id, value.value())).transpose()
}

/// Returns whether an inquiry was withdrawn, and its page says so.
pub fn is_withdrawn(
    table: &impl ReadableTable<&'static Id, &'static [u8]>,
    id: &Id,
) -> Result<bool, redb::Error> {
    let found = read(table, id)?;
    Ok(found.is_some_and(|referral| matches!(referral.status, Status::Withdrawn(_))))
}

/// Stores a referral and when it is due next, in place of what it was before.
pub fn write(
    referrals: &mut Referrals<'_>,
    index: &mut DueIndex<'_>,
    id: &Id,
    referral: &Referral,
    due_before: Due,
) -> Result<(), redb::Error> {
    referrals.insert(id, encode(id, referral)?.as_slice())?;
    update_index(index, id, due_before, referral.due())
}

/// Removes a referral.
pub fn remove(
    referrals: &mut Referrals<'_>,
    index: &mut DueIndex<'_>,
    id: &Id,
    due_before: Due,
) -> Result<(), redb::Error> {
    referrals.remove(id)?;
    update_index(index, id, due_before, Due::default())
}

fn update_index(index: &mut DueIndex<'_>, id: &Id, before: Due, after: Due) -> Result<(), redb::Error> {
    for lane in Lane::ALL {
        if before.of(lane) == after.of(lane) {
            continue;
        }
        if let Some(due) = before.of(lane) {
            index.remove(number(lane), millis(due), id)?;
        }
        if let Some(due) = after.of(lane) {
            index.add(number(lane), millis(due), id)?;
        }
    }
    Ok(())
}

/// Returns the number of a lane in the index. Numbers are part of the file format: never give one a new meaning.
pub fn number(lane: Lane) -> u8 {
    match lane {
        Lane::Clock => 0,
        Lane::Mail => 1,
        Lane::Webhook => 2,
    }
}

/// Copies the referrals. Of an erased inquiry only notices to firms remain.
pub fn copy(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let inquiries = copying.old.open_table(INQUIRIES)?;
    let mut referrals = copying.new.open_table(REFERRALS)?;
    let mut index = DueIndex::new(copying.new);
    for entry in copying.old.open_table(REFERRALS)?.iter()? {
        let (id, value) = entry?;
        (copying.progress)();
        let id = id.value();
        let is_erased = match inquiries.get(id)? {
            Some(inquiry) => copying.erases(id, inquiry.value())?,
            // One that was withdrawn.
            None => copying.names(id),
        };
        let referral = decode(id, value.value())?;
        let remains = if is_erased {
            referral.erased(copying.now)
        } else {
            (!referral.is_over(copying.now)).then_some(referral)
        };
        if let Some(referral) = remains {
            write(&mut referrals, &mut index, id, &referral, Due::default())?;
        }
    }
    index.write()
}
