//! What operations on referrals have in common.

use crate::inquiry::Answers;
use crate::referral::{Due, Moment, Referral};
use crate::store::confirmation::Quota;
use crate::store::redb::referrals;
use crate::store::redb::schema::Id;
use crate::store::redb::transaction::Transaction;

/// Tells operator, visitor and the first firms of an inquiry.
pub fn begin(transaction: &mut Transaction<'_>, referral: &mut Referral, answers: &Answers, quota: &Quota) {
    let now = transaction.now;
    let may_confirm =
        transaction.memory.desk.plan.visitor_mail && transaction.memory.confirmations.may_send(quota, now);
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
