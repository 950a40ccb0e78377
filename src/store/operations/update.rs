//! Changes referrals.

use uuid::Uuid;

use crate::domain::inquiry::Answers;
use crate::domain::referral::confirmation_quota::ConfirmationQuota;
use crate::domain::referral::{Change, InquiryRecord, Referral, Refusal, Review, Status, Transition};
use crate::store::entry::StoredRecord;
use crate::store::job::JobTerms;
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::{Traces, Tx};
use crate::store::{Store, Unavailable, UpdateError, in_time, reads};

impl Store {
    /// Returns an inquiry with its referral, even a withdrawn one; `None` if nothing of it is kept.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn record(&self, id: Uuid) -> Result<Option<InquiryRecord>, Unavailable> {
        self.read(move |view| Ok(reads::entry(view, id)?.map(|entry: StoredRecord| entry.record)))
            .await
    }

    /// Changes a referral; returns the changed inquiry once it is durable.
    ///
    /// # Errors
    /// [`UpdateError::Refused`] when the change is not possible, else [`UpdateError::Unavailable`].
    pub async fn update(&self, id: Uuid, change: Change) -> Result<InquiryRecord, UpdateError> {
        Ok(in_time(self.change(id, change)).await??)
    }

    /// Makes a change, however long that takes.
    pub(super) async fn change(
        &self,
        id: Uuid,
        change: Change,
    ) -> Result<Result<InquiryRecord, Refusal>, Unavailable> {
        let terms = JobTerms {
            wants: Some((EntryKind::Inquiries, id.as_bytes().to_vec())),
            is_made_late: matches!(change, Change::Settle(..)),
            ..JobTerms::default()
        };
        self.writer.apply(terms, move |tx| tx.update(id, &change)).await
    }
}

impl Tx<'_> {
    /// Makes a change; returns the changed inquiry. A released inquiry begins at once.
    ///
    /// # Errors
    /// When the store cannot be read; the inner error tells why the change was refused.
    pub fn update(
        &mut self,
        id: Uuid,
        change: &Change,
    ) -> Result<Result<InquiryRecord, Refusal>, EngineError> {
        let changed = self.change(id, change)?;
        if changed.is_ok() && matches!(change, Change::Release(_)) && self.cache.matching.is_serving {
            return self.change(id, &Change::Tick);
        }
        Ok(changed)
    }

    fn change(&mut self, id: Uuid, change: &Change) -> Result<Result<InquiryRecord, Refusal>, EngineError> {
        let mut entry: StoredRecord = match reads::entry(self, id) {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(Err(Refusal::Unknown)),
            Err(EngineError::Damaged(error)) => {
                tracing::error!(inquiry = %id, error, "an inquiry cannot be read");
                return Ok(Err(Refusal::Damaged));
            }
            Err(error) => return Err(error),
        };
        // Deliveries that another process began and did not settle may have arrived.
        let settled = match change {
            Change::Settle(number, _) => Some(*number),
            _ => None,
        };
        let lease = settled.and_then(|number| entry.leases.of(number));
        let is_retaken = lease.is_some_and(|lease| lease.is_retaken);
        let under_way = entry.leases.numbers();
        let may_confirm = *change == Change::Tick && self.may_confirm(&entry.record);
        let record = &mut entry.record;
        let reviews: Vec<Review> = record.referral.reviews().cloned().collect();
        let mut transition = Transition {
            referral: &mut record.referral,
            answers: record.inquiry.as_ref().map(|inquiry| &inquiry.answers),
            matching: &mut self.cache.matching,
            now: self.now,
            may_confirm,
            under_way: &under_way,
            is_retaken,
        };
        let is_changed = match transition.apply(change) {
            Ok(is_changed) => is_changed,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.note_refusal()?;
        let record = &mut entry.record;
        if is_changed && !reviews.iter().eq(record.referral.reviews()) {
            let mut involved = reviews.iter().chain(record.referral.reviews());
            self.note_reviews(involved.any(Review::is_published));
        }
        let is_over = record.referral.is_over(self.now);
        match change {
            Change::Review(_, None) if is_changed => self.leave_traces(Traces::OfErased),
            Change::Withdraw if record.inquiry.take().is_some() => {
                self.note_erased(id.as_bytes());
                self.remove_all(EntryKind::Photos, id.as_bytes())?;
            }
            Change::Correct(correction, _) if is_changed => {
                let answers = record.inquiry.iter_mut().map(|inquiry| &mut inquiry.answers);
                answers.for_each(|answers| drop(correction.apply(answers)));
                self.leave_traces(Traces::OfErased);
            }
            // It is no longer suspected.
            Change::Release(_) => record
                .inquiry
                .iter_mut()
                .for_each(|inquiry| inquiry.suspected = false),
            _ => {}
        }
        if let Change::Accept(number) | Change::AcceptAt(number, _) = change
            && is_changed
            && let Some(firm) = record.referral.firm(*number).map(|asked| asked.firm.clone())
        {
            self.note_acceptance(id, &firm)?;
        }
        let is_let_go = settled.is_some_and(|number| entry.leases.end(number));
        if is_over && entry.record.inquiry.is_none() {
            self.remove_entry(&entry);
        } else if is_changed || is_let_go {
            self.save(&entry);
        }
        Ok(Ok(entry.record))
    }

    /// Adds the first deliveries of an inquiry: to the operator, the visitor and the first firms.
    pub(super) fn begin(&mut self, referral: &mut Referral, answers: &Answers, quota: &ConfirmationQuota) {
        let may_confirm = self.cache.matching.policy.visitor_mail && self.may_send(quota);
        let mut transition = Transition {
            referral,
            answers: Some(answers),
            matching: &mut self.cache.matching,
            now: self.now,
            may_confirm,
            under_way: &[],
            is_retaken: false,
        };
        transition.begin();
    }

    /// Whether the visitor of a released inquiry may be sent a confirmation; counts it if so.
    fn may_confirm(&mut self, record: &InquiryRecord) -> bool {
        match (&record.inquiry, record.referral.status, &self.cache.secret) {
            (Some(inquiry), Status::Released(_), Some(secret)) if self.cache.matching.policy.visitor_mail => {
                let address = inquiry.answers.email_address.as_str();
                let quota = ConfirmationQuota::inquiries(secret, address);
                self.may_send(&quota)
            }
            _ => false,
        }
    }
}
