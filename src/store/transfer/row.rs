//! One row of a store.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use crate::ledger::Month;
use crate::store::core::{
    Fact, acceptance_record, counts_since, firm_asks, is_copied, photo_record, record, referral_record,
    subscription_record,
};
use crate::store::error::Damaged;
use crate::store::time::{from_millis, millis};

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
    Photos,
    Erased,
}

impl Section {
    /// All of them, in order.
    pub const ALL: [Self; 13] = [
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
        Self::Photos,
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
            Self::Photos => "photos",
            Self::Erased => "erased ids",
        }
    }
}

/// A row. Times are milliseconds since 1970.
///
/// Its numbers are part of the format of backups: never give one a new meaning. With another kind of row or another column comes the
/// next version of `backup::format`.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
#[allow(missing_docs, reason = "the rows say what their columns are")]
pub enum Row {
    /// What tokens follow from.
    #[n(0)]
    Secret {
        #[n(0)]
        name: String,
        #[cbor(n(1), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// When a backup was made, since when deliveries are held, until when a firm is paused, or when a review was changed last.
    #[n(1)]
    Fact {
        #[n(0)]
        name: String,
        #[n(1)]
        value: u64,
    },
    /// An inquiry, as `record` writes it.
    #[n(2)]
    Inquiry {
        #[cbor(n(0), with = "minicbor::bytes")]
        id: Id,
        #[cbor(n(1), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// The way of an inquiry, as `referral_record` writes it.
    #[n(3)]
    Referral {
        #[cbor(n(0), with = "minicbor::bytes")]
        id: Id,
        #[cbor(n(1), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// What is remembered of an idempotency key.
    #[n(4)]
    Key {
        #[cbor(n(0), with = "minicbor::bytes")]
        name: Id,
        #[cbor(n(1), with = "minicbor::bytes")]
        tag: Id,
        #[cbor(n(2), with = "minicbor::bytes")]
        id: Id,
        #[n(3)]
        expires_at: u64,
    },
    /// When a firm was asked, as `RequestHistory` writes it.
    #[n(5)]
    RequestHistory {
        #[n(0)]
        firm: String,
        #[cbor(n(1), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// An address, by a digest of it, that was sent a confirmation.
    #[n(6)]
    Confirmation {
        #[n(0)]
        at: u64,
        #[cbor(n(1), with = "minicbor::bytes")]
        address: Id,
    },
    /// A count; the day is that since 1970.
    #[n(7)]
    Count {
        #[n(0)]
        day: u32,
        #[n(1)]
        name: String,
        #[n(2)]
        count: u64,
    },
    /// A subscription, as `subscription_record` writes it.
    #[n(8)]
    Subscription {
        #[cbor(n(0), with = "minicbor::bytes")]
        key: Id,
        #[cbor(n(1), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// An entry of the ledger, as `acceptance_record` writes it.
    #[n(10)]
    Acceptance {
        #[cbor(n(0), with = "minicbor::bytes")]
        id: Id,
        #[n(1)]
        firm: String,
        #[cbor(n(2), with = "minicbor::bytes")]
        value: Vec<u8>,
    },
    /// A month that is closed, by its number; the rate of tax in ten-thousandths of a percent.
    #[n(11)]
    Closing {
        #[n(0)]
        month: u32,
        #[n(1)]
        at: u64,
        #[n(2)]
        vat: u32,
    },
    /// A photo in one of its sizes, which `PhotoSize` numbers.
    #[n(12)]
    Photo {
        #[cbor(n(0), with = "minicbor::bytes")]
        id: Id,
        #[n(1)]
        number: u16,
        #[n(2)]
        size: u8,
        #[cbor(n(3), with = "minicbor::bytes")]
        jpeg: Vec<u8>,
    },
    /// What was erased, and when last.
    #[n(9)]
    Erased {
        #[cbor(n(0), with = "minicbor::bytes")]
        id: Id,
        #[n(1)]
        at: u64,
    },
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
            Self::Photo { .. } => Section::Photos,
            Self::Erased { .. } => Section::Erased,
        }
    }

    /// Reads its value; returns whether it is still of use at a time. What is not, an engine may have forgotten or not.
    ///
    /// # Errors
    /// When it is not what was written.
    pub fn is_of_use(&self, now: Timestamp) -> Result<bool, Damaged> {
        Ok(match self {
            Self::Fact { name, .. }
                if !is_copied(name)
                    && ![Fact::Backup, Fact::Suspended]
                        .map(Fact::name)
                        .contains(&name.as_str()) =>
            {
                return Err(Damaged("nobody knows what it says"));
            }
            Self::Inquiry { id, value } => {
                let inquiry = record::decode(*id, value);
                inquiry
                    .map(|_| true)
                    .ok_or(Damaged("an inquiry cannot be read"))?
            }
            Self::RequestHistory { firm, value } => {
                firm_asks(firm, value)?;
                true
            }
            Self::Key { expires_at, .. } => *expires_at > millis(now),
            Self::Referral { id, value } => !referral_record::decode(id, value)?.is_over(now),
            Self::Subscription { value, .. } => !subscription_record::decode(value)?.is_expired(now),
            Self::Confirmation { at, .. } => *at >= counts_since(now),
            Self::Acceptance { id, firm, value } => {
                acceptance_record::decode(Uuid::from_bytes(*id), firm, value)?;
                true
            }
            Self::Photo { size, jpeg, .. } => {
                photo_record::check(*size, jpeg)?;
                true
            }
            Self::Closing { month, at, .. } => {
                let closing = Month::from_number(*month).zip(from_millis(*at));
                closing
                    .map(|_| true)
                    .ok_or(Damaged("a closed month cannot be read"))?
            }
            Self::Secret { .. } | Self::Fact { .. } | Self::Count { .. } | Self::Erased { .. } => true,
        })
    }

    /// Returns what it is found by, if that is an id or a digest.
    pub fn id(&self) -> Option<&Id> {
        match self {
            Self::Inquiry { id, .. }
            | Self::Referral { id, .. }
            | Self::Key { name: id, .. }
            | Self::Subscription { key: id, .. }
            | Self::Erased { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Names it to people, who may know its id.
    pub fn label(&self) -> String {
        let section = self.section().name();
        match self {
            Self::Inquiry { id, .. } | Self::Referral { id, .. } | Self::Subscription { key: id, .. } => {
                format!("{section} {}", Uuid::from_bytes(*id))
            }
            Self::Photo { id, number, .. } => format!("{section} {number} of {}", Uuid::from_bytes(*id)),
            Self::Acceptance { id, firm, .. } => format!("{section} {} of {firm}", Uuid::from_bytes(*id)),
            Self::RequestHistory { firm: name, .. } | Self::Fact { name, .. } => format!("{section} {name}"),
            Self::Closing { month, .. } => format!("{section} {month}"),
            _ => section.to_owned(),
        }
    }
}
