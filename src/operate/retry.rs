//! What an operator changes about inquiries, deliveries and firms.

use std::sync::Arc;

use tokio::task::JoinSet;
use uuid::Uuid;

use super::request::Retried;
use crate::domain::matching::FirmId;
use crate::domain::referral::{Change, DeliveryId, DeliveryState, InquiryRecord, Pausing, Refusal};
use crate::store::{PauseEnd, Store, TimeRange, Unavailable, UpdateError};

/// How many changes are in flight at once: the store commits them together.
const AT_ONCE: usize = 64;

/// What came of a change: the reason if nothing was changed.
type Changed<T> = Result<Result<T, Refusal>, Unavailable>;

/// Changes an inquiry.
///
/// # Errors
/// When the store cannot be written.
pub async fn change(store: &Store, id: Uuid, change: Change) -> Changed<()> {
    Ok(changed(store, id, change).await?.map(drop))
}

/// As [`change`]; returns what is known of the inquiry then.
///
/// # Errors
/// As there.
pub async fn changed(store: &Store, id: Uuid, change: Change) -> Changed<InquiryRecord> {
    match store.update(id, change).await {
        Ok(record) => Ok(Ok(record)),
        Err(UpdateError::Refused(refusal)) => Ok(Err(refusal)),
        Err(UpdateError::Unavailable) => Err(Unavailable),
    }
}

/// Pauses a firm, and passes on what it was asked and has not answered; returns how many inquiries those were.
///
/// # Errors
/// When the store cannot be written.
pub async fn pause(store: &Store, firm: FirmId, end: PauseEnd) -> Changed<u64> {
    if !store.pause(firm.clone(), end).await? {
        return Ok(Err(Refusal::UnknownFirm));
    }
    Ok(Ok(store.pass_on(&firm, Pausing::Begins).await?))
}

/// Tries a delivery now that waits for later, has failed or is held; `None` for all of them, which also lets go on what stands
/// still after a restore.
///
/// # Errors
/// When the store cannot be written.
pub async fn retry(store: &Arc<Store>, delivery: Option<DeliveryId>) -> Changed<Retried> {
    let Some(id) = delivery else {
        return retry_all(store).await.map(Ok);
    };
    let one = Retried {
        deliveries: 1,
        inquiries: 0,
    };
    // One of the newsletter has no inquiry.
    if store.retry_subscription(id).await? {
        return Ok(Ok(one));
    }
    let changed = change(store, id.inquiry, Change::Retry(Some(id.number))).await?;
    Ok(changed.map(|()| one))
}

/// Tries all deliveries of an inquiry now that wait for later, have failed or are held.
///
/// # Errors
/// When the store cannot be written.
pub async fn retry_inquiry(store: &Store, id: Uuid) -> Changed<Retried> {
    let Some(before) = store.record(id).await? else {
        return Ok(Err(Refusal::NotFailed));
    };
    let changed = changed(store, id, Change::Retry(None)).await?;
    Ok(changed.map(|after| Retried {
        deliveries: made_due(&before, &after),
        inquiries: 0,
    }))
}

async fn retry_all(store: &Arc<Store>) -> Result<Retried, Unavailable> {
    let held_since = store.facts().await?.held_since;
    let mut retried = Retried::default();
    let mut records = store.records(TimeRange::default()).await?;
    let mut under_way = JoinSet::new();
    while let Some(record) = records.next().await? {
        let is_held = record.received_at() < held_since;
        retried.inquiries += u64::from(is_held && record.referral.goes_on_by_clock());
        if record.referral.count(DeliveryState::can_be_retried) == 0 {
            continue;
        }
        if under_way.len() == AT_ONCE {
            retried.deliveries += next(&mut under_way).await?;
        }
        let store = Arc::clone(store);
        under_way.spawn(async move {
            let updated = store.update(record.id, Change::Retry(None)).await;
            (record, updated)
        });
    }
    while !under_way.is_empty() {
        retried.deliveries += next(&mut under_way).await?;
    }
    retried.deliveries += retry_subscriptions(store).await?;
    if held_since.is_some() {
        store.go_on().await?;
    }
    Ok(retried)
}

/// Tries all mails of the newsletter now that wait for later, have failed or are held; returns their number.
async fn retry_subscriptions(store: &Store) -> Result<u64, Unavailable> {
    let mut subscriptions = store.subscriptions().await?;
    let mut count = 0;
    while let Some(subscription) = subscriptions.next().await? {
        if subscription.delivery.state.can_be_retried() {
            let id = subscription.delivery_id(store.subscription_key(&subscription.email));
            count += u64::from(store.retry_subscription(id).await?);
        }
    }
    Ok(count)
}

/// What an update that was spawned returns: the inquiry as it was before, and what came of it.
type Update = (InquiryRecord, Result<InquiryRecord, UpdateError>);

async fn next(under_way: &mut JoinSet<Update>) -> Result<u64, Unavailable> {
    match under_way.join_next().await {
        None | Some(Ok((_, Err(UpdateError::Refused(_))))) => Ok(0),
        Some(Ok((before, Ok(after)))) => Ok(made_due(&before, &after)),
        Some(Ok((_, Err(UpdateError::Unavailable))) | Err(_)) => Err(Unavailable),
    }
}

/// Returns how many deliveries an update has made due. Others may have been added or ended meanwhile.
fn made_due(before: &InquiryRecord, after: &InquiryRecord) -> u64 {
    let before = &before.referral.deliveries;
    let after = after.referral.deliveries.iter().enumerate();
    let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
    retried.count() as u64
}
