//! Reading all rows of a file, as of one moment.

use redb::{ReadTransaction, ReadableTable};

use crate::store::core::{Fact, is_copied};
use crate::store::erased_list::Erased;

use crate::store::error::Damaged;
use crate::store::redb::error::damaged;
use crate::store::redb::schema::{
    self, CLOSINGS, CONFIRMATION_LOG, COUNTS, INQUIRIES, KEYS, LEDGER, META, REFERRALS, SECRETS,
    SUBSCRIPTIONS,
};
use crate::store::redb::turns;
use crate::store::transfer::{Row, Rows, Take, Untaken};

/// Why reading ended early.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] redb::Error),
    /// Nobody takes the rows any more, and says why.
    #[error("the copy was given up")]
    Untaken,
}

impl From<Damaged> for ReadError {
    fn from(damaged: Damaged) -> Self {
        Self::File(damaged.into())
    }
}

impl From<Untaken> for ReadError {
    fn from(Untaken: Untaken) -> Self {
        Self::Untaken
    }
}

impl From<redb::StorageError> for ReadError {
    fn from(error: redb::StorageError) -> Self {
        Self::File(error.into())
    }
}

impl From<redb::TableError> for ReadError {
    fn from(error: redb::TableError) -> Self {
        Self::File(error.into())
    }
}

/// Reads everything that a transaction shows, and a list of what was erased.
pub fn all(
    file: &ReadTransaction,
    erased: &Erased,
    rows: &mut Rows,
    take: Take<'_>,
) -> Result<(), ReadError> {
    let mut add = |row: Row| rows.push::<ReadError>(row, take);
    for entry in file.open_table(SECRETS)?.iter()? {
        let (name, value) = entry?;
        add(Row::Secret {
            name: name.value().to_owned(),
            value: value.value().to_vec(),
        })?;
    }
    let meta = file.open_table(META)?;
    for entry in meta.iter()? {
        let (name, value) = entry?;
        let name = name.value();
        if [Fact::Backup.name(), Fact::Suspended.name()].contains(&name) || is_copied(name) {
            let (name, value) = (name.to_owned(), value.value());
            add(Row::Fact { name, value })?;
        }
    }
    for entry in file.open_table(INQUIRIES)?.iter()? {
        let (id, value) = entry?;
        let (id, value) = (*id.value(), value.value().to_vec());
        add(Row::Inquiry { id, value })?;
    }
    for entry in file.open_table(REFERRALS)?.iter()? {
        let (id, value) = entry?;
        let (id, value) = (*id.value(), value.value().to_vec());
        add(Row::Referral { id, value })?;
    }
    for entry in file.open_table(KEYS)?.iter()? {
        let (name, value) = entry?;
        let (tag, id, expires_at) = value.value();
        add(Row::Key {
            name: *name.value(),
            tag: *tag,
            id: *id,
            expires_at,
        })?;
    }
    // Two tables in the file, of which the second is a log.
    let mut asks: Vec<_> = turns::read(file)?.into_iter().collect();
    asks.sort_unstable_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
    for (firm, asks) in asks {
        add(Row::RequestHistory {
            firm: firm.as_str().to_owned(),
            value: asks.to_bytes(),
        })?;
    }
    for entry in file.open_table(CONFIRMATION_LOG)?.iter()? {
        let (at, addresses) = entry?;
        let unreadable = || damaged("what was sent to addresses cannot be read");
        let mut addresses = schema::ids(addresses.value()).ok_or_else(unreadable)?.to_vec();
        addresses.sort_unstable();
        for address in addresses {
            add(Row::Confirmation {
                at: at.value(),
                address,
            })?;
        }
    }
    for entry in file.open_table(COUNTS)?.iter()? {
        let (key, count) = entry?;
        let (day, name) = key.value();
        add(Row::Count {
            day,
            name: name.to_owned(),
            count: count.value(),
        })?;
    }
    for entry in file.open_table(SUBSCRIPTIONS)?.iter()? {
        let (key, value) = entry?;
        let (key, value) = (*key.value(), value.value().to_vec());
        add(Row::Subscription { key, value })?;
    }
    for entry in file.open_table(LEDGER)?.iter()? {
        let (key, value) = entry?;
        let (id, firm) = key.value();
        let (id, firm, value) = (*id, firm.to_owned(), value.value().to_vec());
        add(Row::Acceptance { id, firm, value })?;
    }
    for entry in file.open_table(CLOSINGS)?.iter()? {
        let (month, closing) = entry?;
        let (month, (at, vat)) = (month.value(), closing.value());
        add(Row::Closing { month, at, vat })?;
    }
    for (id, at) in erased {
        add(Row::Erased {
            id: *id.as_bytes(),
            at: schema::millis(*at),
        })?;
    }
    Ok(())
}
