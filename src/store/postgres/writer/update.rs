//! Changing a referral.

use jiff::Timestamp;
use uuid::Uuid;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::Transaction;
use crate::inquiry::Answers;
use crate::referral::{Change, Dossier, Moment, Outcome, Plan, Referral, Refusal, Status};
use crate::store::confirmation::Quota;
use crate::store::error::UpdateError;
use crate::store::millis::millis;
use crate::store::postgres::error::Error;
use crate::store::postgres::holds::{Held, LetGo};
use crate::store::postgres::leases::Leases;
use crate::store::record;
use crate::store::update::Update;

impl Operation for Update {
    type Reply = Result<Dossier, UpdateError>;

    fn gather(&self, needs: &mut Needs, plan: &Plan) {
        needs.reads = true;
        needs.dossiers.insert(self.id);
        needs.turns |= match self.change {
            Change::Accept(_) | Change::Decline(_) | Change::Settle(_, Outcome::Failed { .. }) => {
                !plan.firms.is_empty()
            }
            Change::Release | Change::Tick => !plan.firms.is_empty() || plan.visitor_mail,
            Change::Add(_) | Change::Withdraw | Change::Settle(..) | Change::Retry(_) => false,
        };
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, Error> {
        if self.is_too_late() {
            return Ok(Err(UpdateError::Unavailable));
        }
        Ok(update(transaction, self.id, &self.change)?.map_err(UpdateError::Refused))
    }
}

/// Makes a change; returns what is known of the inquiry afterwards. What is released begins at once.
pub fn update(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    change: &Change,
) -> Result<Result<Dossier, Refusal>, Error> {
    let changed = apply(transaction, id, change)?;
    if changed.is_ok() && *change == Change::Release && transaction.memory.desk.is_serving {
        return apply(transaction, id, &Change::Tick);
    }
    Ok(changed)
}

fn apply(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    change: &Change,
) -> Result<Result<Dossier, Refusal>, Error> {
    let Some(entry) = transaction.dossiers.get(&id) else {
        return Ok(Err(Refusal::Unknown));
    };
    if entry.is_damaged {
        tracing::error!(inquiry = %id, "an inquiry cannot be read");
        return Ok(Err(Refusal::Damaged));
    }
    let Some(mut dossier) = entry.dossier(id) else {
        return Ok(Err(Refusal::Unknown));
    };
    let under_way = entry.leases.numbers();
    // What another instance has begun and not settled may have arrived.
    let is_unsure = match change {
        Change::Settle(number, _) => entry.leases.of(*number).is_some_and(|lease| lease.is_again),
        _ => false,
    };
    let may_confirm = *change == Change::Tick && may_confirm(transaction, &dossier);
    let moment = Moment {
        now: transaction.now,
        may_confirm,
        under_way: &under_way,
        opened_at: if is_unsure { Timestamp::MAX } else { Timestamp::MIN },
    };
    let answers = dossier.inquiry.as_ref().map(|inquiry| &inquiry.answers);
    let applied = dossier
        .referral
        .apply(change, answers, transaction.memory.desk, &moment);
    let is_changed = match applied {
        Ok(is_changed) => is_changed,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let is_over = dossier.referral.is_over(transaction.now);
    let Some(entry) = transaction.dossiers.get_mut(&id) else {
        return Ok(Err(Refusal::Unknown));
    };
    let mut is_let_go = false;
    if let Change::Settle(number, _) = change {
        is_let_go = entry.leases.of(*number).is_some();
        entry.leases.end(*number);
    }
    if is_over {
        entry.referral = None;
        transaction.store(id)?;
    } else if is_changed || is_let_go {
        entry.referral = Some(dossier.referral.clone());
        transaction.store(id)?;
    }
    match change {
        Change::Withdraw if dossier.inquiry.take().is_some() => {
            transaction.changes.removed_inquiries.insert(id);
            transaction.changes.erased.insert(id);
            if let Some(entry) = transaction.dossiers.get_mut(&id) {
                entry.inquiry = None;
            }
        }
        Change::Release => clear_mark(transaction, id, &mut dossier)?,
        _ => {}
    }
    Ok(Ok(dossier))
}

/// Returns whether the visitor of a released inquiry, which begins now, gets a confirmation, and counts it if so.
fn may_confirm(transaction: &mut Transaction<'_>, dossier: &Dossier) -> bool {
    match (&dossier.inquiry, dossier.referral.status) {
        (Some(inquiry), Status::Released(_)) if transaction.memory.desk.plan.visitor_mail => {
            let email = inquiry.answers.email_address.as_str();
            let quota = Quota::inquiries(transaction.memory.secret, email);
            may_send(transaction, &quota)
        }
        _ => false,
    }
}

/// Takes the mark of a robot's from an inquiry.
fn clear_mark(transaction: &mut Transaction<'_>, id: Uuid, dossier: &mut Dossier) -> Result<(), Error> {
    if let Some(inquiry) = &mut dossier.inquiry {
        inquiry.suspected = false;
        let damaged = |_| crate::store::damaged::Damaged("an inquiry cannot be written");
        let value = record::encode_stored(inquiry).map_err(damaged)?;
        transaction.changes.changed_inquiries.insert(id, value);
        if let Some(entry) = transaction.dossiers.get_mut(&id) {
            entry.inquiry = Some(inquiry.clone());
        }
    }
    Ok(())
}

/// Returns whether one more confirmation may be sent, and counts it if so.
pub fn may_send(transaction: &mut Transaction<'_>, quota: &Quota) -> bool {
    let may_send = match transaction.confirmations.get(&quota.key) {
        Some(sent) => sent.may_send(quota, transaction.now),
        None => transaction.memory.room.take(),
    };
    if may_send {
        let sent = transaction.confirmations.entry(quota.key).or_default();
        sent.note(millis(transaction.now));
        transaction.changes.confirmations.insert(quota.key);
    }
    may_send
}

/// Tells operator, visitor and the first firms of an inquiry.
pub fn begin(transaction: &mut Transaction<'_>, referral: &mut Referral, answers: &Answers, quota: &Quota) {
    let may_confirm = transaction.memory.desk.plan.visitor_mail && may_send(transaction, quota);
    let moment = Moment {
        now: transaction.now,
        may_confirm,
        under_way: &[],
        opened_at: Timestamp::MIN,
    };
    referral.begin(answers, transaction.memory.desk, &moment);
}

/// Keeps leases of this instance from running out, and gives back those that were let go.
pub struct Renew {
    /// What is still tried.
    pub held: Vec<Held>,
    /// What it no longer tries.
    pub let_go: LetGo,
}

impl Operation for Renew {
    type Reply = ();

    fn gather(&self, needs: &mut Needs, _: &Plan) {
        needs.reads = true;
        needs.time = true;
        let let_go = self.let_go.begun.iter().chain(&self.let_go.unused);
        for held in self.held.iter().chain(let_go) {
            match held {
                Held::Inquiry(id) => needs.dossiers.insert(id.inquiry),
                Held::Subscription(key) => needs.subscriptions.insert(*key),
            };
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), Error> {
        let now = transaction.now;
        let later = now
            .saturating_add(crate::store::postgres::leases::LEASE)
            .unwrap_or(now);
        let holder = transaction.memory.holder;
        let renew = |until| move |leases: &mut Leases, number| leases.renew(number, holder, until);
        let give_back = |leases: &mut Leases, number| leases.give_back(number, holder, now);
        change_leases(transaction, &self.held, renew(later))?;
        change_leases(transaction, &self.let_go.begun, renew(now))?;
        change_leases(transaction, &self.let_go.unused, give_back)
    }
}

/// Changes leases by a function that gets the number of each, and returns whether there was anything to change.
fn change_leases(
    transaction: &mut Transaction<'_>,
    held: &[Held],
    change: impl Fn(&mut Leases, u16) -> bool,
) -> Result<(), Error> {
    for held in held {
        match held {
            Held::Inquiry(id) => {
                let entry = transaction.dossiers.get_mut(&id.inquiry);
                if entry.is_some_and(|entry| !entry.is_damaged && change(&mut entry.leases, id.number)) {
                    transaction.store(id.inquiry)?;
                }
            }
            Held::Subscription(key) => {
                let entry = transaction.subscriptions.get_mut(key);
                if entry.is_some_and(|entry| change(&mut entry.leases, 0)) {
                    transaction.store_subscription(*key)?;
                }
            }
        }
    }
    Ok(())
}
