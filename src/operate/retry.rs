//! Trying deliveries again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::error::CallError;
use super::operations::Operations;
use crate::domain::referral::{Change, DeliveryId, DeliveryState, InquiryRecord, Refusal};
use crate::store::{Store, TimeRange, Unavailable, UpdateError};

/// How many changes are in flight at once: the store commits them together.
const AT_ONCE: usize = 64;

/// What goes on because the operator has said so.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Retried {
    /// Deliveries that are tried again.
    pub deliveries: u64,
    /// Inquiries that stood still since the store was restored.
    pub inquiries: u64,
}

impl Retried {
    fn of(deliveries: u64) -> Self {
        Self {
            deliveries,
            inquiries: 0,
        }
    }
}

impl Operations {
    /// Tries a delivery now that waits for later, has failed or is held.
    pub async fn retry(&self, id: DeliveryId) -> Result<Retried, CallError> {
        // One of the newsletter has no inquiry.
        if !self.store.retry_subscription(id).await? {
            let retry = Change::Retry(Some(id.number));
            self.store.update(id.inquiry, retry).await?;
        }
        Ok(Retried::of(1))
    }

    /// Tries all deliveries of an inquiry now that wait for later, have failed or are held.
    pub async fn retry_inquiry(&self, id: Uuid) -> Result<Retried, CallError> {
        let Some(before) = self.store.record(id).await? else {
            return Err(Refusal::NotFailed.into());
        };
        let after = self.store.update(id, Change::Retry(None)).await?;
        Ok(Retried::of(made_due(&before, &after)))
    }

    /// Tries all deliveries now that wait for later, have failed or are held, and lets go on what stands still after a restore.
    pub async fn retry_all(&self) -> Result<Retried, CallError> {
        Ok(retry_all(&self.store).await?)
    }
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
        Some(Ok((_, Err(UpdateError::Unavailable(_)))) | Err(_)) => Err(Unavailable),
    }
}

/// Returns how many deliveries an update has made due. Others may have been added or ended meanwhile.
fn made_due(before: &InquiryRecord, after: &InquiryRecord) -> u64 {
    let before = &before.referral.deliveries;
    let after = after.referral.deliveries.iter().enumerate();
    let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
    retried.count() as u64
}
