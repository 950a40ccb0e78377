//! Changing a referral.

use std::time::Instant;

use jiff::Timestamp;
use uuid::Uuid;

use super::confirmation::ConfirmationQuota;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::inquiry::Answers;
use crate::referral::{
    Change, ChangeContext, HandlingPolicy, InquiryRecord, Outcome, Referral, Refusal, Review, Status,
};
use crate::store::deadline::DEADLINE;
use crate::store::error::UpdateError;

/// A change that waits to be made.
pub struct Update {
    id: Uuid,
    change: Change,
    /// When the caller hears that the store is unavailable. What is changed later, it would ask for again.
    give_up_at: Option<Instant>,
}

impl Update {
    /// Prepares a change that is not made once its caller has given up.
    pub fn new(id: Uuid, change: Change) -> Self {
        Self {
            id,
            change,
            give_up_at: Some(Instant::now() + DEADLINE),
        }
    }

    /// Prepares a change that is made in any case: it has happened.
    pub fn settled(id: Uuid, change: Change) -> Self {
        Self {
            id,
            change,
            give_up_at: None,
        }
    }
}

impl Operation for Update {
    /// What is known of the inquiry afterwards.
    type Reply = Result<InquiryRecord, UpdateError>;

    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy) {
        reads.locks = true;
        reads.inquiries.insert(self.id);
        reads.closings |= matches!(self.change, Change::Accept(_) | Change::AcceptAt(..));
        reads.turns |= match self.change {
            Change::Accept(_)
            | Change::AcceptAt(..)
            | Change::Decline(_)
            | Change::Ask(_)
            | Change::Pass(..)
            | Change::Rematch
            | Change::Settle(_, Outcome::Failed { .. } | Outcome::Refused { .. }) => !policy.firms.is_empty(),
            Change::Release(_) | Change::Tick => !policy.firms.is_empty() || policy.visitor_mail,
            Change::Add(_)
            | Change::Review(..)
            | Change::Judge(..)
            | Change::Withdraw
            | Change::Settle(..)
            | Change::Retry(_) => false,
        };
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        if self.give_up_at.is_some_and(|at| Instant::now() >= at) {
            return Ok(Err(UpdateError::Unavailable));
        }
        Ok(update(transaction, self.id, &self.change).map_err(UpdateError::Refused))
    }

    fn erases(&self) -> Option<Uuid> {
        (self.change == Change::Withdraw).then_some(self.id)
    }
}

/// Makes a change; returns what is known of the inquiry afterwards. What is released begins at once.
pub fn update(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    change: &Change,
) -> Result<InquiryRecord, Refusal> {
    let changed = apply(transaction, id, change)?;
    if matches!(change, Change::Release(_)) && transaction.state.matching.is_serving {
        return apply(transaction, id, &Change::Tick);
    }
    Ok(changed)
}

fn apply(transaction: &mut Transaction<'_>, id: Uuid, change: &Change) -> Result<InquiryRecord, Refusal> {
    let entry = transaction.rows.inquiries.get(&id).ok_or(Refusal::Unknown)?;
    let record = entry.record(id).map_err(|error| {
        tracing::error!(inquiry = %id, %error, "an inquiry cannot be read");
        Refusal::Damaged
    });
    let mut record = record?.ok_or(Refusal::Unknown)?;
    let under_way = entry.leases.numbers();
    // What another instance has begun and not settled may have arrived.
    let is_unsure = match change {
        Change::Settle(number, _) => entry.leases.of(*number).is_some_and(|lease| lease.is_retaken),
        _ => false,
    };
    let moment = ChangeContext {
        now: transaction.now,
        may_confirm: *change == Change::Tick && transaction.may_confirm(&record),
        under_way: &under_way,
        opened_at: if is_unsure {
            Timestamp::MAX
        } else {
            transaction.state.opened_at
        },
    };
    let answers = record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
    let reviews: Vec<_> = record.referral.reviews().cloned().collect();
    let is_changed = record
        .referral
        .apply(change, answers, transaction.state.matching, &moment)?;
    transaction.note_refusal();
    if is_changed && !reviews.iter().eq(record.referral.reviews()) {
        let mut involved = reviews.iter().chain(record.referral.reviews());
        transaction.note_reviews(involved.any(Review::is_published));
    }
    let is_over = record.referral.is_over(transaction.now);
    let entry = transaction.rows.inquiries.entry(id).or_default();
    let mut is_let_go = false;
    if let Change::Settle(number, _) = change {
        is_let_go = entry.leases.end(*number);
    }
    if is_changed || is_over {
        entry.referral = (!is_over).then(|| record.referral.clone());
    }
    match change {
        Change::Review(_, None) if is_changed => transaction.changes.has_traces = true,
        Change::Withdraw if record.inquiry.take().is_some() => {
            entry.inquiry = None;
            transaction.changes.removed.insert(id);
            transaction.changes.erased.insert(id);
        }
        // It is no longer suspected spam.
        Change::Release(_) if let Some(inquiry) = &mut record.inquiry => {
            inquiry.suspected = false;
            entry.inquiry = Some(inquiry.clone());
            transaction.changes.inquiries.insert(id);
        }
        _ => {}
    }
    if let Change::Accept(number) | Change::AcceptAt(number, _) = change
        && is_changed
        && let Some(asked) = record.referral.firm(*number)
    {
        transaction.note_acceptance(id, &asked.firm);
    }
    if is_changed || is_over {
        transaction.save_referral(id);
    } else if is_let_go {
        transaction.changes.leased.insert(id);
        transaction.changes.has_due = true;
    }
    Ok(record)
}

impl Transaction<'_> {
    /// Tells operator, visitor and the first firms of an inquiry.
    pub fn begin(&mut self, referral: &mut Referral, answers: &Answers, quota: &ConfirmationQuota) {
        let moment = ChangeContext {
            now: self.now,
            may_confirm: self.state.matching.policy.visitor_mail && self.may_send(quota),
            under_way: &[],
            opened_at: self.state.opened_at,
        };
        referral.begin(answers, self.state.matching, &moment);
    }

    /// Returns whether the visitor of a released inquiry, which begins now, gets a confirmation, and counts it if so.
    fn may_confirm(&mut self, record: &InquiryRecord) -> bool {
        match (&record.inquiry, record.referral.status) {
            (Some(inquiry), Status::Released(_)) if self.state.matching.policy.visitor_mail => {
                let address = inquiry.answers.email_address.as_str();
                self.may_send(&ConfirmationQuota::inquiries(self.state.secret, address))
            }
            _ => false,
        }
    }
}
