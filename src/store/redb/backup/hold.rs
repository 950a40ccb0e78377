//! Holding back what waited when a backup was made: the lost store may have sent it since.

use jiff::Timestamp;
use redb::{ReadableTable, TableDefinition, WriteTransaction};
use uuid::Uuid;

use crate::referral::Delivery;
use crate::store::core::Fact;
use crate::store::core::{referral_record, subscription_record};
use crate::store::erased_list::Erased;
use crate::store::redb::schema::{Id, META, REFERRALS, SUBSCRIPTIONS, millis};

/// Records changed between two reads, so that memory does not depend on how many there are.
const AT_ONCE: usize = 256;

/// What is held back, but for inquiries that are about to be erased.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeldBack {
    /// Deliveries that wait.
    pub deliveries: u64,
    /// Inquiries that stand still: their firms are not asked yet, or their answers may be overdue when the server starts.
    pub inquiries: u64,
}

/// Holds back everything that waits in a file, until the operator says otherwise; returns how much that is.
pub fn hold(file: &WriteTransaction, now: Timestamp, erased: &Erased) -> Result<HeldBack, redb::Error> {
    let mut held = HeldBack::default();
    let mut is_held = false;
    change(file, REFERRALS, |id, value| {
        let mut referral = referral_record::decode(id, value)?;
        let goes_on = referral.goes_on_by_clock();
        let count = hold_all(&mut referral.deliveries, now);
        is_held |= count > 0 || goes_on;
        if !erased.contains_key(&Uuid::from_bytes(*id)) {
            held.deliveries += count;
            held.inquiries += u64::from(goes_on);
        }
        Ok((count > 0)
            .then(|| referral_record::encode(id, &referral))
            .transpose()?)
    })?;
    change(file, SUBSCRIPTIONS, |_, value| {
        let mut subscription = subscription_record::decode(value)?;
        let count = hold_all(std::slice::from_mut(&mut subscription.delivery), now);
        is_held |= count > 0;
        held.deliveries += count;
        Ok((count > 0)
            .then(|| subscription_record::encode(&subscription))
            .transpose()?)
    })?;
    if is_held {
        file.open_table(META)?
            .insert(Fact::Suspended.name(), millis(now))?;
    }
    Ok(held)
}

fn hold_all(deliveries: &mut [Delivery], now: Timestamp) -> u64 {
    let mut held = 0;
    for delivery in deliveries.iter_mut().filter(|delivery| delivery.due().is_some()) {
        delivery.hold(now);
        held += 1;
    }
    held
}

/// Puts what `changed` returns in the place of values.
fn change(
    file: &WriteTransaction,
    table: TableDefinition<'_, &'static Id, &'static [u8]>,
    mut changed: impl FnMut(&Id, &[u8]) -> Result<Option<Vec<u8>>, redb::Error>,
) -> Result<(), redb::Error> {
    let mut table = file.open_table(table)?;
    let mut next = Some(Id::default());
    while let Some(first) = next.take() {
        let mut new = Vec::new();
        for (read, entry) in table.range::<&Id>(&first..)?.enumerate() {
            let (id, value) = entry?;
            let id = *id.value();
            if read == AT_ONCE {
                next = Some(id);
                break;
            }
            new.extend(changed(&id, value.value())?.map(|value| (id, value)));
        }
        for (id, value) in new {
            table.insert(&id, value.as_slice())?;
        }
    }
    Ok(())
}
