//! Changing a referral.

use redb::ReadableTable;
use uuid::Uuid;

use super::operation::Operation;
use super::referrals as common;
use crate::referral::{Change, Dossier, Moment, Referral, Refusal, Status};
use crate::store::confirmation::Quota;
use crate::store::error::UpdateError;
use crate::store::record;
use crate::store::redb::error::damaged;
use crate::store::redb::referrals;
use crate::store::redb::schema::Id;
use crate::store::redb::transaction::Transaction;
use crate::store::update::Update;

impl Operation for Update {
    type Reply = Result<Dossier, UpdateError>;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, redb::Error> {
        if self.is_too_late() {
            return Ok(Err(UpdateError::Unavailable));
        }
        // Before anything is written, so that others in the same batch do not suffer.
        if self.change == Change::Withdraw
            && transaction.inquiries.get(self.id.as_bytes())?.is_some()
            && let Err(error) = transaction.memory.erased.note(self.id, transaction.now)
        {
            tracing::error!(%error, "an inquiry was not withdrawn, because erased.jsonl cannot be written");
            return Ok(Err(UpdateError::Unavailable));
        }
        let updated = update(transaction, self.id, &self.change)?;
        Ok(updated.map_err(UpdateError::Refused))
    }
}

/// Makes a change; returns what is known of the inquiry afterwards. What is released begins at once.
pub fn update(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    change: &Change,
) -> Result<Result<Dossier, Refusal>, redb::Error> {
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
) -> Result<Result<Dossier, Refusal>, redb::Error> {
    let mut dossier = match read(transaction, id)? {
        Ok(Some(dossier)) => dossier,
        Ok(None) => return Ok(Err(Refusal::Unknown)),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let due_before = dossier.referral.due();
    let under_way = transaction.memory.claims.of(id);
    let may_confirm = match (&dossier.inquiry, dossier.referral.status) {
        (Some(inquiry), Status::Released(_))
            if *change == Change::Tick && transaction.memory.desk.plan.visitor_mail =>
        {
            let address = inquiry.answers.email_address.as_str();
            let quota = Quota::inquiries(transaction.memory.secret, address);
            transaction.memory.confirmations.may_send(&quota, transaction.now)
        }
        _ => false,
    };
    let moment = Moment {
        now: transaction.now,
        may_confirm,
        under_way: &under_way,
        opened_at: transaction.memory.opened_at,
    };
    let answers = dossier.inquiry.as_ref().map(|inquiry| &inquiry.answers);
    let applied = dossier
        .referral
        .apply(change, answers, transaction.memory.desk, &moment);
    let is_changed = match applied {
        Ok(is_changed) => is_changed,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let key: Id = id.into_bytes();
    if dossier.referral.is_over(transaction.now) {
        referrals::remove(
            transaction.referrals.open()?,
            &mut transaction.due,
            &key,
            due_before,
        )?;
        transaction.effects.is_changed = true;
    } else if is_changed {
        common::store(transaction, &key, &dossier.referral, due_before)?;
        transaction.effects.is_changed = true;
    }
    match change {
        Change::Withdraw if dossier.inquiry.take().is_some() => {
            transaction.inquiries.remove(&key)?;
            transaction.effects.leaves_traces = true;
        }
        Change::Release => clear_mark(transaction, &key, &mut dossier)?,
        _ => {}
    }
    Ok(Ok(dossier))
}

/// Reads everything that is known of an inquiry. What is damaged is refused: others in the same batch must not suffer.
pub fn read(
    transaction: &mut Transaction<'_>,
    id: Uuid,
) -> Result<Result<Option<Dossier>, Refusal>, redb::Error> {
    let key = id.as_bytes();
    let inquiry = transaction.inquiries.get(key)?;
    let inquiry = inquiry.map(|value| record::decode(*key, value.value()));
    let referral = transaction.referrals.open()?.get(key)?;
    let referral = referral.map(|value| referrals::decode(key, value.value()));
    let (inquiry, referral) = match (inquiry, referral) {
        (Some(None), _) | (_, Some(Err(_))) => {
            tracing::error!(inquiry = %id, "an inquiry cannot be read");
            return Ok(Err(Refusal::Damaged));
        }
        (inquiry, referral) => (inquiry.flatten(), referral.and_then(Result::ok)),
    };
    if inquiry.is_none() && referral.is_none() {
        return Ok(Ok(None));
    }
    let is_suspected = inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected);
    Ok(Ok(Some(Dossier {
        id,
        referral: referral.unwrap_or_else(|| Referral::implied(is_suspected)),
        inquiry,
    })))
}

/// Takes the mark of a robot's from an inquiry.
fn clear_mark(transaction: &mut Transaction<'_>, key: &Id, dossier: &mut Dossier) -> Result<(), redb::Error> {
    if let Some(inquiry) = &mut dossier.inquiry {
        inquiry.suspected = false;
        let value = record::encode_stored(inquiry).map_err(|_| damaged("an inquiry cannot be written"))?;
        transaction.inquiries.insert(key, value.as_slice())?;
        transaction.effects.is_changed = true;
    }
    Ok(())
}
