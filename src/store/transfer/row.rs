//! One row of a store.

use jiff::Timestamp;

use crate::matching::{FirmId, RequestHistory};
use crate::store::core::{self, acceptance_record, record, referral_record, subscription_record};
use crate::store::error::Damaged;
use crate::store::time::millis;

/// An id, or a digest that serves as one.
pub type Id = [u8; 16];

/// The kinds of rows, in the order in which they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the rows are documented")]
pub enum Section {
    Secrets,
    Facts,
    Inquiries,
    Referrals,
    Keys,
    RequestHistory,
    Confirmations,
    Counts,
    Subscriptions,
    Ledger,
    Closings,
    Erased,
}

impl Section {
    /// All of them, in order.
    pub const ALL: [Self; 12] = [
        Self::Secrets,
        Self::Facts,
        Self::Inquiries,
        Self::Referrals,
        Self::Keys,
        Self::RequestHistory,
        Self::Confirmations,
        Self::Counts,
        Self::Subscriptions,
        Self::Ledger,
        Self::Closings,
        Self::Erased,
    ];

    /// Returns what people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Secrets => "secrets",
            Self::Facts => "facts",
            Self::Inquiries => "inquiries",
            Self::Referrals => "referrals",
            Self::Keys => "idempotency keys",
            Self::RequestHistory => "turns of firms",
            Self::Confirmations => "confirmations",
            Self::Counts => "counts",
            Self::Subscriptions => "subscriptions",
            Self::Ledger => "acceptances",
            Self::Closings => "closed months",
            Self::Erased => "erased ids",
        }
    }
}

/// A row. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rows say what their columns are")]
pub enum Row {
    /// What tokens follow from.
    Secret { name: String, value: Vec<u8> },
    /// When a backup was made, or since when deliveries are held.
    Fact { name: String, value: u64 },
    /// An inquiry, as `record` writes it.
    Inquiry { id: Id, value: Vec<u8> },
    /// The way of an inquiry, as `referral_record` writes it.
    Referral { id: Id, value: Vec<u8> },
    /// What is remembered of an idempotency key.
    Key {
        name: Id,
        tag: Id,
        id: Id,
        expires_at: u64,
    },
    /// When a firm was asked, as `RequestHistory` writes it.
    RequestHistory { firm: String, value: Vec<u8> },
    /// An address, by a digest of it, that was sent a confirmation.
    Confirmation { at: u64, address: Id },
    /// A count; the day is that since 1970.
    Count { day: u32, name: String, count: u64 },
    /// A subscription, as `subscription_record` writes it.
    Subscription { key: Id, value: Vec<u8> },
    /// An entry of the ledger, as `acceptance_record` writes it.
    Acceptance { id: Id, firm: String, value: Vec<u8> },
    /// A month that is closed, by its number; the rate of tax in ten-thousandths of a percent.
    Closing { month: u32, at: u64, vat: u32 },
    /// What was erased, and when last.
    Erased { id: Id, at: u64 },
}

impl Row {
    /// Returns what kind of row it is.
    pub fn section(&self) -> Section {
        match self {
            Self::Secret { .. } => Section::Secrets,
            Self::Fact { .. } => Section::Facts,
            Self::Inquiry { .. } => Section::Inquiries,
            Self::Referral { .. } => Section::Referrals,
            Self::Key { .. } => Section::Keys,
            Self::RequestHistory { .. } => Section::RequestHistory,
            Self::Confirmation { .. } => Section::Confirmations,
            Self::Count { .. } => Section::Counts,
            Self::Subscription { .. } => Section::Subscriptions,
            Self::Acceptance { .. } => Section::Ledger,
            Self::Closing { .. } => Section::Closings,
            Self::Erased { .. } => Section::Erased,
        }
    }

    /// Makes sure that its value can be read, unless [`Self::is_of_use`] does.
    ///
    /// # Errors
    /// When it is not what was written.
    pub fn check(&self) -> Result<(), Damaged> {
        let is_readable = match self {
            Self::Inquiry { id, value } => record::decode(*id, value).is_some(),
            Self::RequestHistory { firm, value } => {
                FirmId::parse(firm).is_ok() && RequestHistory::from_bytes(value).is_some()
            }
            _ => true,
        };
        match (is_readable, self) {
            (true, _) => Ok(()),
            (false, Self::RequestHistory { .. }) => Err(Damaged("what a firm was asked cannot be read")),
            (false, _) => Err(Damaged("an inquiry cannot be read")),
        }
    }

    /// Returns whether the row is still of use at a time. What is not, an engine may have forgotten or not.
    ///
    /// # Errors
    /// When its value cannot be read.
    pub fn is_of_use(&self, now: Timestamp) -> Result<bool, Damaged> {
        Ok(match self {
            Self::Key { expires_at, .. } => *expires_at > millis(now),
            Self::Referral { id, value } => !referral_record::decode(id, value)?.is_over(now),
            Self::Subscription { value, .. } => !subscription_record::decode(value)?.is_expired(now),
            Self::Confirmation { at, .. } => *at >= core::counts_since(now),
            Self::Acceptance { id, firm, value } => {
                acceptance_record::decode(uuid::Uuid::from_bytes(*id), firm, value)?;
                true
            }
            _ => true,
        })
    }

    /// Gives the parts of the row to `take`, each of which follows from the row alone.
    pub fn parts(&self, mut take: impl FnMut(&[u8])) {
        match self {
            Self::Secret { name, value } | Self::RequestHistory { firm: name, value } => {
                take(name.as_bytes());
                take(value);
            }
            Self::Fact { name, value } => {
                take(name.as_bytes());
                take(&value.to_be_bytes());
            }
            Self::Inquiry { id, value }
            | Self::Referral { id, value }
            | Self::Subscription { key: id, value } => {
                take(id);
                take(value);
            }
            Self::Key {
                name,
                tag,
                id,
                expires_at,
            } => {
                take(name);
                take(tag);
                take(id);
                take(&expires_at.to_be_bytes());
            }
            Self::Confirmation { at, address: id } | Self::Erased { id, at } => {
                take(id);
                take(&at.to_be_bytes());
            }
            Self::Acceptance { id, firm, value } => {
                take(id);
                take(firm.as_bytes());
                take(value);
            }
            Self::Closing { month, at, vat } => {
                take(&month.to_be_bytes());
                take(&at.to_be_bytes());
                take(&vat.to_be_bytes());
            }
            Self::Count { day, name, count } => {
                take(&day.to_be_bytes());
                take(name.as_bytes());
                take(&count.to_be_bytes());
            }
        }
    }
}
