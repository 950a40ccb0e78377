//! What operations on referrals have in common.

use crate::inquiry::Answers;
use crate::referral::{Due, Moment, Referral};
use crate::store::confirmation;
use crate::store::redb::referrals;
use crate::store::redb::schema::Id;
use crate::store::redb::transaction::Transaction;

/// Returns whether one more confirmation may go to an address, and counts it if so.
pub fn may_confirm(transaction: &mut Transaction<'_>, address: &str) -> bool {
    let key = confirmation::address_key(transaction.memory.secret, address);
    transaction.memory.confirmations.may_send(&key, transaction.now)
}

/// Tells operator, visitor and the first firms of an inquiry.
pub fn begin(
    transaction: &mut Transaction<'_>,
    referral: &mut Referral,
    answers: &Answers,
    address_key: &Id,
) {
    let now = transaction.now;
    let may_confirm = transaction.memory.desk.plan.visitor_mail
        && transaction.memory.confirmations.may_send(address_key, now);
    let moment = Moment {
        now,
        may_confirm,
        under_way: &[],
        opened_at: transaction.memory.opened_at,
    };
    referral.begin(answers, transaction.memory.desk, &moment);
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
        &mut transaction.due,
        id,
        referral,
        due_before,
    )
}
