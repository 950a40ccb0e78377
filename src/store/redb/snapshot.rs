//! Reading: the inquiries as they were at one moment.

use redb::{ReadOnlyTable, ReadTransaction, ReadableTableMetadata};

use super::error::attempt;
use super::opened::Afterlife;
use super::schema::{INQUIRIES, Id};
use super::selection::TimeRange;
use super::{Unavailable, open, record};
use crate::inquiry::Inquiry;

/// The inquiries at one moment. While it lives, the file keeps what it shows.
pub struct Snapshot {
    inquiries: ReadOnlyTable<&'static Id, &'static [u8]>,
    /// Keeps a file open that is replaced meanwhile.
    _afterlife: Afterlife,
}

impl Snapshot {
    pub(super) fn of(transaction: &ReadTransaction, afterlife: Afterlife) -> Result<Self, redb::Error> {
        Ok(Self {
            inquiries: transaction.open_table(INQUIRIES)?,
            _afterlife: afterlife,
        })
    }

    /// How many inquiries there are, in all.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn count(&self) -> Result<u64, Unavailable> {
        attempt(|| Ok(self.inquiries.len()?)).map_err(|error| Unavailable::told(&error))
    }

    /// The inquiries of a range in the order of their ids, that is, as they were stored; in constant memory.
    /// After an error there is nothing more.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn inquiries(
        &self,
        range: TimeRange,
    ) -> Result<impl Iterator<Item = Result<Inquiry, Unavailable>> + Send + use<>, Unavailable> {
        let first = range.first_id();
        let mut entries = attempt(|| Ok(self.inquiries.range::<&Id>(&first..)?))
            .map_err(|error| Unavailable::told(&error))?;
        let mut failed = false;
        let mut next = move || {
            let entry = attempt(|| match entries.next() {
                None => Ok(None),
                Some(entry) => {
                    let (id, value) = entry?;
                    let inquiry = record::decode(*id.value(), value.value());
                    inquiry
                        .map(Some)
                        .ok_or_else(|| open::damaged("an inquiry cannot be read"))
                }
            });
            entry.map_err(|error| Unavailable::told(&error)).transpose()
        };
        Ok(std::iter::from_fn(move || {
            while !failed {
                let inquiry = next()?;
                failed = inquiry.is_err();
                if inquiry
                    .as_ref()
                    .map_or(true, |inquiry| range.contains(inquiry.created_at))
                {
                    return Some(inquiry);
                }
            }
            None
        }))
    }
}
