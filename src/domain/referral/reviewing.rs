//! Changes to reviews, and listing those of an inquiry.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::change::{Refusal, Transition};
use super::record::InquiryRecord;
use super::referral::Referral;
use super::review::{Review, ReviewState, Verdict};
use super::review_name::ReviewId;
use crate::domain::inquiry::PostalCode;
use crate::domain::matching::FirmId;

/// The precision of stored times.
const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

impl Referral {
    /// The reviews of the inquiry.
    pub fn reviews(&self) -> impl Iterator<Item = &Review> {
        self.asked.iter().filter_map(|asked| asked.review.as_ref())
    }
}

impl Transition<'_> {
    /// Writes, changes or withdraws the visitor's review of a firm. An identical review changes nothing; any other waits for the
    /// operator, even if consent was only withdrawn and given again.
    pub(super) fn review(&mut self, firm: &FirmId, new: Option<&Review>) -> Result<bool, Refusal> {
        let now = self.now;
        let asked = self.accepted_mut(firm)?;
        match (&asked.review, new) {
            (None, None) => return Ok(false),
            (Some(review), Some(new)) if review.says(new) => return Ok(false),
            // Never reuse the time of the previous text: decisions identify by it the version that was read.
            (before, new) => {
                let before = before
                    .as_ref()
                    .and_then(|review| review.at.checked_add(MILLISECOND).ok());
                let at = before.map_or(now, |before| before.max(now));
                asked.review = new.map(|new| Review { at, ..new.clone() });
            }
        }
        Ok(true)
    }

    /// Publishes a review or removes it from the page, unless it was not written at `read`, to the millisecond.
    pub(super) fn judge(
        &mut self,
        firm: &FirmId,
        verdict: Verdict,
        read: Option<Timestamp>,
    ) -> Result<bool, Refusal> {
        let now = self.now;
        let asked = self.accepted_mut(firm)?;
        let review = asked.review.as_mut().ok_or(Refusal::NoReview)?;
        if read.is_some_and(|read| read.as_millisecond() != review.at.as_millisecond()) {
            return Err(Refusal::Changed);
        }
        review.state = match (verdict, review.state) {
            (Verdict::Publish, _) if !review.has_consent => return Err(Refusal::NoConsent),
            (Verdict::Publish, ReviewState::Published(_)) | (Verdict::Reject, ReviewState::Rejected(_)) => {
                return Ok(false);
            }
            (Verdict::Publish, _) => ReviewState::Published(now),
            (Verdict::Reject, _) => ReviewState::Rejected(now),
        };
        Ok(true)
    }

    fn accepted_mut(&mut self, firm: &FirmId) -> Result<&mut Asked, Refusal> {
        self.must_be_there()?;
        let mut asked = self.referral.asked.iter_mut();
        let accepted = asked.find(|asked| asked.firm == *firm && asked.answer.is_accepted());
        accepted.ok_or(Refusal::NotAccepted)
    }
}

/// A review with its subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundReview {
    /// The review's id.
    pub id: ReviewId,
    /// The firm's name when it accepted.
    pub firm_name: String,
    /// The postal code of the inquiry.
    pub postal_code: PostalCode,
    /// The review.
    pub review: Review,
}

impl FoundReview {
    /// All reviews of an inquiry.
    pub fn all_of(record: &InquiryRecord) -> impl Iterator<Item = Self> {
        let inquiry = record.inquiry.as_ref();
        inquiry.into_iter().flat_map(|inquiry| {
            let reviewed = record.referral.asked.iter();
            reviewed.filter_map(|asked| {
                Some(Self {
                    id: ReviewId {
                        inquiry: record.id,
                        firm: asked.firm.clone(),
                    },
                    firm_name: asked.accepted_name().to_owned(),
                    postal_code: inquiry.answers.postal_code,
                    review: asked.review.clone()?,
                })
            })
        })
    }
}
