//! Everything that is known of an inquiry.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::asked::{Asked, Pausing};
use super::millis;
use super::referral::{Referral, Status};
use crate::domain::inquiry::{ExportRow, Inquiry, LIST_SEPARATOR, Row, received, rfc3339_millis};
use crate::domain::matching::FirmId;

/// An inquiry with its referral.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "millis::Epoch")]
pub struct InquiryRecord {
    /// The inquiry's id, which is its key where it is stored.
    #[cbor(skip)]
    pub id: Uuid,
    /// The inquiry; `None` if it was withdrawn or erased.
    #[n(0)]
    pub inquiry: Option<Inquiry>,
    /// Its referral to operator and firms.
    #[n(1)]
    pub referral: Referral,
}

impl InquiryRecord {
    /// Whether this firm has an open request that a pause would pass on.
    pub fn waits_for(&self, firm: &FirmId) -> bool {
        let mut asked = self.referral.asked.iter();
        self.inquiry.is_some()
            && self.referral.status == Status::Active
            && asked.any(|asked| asked.firm == *firm && asked.is_passed_on(Pausing::Begins))
    }

    /// Returns the inquiry as exports show it; `None` if it was withdrawn or erased.
    pub fn export_row(&self) -> Option<ExportRow<'_>> {
        let accepted = || {
            self.referral
                .asked
                .iter()
                .filter(|asked| asked.answer.is_accepted())
        };
        let firms: Vec<_> = accepted().map(|asked| asked.firm.as_str()).collect();
        let names: Vec<_> = accepted().map(Asked::accepted_name).collect();
        let times: Vec<_> = accepted()
            .filter_map(Asked::accepted_at)
            .map(rfc3339_millis)
            .collect();
        Some(ExportRow {
            inquiry: Row::from(self.inquiry.as_ref()?),
            state: self.referral.state().id().into(),
            accepted_by: firms.join(","),
            addition: self.referral.addition.as_str().into(),
            accepted_names: names.join(LIST_SEPARATOR),
            accepted_at: times.join(LIST_SEPARATOR),
        })
    }

    /// Returns when the inquiry was made; when it was received if the inquiry is gone.
    pub fn created_at(&self) -> Timestamp {
        match &self.inquiry {
            Some(inquiry) => inquiry.created_at,
            None => self.received_at().unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// Returns when the inquiry was received, to the millisecond; its id says so.
    pub fn received_at(&self) -> Option<Timestamp> {
        received(self.id)
    }
}
