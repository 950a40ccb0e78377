//! What an operator changes about referrals.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::control::operation::Operation;
use crate::referral::{Change, Delivery, DeliveryId, Dossier};
use crate::store::{Store, TimeRange, Unavailable, UpdateError};

/// Changes that are on their way at once: the store commits them together.
const AT_ONCE: usize = 64;

/// Says that a suspected inquiry is no robot's.
#[derive(Debug, Serialize, Deserialize)]
pub struct Release {
    id: String,
}

/// Tries deliveries now that wait for later, have failed or are held.
#[derive(Debug, Serialize, Deserialize)]
pub struct Retry {
    /// The id of one; `None` for all.
    delivery: Option<String>,
}

/// What came of a change.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// So many were changed.
    Done(u64),
    /// All that could be was let go.
    LetGo {
        /// Deliveries that are tried again.
        deliveries: u64,
        /// Inquiries that stood still since the store was restored.
        inquiries: u64,
    },
    /// Nothing was, for this reason.
    Refused(String),
}

impl Release {
    /// Asks for the inquiry with an id.
    pub fn of(id: Uuid) -> Self {
        Self { id: id.to_string() }
    }
}

impl Retry {
    /// Asks for the delivery with an id.
    pub fn of(id: DeliveryId) -> Self {
        Self {
            delivery: Some(id.to_string()),
        }
    }

    /// Asks for all deliveries.
    pub fn all() -> Self {
        Self { delivery: None }
    }
}

impl Operation for Release {
    const PATH: &'static str = "/release";
    const CHANGES: bool = true;
    type Answer = Changed;

    async fn run(self, store: Arc<Store>) -> Result<Changed, Unavailable> {
        match self.id.parse() {
            Ok(id) => change(&store, id, Change::Release).await,
            Err(_) => Ok(Changed::Refused("this is not the id of an inquiry".to_owned())),
        }
    }
}

impl Operation for Retry {
    const PATH: &'static str = "/retry";
    const CHANGES: bool = true;
    type Answer = Changed;

    async fn run(self, store: Arc<Store>) -> Result<Changed, Unavailable> {
        let Some(delivery) = self.delivery else {
            return retry_all(&store).await;
        };
        match delivery.parse::<DeliveryId>() {
            // One of the newsletter has no inquiry.
            Ok(id) if store.retry_subscription(id).await? => Ok(Changed::Done(1)),
            Ok(id) => change(&store, id.inquiry, Change::Retry(Some(id.number))).await,
            Err(wrong) => Ok(Changed::Refused(wrong.to_string())),
        }
    }
}

async fn change(store: &Store, id: Uuid, change: Change) -> Result<Changed, Unavailable> {
    match store.update(id, change).await {
        Ok(_) => Ok(Changed::Done(1)),
        Err(UpdateError::Refused(refusal)) => Ok(Changed::Refused(refusal.to_string())),
        Err(UpdateError::Unavailable) => Err(Unavailable),
    }
}

/// Tries all deliveries now that wait for later, have failed or are held, and lets go what was held after a restore.
async fn retry_all(store: &Arc<Store>) -> Result<Changed, Unavailable> {
    let held_since = store.facts().await?.held_since;
    let mut inquiries = 0;
    let mut dossiers = store.snapshot().await?.into_dossiers(TimeRange::default());
    let mut under_way = JoinSet::new();
    let mut count = 0;
    while let Some(dossier) = dossiers.next().await? {
        let is_held = dossier.received_at() < held_since;
        inquiries += u64::from(is_held && dossier.referral.goes_on_by_clock());
        if !dossier.referral.deliveries.iter().any(Delivery::can_be_retried) {
            continue;
        }
        if under_way.len() == AT_ONCE {
            count += next(&mut under_way).await?;
        }
        let store = Arc::clone(store);
        under_way.spawn(async move {
            let updated = store.update(dossier.id, Change::Retry(None)).await;
            (dossier, updated)
        });
    }
    while !under_way.is_empty() {
        count += next(&mut under_way).await?;
    }
    count += retry_subscriptions(store).await?;
    if held_since.is_some() {
        store.go_on().await?;
    }
    Ok(Changed::LetGo {
        deliveries: count,
        inquiries,
    })
}

/// Tries all mails of the newsletter now that wait for later, have failed or are held; returns their number.
async fn retry_subscriptions(store: &Store) -> Result<u64, Unavailable> {
    let mut subscriptions = store.subscriptions().await?;
    let mut count = 0;
    while let Some(subscription) = subscriptions.next().await? {
        if subscription.delivery.can_be_retried() {
            let id = subscription.delivery_id(store.subscription_key(&subscription.email));
            count += u64::from(store.retry_subscription(id).await?);
        }
    }
    Ok(count)
}

/// What an update that was spawned returns: what it is about, as it was before, and what came of it.
type Update = (Dossier, Result<Dossier, UpdateError>);

async fn next(under_way: &mut JoinSet<Update>) -> Result<u64, Unavailable> {
    match under_way.join_next().await {
        None | Some(Ok((_, Err(UpdateError::Refused(_))))) => Ok(0),
        Some(Ok((before, Ok(after)))) => Ok(retried(&before, &after)),
        Some(Ok((_, Err(UpdateError::Unavailable))) | Err(_)) => Err(Unavailable),
    }
}

/// Returns how many deliveries an update has made due. Beside it others may have come about, or ended.
fn retried(before: &Dossier, after: &Dossier) -> u64 {
    let before = &before.referral.deliveries;
    let after = after.referral.deliveries.iter().enumerate();
    let retried = after.filter(|(at, after)| after.was_retried() && before.get(*at) != Some(*after));
    retried.count() as u64
}
