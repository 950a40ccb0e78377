//! What operations on referrals have in common.

use crate::inquiry::Answers;
use crate::referral::{Due, Moment, Referral};
use crate::store::redb::confirmations;
use crate::store::redb::referrals;
use crate::store::redb::schema::Id;
use crate::store::redb::transaction::Transaction;

/// What the keyed digests of addresses that got a confirmation are for.
const CONFIRMATION: &[u8] = b"confirmation";

/// Returns whether one more confirmation may go to an address, and counts it if so.
pub fn may_confirm(transaction: &mut Transaction<'_>, address: &str) -> Result<bool, redb::Error> {
    let key = transaction.memory.secret.address_key(CONFIRMATION, address);
    confirmations::may_confirm(transaction.confirmations.open()?, &key, transaction.now)
}

/// Tells operator, visitor and the first firms of an inquiry.
pub fn begin(
    transaction: &mut Transaction<'_>,
    referral: &mut Referral,
    answers: &Answers,
) -> Result<(), redb::Error> {
    let may_confirm = transaction.memory.desk.plan.visitor_mail
        && may_confirm(transaction, answers.email_address.as_str())?;
    let moment = Moment {
        now: transaction.now,
        may_confirm,
        under_way: &[],
        opened_at: transaction.memory.opened_at,
    };
    referral.begin(answers, transaction.memory.desk, &moment);
    Ok(())
}

/// Stores a referral in place of what it was before.
pub fn store(
    transaction: &mut Transaction<'_>,
    id: &Id,
    referral: &Referral,
    due_before: Due,
) -> Result<(), redb::Error> {
    transaction.effects.has_due |= referral.due() != due_before;
    referrals::write(
        transaction.referrals.open()?,
        transaction.due.open()?,
        id,
        referral,
        due_before,
    )
}
