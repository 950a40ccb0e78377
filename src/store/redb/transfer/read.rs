//! Reading all rows of a file, as of one moment.

use redb::{Key, ReadTransaction, ReadableTable, TableDefinition, Value};

use crate::panics;
use crate::store::core::{Fact, is_copied};
use crate::store::erased_list::Erased;

use crate::store::error::Damaged;
use crate::store::redb::error::{attempt, damaged};
use crate::store::redb::schema::{
    self, CLOSINGS, CONFIRMATION_LOG, COUNTS, INQUIRIES, KEYS, LEDGER, META, PHOTOS, REFERRALS, SECRETS,
    SUBSCRIPTIONS,
};
use crate::store::redb::turns;
use crate::store::transfer::{Row, Rows, Section, Take, Untaken};

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
    for section in Section::ALL {
        let mut reader = Reader {
            file,
            section,
            rows,
            take,
        };
        let read = panics::catch(|| reader.read(erased));
        if let Err(error) = read.unwrap_or_else(|panic| Err(redb::Error::Corrupted(panic).into())) {
            rows.unreadable(section, error)?;
        }
    }
    Ok(())
}

/// Reads a section.
struct Reader<'a> {
    file: &'a ReadTransaction,
    section: Section,
    rows: &'a mut Rows,
    take: Take<'a>,
}

impl Reader<'_> {
    fn read(&mut self, erased: &Erased) -> Result<(), ReadError> {
        match self.section {
            Section::Secrets => self.each(SECRETS, |name, value| {
                let (name, value) = (name.to_owned(), value.to_vec());
                Ok([Row::Secret { name, value }])
            }),
            Section::Facts => self.each(META, |name, value| {
                let is_kept =
                    [Fact::Backup.name(), Fact::Suspended.name()].contains(&name) || is_copied(name);
                let name = name.to_owned();
                Ok(is_kept.then_some(Row::Fact { name, value }))
            }),
            Section::Inquiries => self.each(INQUIRIES, |id, value| {
                let (id, value) = (*id, value.to_vec());
                Ok([Row::Inquiry { id, value }])
            }),
            Section::Referrals => self.each(REFERRALS, |id, value| {
                let (id, value) = (*id, value.to_vec());
                Ok([Row::Referral { id, value }])
            }),
            Section::Keys => self.each(KEYS, |name, (tag, id, expires_at)| {
                let (name, tag, id) = (*name, *tag, *id);
                Ok([Row::Key {
                    name,
                    tag,
                    id,
                    expires_at,
                }])
            }),
            Section::RequestHistory => self.request_history(),
            Section::Confirmations => self.each(CONFIRMATION_LOG, |at, addresses| {
                let unreadable = || damaged(&format!("what was sent to addresses at {at} cannot be read"));
                let mut addresses = schema::ids(addresses).ok_or_else(unreadable)?.to_vec();
                addresses.sort_unstable();
                Ok(addresses
                    .into_iter()
                    .map(move |address| Row::Confirmation { at, address }))
            }),
            Section::Counts => self.each(COUNTS, |(day, name), count| {
                let name = name.to_owned();
                Ok([Row::Count { day, name, count }])
            }),
            Section::Subscriptions => self.each(SUBSCRIPTIONS, |key, value| {
                let (key, value) = (*key, value.to_vec());
                Ok([Row::Subscription { key, value }])
            }),
            Section::Ledger => self.each(LEDGER, |(id, firm), value| {
                let (id, firm, value) = (*id, firm.to_owned(), value.to_vec());
                Ok([Row::Acceptance { id, firm, value }])
            }),
            Section::Closings => {
                self.each(CLOSINGS, |month, (at, vat)| Ok([Row::Closing { month, at, vat }]))
            }
            Section::Photos => self.each(PHOTOS, |(id, number, size), jpeg| {
                let (id, jpeg) = (*id, jpeg.to_vec());
                Ok([Row::Photo {
                    id,
                    number,
                    size,
                    jpeg,
                }])
            }),
            Section::Erased => erased.iter().try_for_each(|(id, at)| {
                let (id, at) = (*id.as_bytes(), schema::millis(*at));
                self.rows.push(Row::Erased { id, at }, self.take)
            }),
        }
    }

    /// Reads a table. `decode` reads an entry, which usually holds one row.
    fn each<K: Key + 'static, V: Value + 'static, I: IntoIterator<Item = Row>>(
        &mut self,
        table: TableDefinition<'_, K, V>,
        decode: impl Fn(K::SelfType<'_>, V::SelfType<'_>) -> Result<I, redb::Error>,
    ) -> Result<(), ReadError> {
        for entry in self.file.open_table(table)?.iter()? {
            let (key, value) = entry?;
            match attempt(|| decode(key.value(), value.value())) {
                Ok(found) => {
                    for row in found {
                        self.rows.push::<ReadError>(row, self.take)?;
                    }
                }
                Err(error) => self.rows.unreadable(self.section, error)?,
            }
        }
        Ok(())
    }

    /// Reads two tables, of which the second is a log.
    fn request_history(&mut self) -> Result<(), ReadError> {
        let history = turns::read_all(self.file, |error| self.rows.unreadable(self.section, error))?;
        let mut history: Vec<_> = history.into_iter().collect();
        history.sort_unstable_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
        for (firm, asks) in history {
            let (firm, value) = (firm.as_str().to_owned(), asks.to_bytes());
            self.rows
                .push::<ReadError>(Row::RequestHistory { firm, value }, self.take)?;
        }
        Ok(())
    }
}
