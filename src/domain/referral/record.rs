//! Everything stored about an inquiry.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::asked::{Asked, Pausing};
use super::referral::{Referral, Status};
use crate::domain::inquiry::{EXPORT_COLUMNS, Inquiry, LIST_SEPARATOR, received, rfc3339_millis};
use crate::domain::matching::FirmId;

/// An inquiry with its referral.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct InquiryRecord {
    /// The inquiry's id, which is its key in the store.
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
    /// Whether this firm has an open request that a pause passes on.
    pub fn waits_for(&self, firm: &FirmId, pausing: Pausing) -> bool {
        let mut asked = self.referral.asked.iter();
        self.inquiry.is_some()
            && self.referral.status == Status::Active
            && asked.any(|asked| asked.firm == *firm && asked.is_passed_on(pausing))
    }

    /// The inquiry as a row of an export: texts, with [`EXPORT_COLUMNS`] as keys, in that order. `None` if it was withdrawn or
    /// erased.
    pub fn export_row(&self) -> Option<Map<String, Value>> {
        let mut row = self.inquiry.as_ref()?.row();
        let asked = self.referral.asked.iter();
        let accepted: Vec<_> = asked
            .filter_map(|asked| Some((asked, asked.accepted_at()?)))
            .collect();
        let list = |separator, text: fn(&(&Asked, Timestamp)) -> String| {
            let texts: Vec<_> = accepted.iter().map(text).collect();
            Value::from(texts.join(separator))
        };
        let outcome = [
            self.referral.state().id().into(),
            list(",", |(asked, _)| asked.firm.to_string()),
            self.referral.addition.as_str().into(),
            list(LIST_SEPARATOR, |(asked, _)| asked.accepted_name().to_owned()),
            list(LIST_SEPARATOR, |(_, at)| rfc3339_millis(*at)),
        ];
        let columns = EXPORT_COLUMNS.into_iter().skip(row.len());
        row.extend(columns.map(str::to_owned).zip(outcome));
        Some(row)
    }

    /// When the inquiry was created, or received if the inquiry itself is gone.
    pub fn created_at(&self) -> Timestamp {
        match &self.inquiry {
            Some(inquiry) => inquiry.created_at,
            None => self.received_at().unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// When the inquiry was received, to the millisecond, according to its id.
    pub fn received_at(&self) -> Option<Timestamp> {
        received(self.id)
    }
}
