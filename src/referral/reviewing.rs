//! What may happen to a review, and finding those of an inquiry.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::change::Refusal;
use super::record::InquiryRecord;
use super::referral::{Referral, Status};
use super::review::{NewReview, Review, ReviewState, Verdict};
use super::review_name::ReviewId;
use crate::inquiry::PostalCode;
use crate::matching::FirmId;

impl Referral {
    /// Returns the reviews of the inquiry.
    pub fn reviews(&self) -> impl Iterator<Item = &Review> {
        self.asked.iter().filter_map(|asked| asked.review.as_ref())
    }

    /// Writes, changes or takes back what the visitor says of a firm. What is said again as it is changes nothing; everything else waits
    /// for the operator, a consent that was taken back and given again included.
    pub(super) fn review(
        &mut self,
        firm: &FirmId,
        new: Option<&NewReview>,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        let asked = self.accepted_mut(firm)?;
        match (&asked.review, new) {
            (None, None) => return Ok(false),
            (Some(review), Some(new)) if review.says(new) => return Ok(false),
            _ => asked.review = new.map(|new| Review::new(new, now)),
        }
        Ok(true)
    }

    /// Publishes a review, or takes it from the page.
    pub(super) fn judge(&mut self, firm: &FirmId, verdict: Verdict, now: Timestamp) -> Result<bool, Refusal> {
        let asked = self.accepted_mut(firm)?;
        let review = asked.review.as_mut().ok_or(Refusal::NoReview)?;
        let state = match (verdict, review.state) {
            (Verdict::Publish, _) if !review.has_consent => return Err(Refusal::NoConsent),
            (Verdict::Publish, ReviewState::Published(_)) | (Verdict::Reject, ReviewState::Rejected(_)) => {
                return Ok(false);
            }
            (Verdict::Publish, _) => ReviewState::Published(now),
            (Verdict::Reject, _) => ReviewState::Rejected(now),
        };
        review.state = state;
        Ok(true)
    }

    fn accepted_mut(&mut self, firm: &FirmId) -> Result<&mut Asked, Refusal> {
        match self.status {
            Status::Withdrawn(_) => return Err(Refusal::Withdrawn),
            Status::Erased(_) | Status::Notice(_) => return Err(Refusal::Unknown),
            Status::Active | Status::Quarantined | Status::Released(_) => {}
        }
        let mut asked = self.asked.iter_mut();
        let accepted = asked.find(|asked| asked.firm == *firm && asked.answer.is_accepted());
        accepted.ok_or(Refusal::NotAccepted)
    }
}

/// A review with what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundReview {
    /// What names it.
    pub id: ReviewId,
    /// The firm's name when it accepted.
    pub firm_name: String,
    /// Where the inquiry is from.
    pub postal_code: PostalCode,
    /// The review.
    pub review: Review,
}

impl FoundReview {
    /// Finds the reviews of an inquiry.
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
