//! Reading everything that is known of inquiries.

use redb::{ReadOnlyTable, ReadTransaction};
use uuid::Uuid;

use super::error::damaged;
use super::referrals;
use super::schema::{INQUIRIES, Id, REFERRALS};
use crate::inquiry::Inquiry;
use crate::referral::{Dossier, Referral};
use crate::store::record;

/// Reads what is known of one inquiry; `None` if there is nothing.
pub fn read(file: &ReadTransaction, id: Uuid) -> Result<Option<Dossier>, redb::Error> {
    let key = id.as_bytes();
    let inquiry = match file.open_table(INQUIRIES)?.get(key)? {
        Some(value) => Some(decode(key, value.value())?),
        None => None,
    };
    let referral = referrals::read(&file.open_table(REFERRALS)?, key)?;
    Ok(dossier(key, inquiry, referral))
}

/// The two tables, to be read side by side.
pub struct Tables {
    inquiries: ReadOnlyTable<&'static Id, &'static [u8]>,
    referrals: ReadOnlyTable<&'static Id, &'static [u8]>,
}

impl Tables {
    /// Opens what a transaction shows.
    pub fn open(file: &ReadTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            inquiries: file.open_table(INQUIRIES)?,
            referrals: file.open_table(REFERRALS)?,
        })
    }

    /// Returns the table of inquiries.
    pub fn inquiries(&self) -> &ReadOnlyTable<&'static Id, &'static [u8]> {
        &self.inquiries
    }

    /// Calls `each` for all that is known from one id on, in order, until it returns `false`.
    pub fn walk(&self, first: &Id, mut each: impl FnMut(Dossier) -> bool) -> Result<(), redb::Error> {
        let mut inquiries = self.inquiries.range::<&Id>(first..)?;
        let mut referrals = self.referrals.range::<&Id>(first..)?;
        let mut inquiry = inquiries.next().transpose()?;
        let mut referral = referrals.next().transpose()?;
        loop {
            let keys = (
                inquiry.as_ref().map(|(key, _)| *key.value()),
                referral.as_ref().map(|(key, _)| *key.value()),
            );
            let key = match keys {
                (None, None) => return Ok(()),
                (Some(key), None) | (None, Some(key)) => key,
                (Some(one), Some(other)) => one.min(other),
            };
            let (mut known, mut way) = (None, None);
            if keys.0 == Some(key) {
                known = inquiry
                    .take()
                    .map(|(_, value)| decode(&key, value.value()))
                    .transpose()?;
                inquiry = inquiries.next().transpose()?;
            }
            if keys.1 == Some(key) {
                way = referral
                    .take()
                    .map(|(_, value)| referrals::decode(&key, value.value()))
                    .transpose()?;
                referral = referrals.next().transpose()?;
            }
            if dossier(&key, known, way).is_some_and(|dossier| !each(dossier)) {
                return Ok(());
            }
        }
    }
}

fn dossier(key: &Id, inquiry: Option<Inquiry>, referral: Option<Referral>) -> Option<Dossier> {
    if inquiry.is_none() && referral.is_none() {
        return None;
    }
    Some(Dossier {
        id: Uuid::from_bytes(*key),
        referral: referral
            .unwrap_or_else(|| Referral::implied(inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected))),
        inquiry,
    })
}

fn decode(key: &Id, value: &[u8]) -> Result<Inquiry, redb::Error> {
    record::decode(*key, value).ok_or_else(|| damaged("an inquiry cannot be read"))
}
