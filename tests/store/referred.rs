//! Inquiries with their referrals.

use std::sync::Arc;

use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::referral::{
    DeliveryCertainty, Failure, HandlingPolicy, InquiryRecord, Lane, Message, Outcome,
};
use taubenabwehr::store::{LeasedDelivery, Store};

use crate::engines::Engine;
use crate::support::*;

pub fn store_with(engine: &impl Engine, clock: &FakeClock, policy: HandlingPolicy) -> Store {
    let store = engine.open_with(clock);
    store.set_policy(Arc::new(policy)).unwrap();
    store
}

/// The outcome of an attempt that failed, with the time of the next one.
pub fn failure(certainty: DeliveryCertainty, retry_at: Option<&str>) -> Failure {
    Failure {
        reason: "no".to_owned(),
        certainty,
        retry_at: retry_at.map(|time| time.parse().unwrap()),
        refused: None,
    }
}

pub async fn insert(store: &Store, number: u64) -> Inquiry {
    store
        .put(sample(number), key(&format!("key-{number}")))
        .await
        .unwrap()
}

pub async fn record(store: &Store, inquiry: &Inquiry) -> InquiryRecord {
    store.record(inquiry.id).await.unwrap().unwrap()
}

pub fn asked(record: &InquiryRecord) -> Vec<(&str, &str)> {
    let asked = record.referral.asked.iter();
    asked
        .map(|asked| (asked.firm.as_str(), asked.answer.id()))
        .collect()
}

pub fn waiting(record: &InquiryRecord) -> Vec<Message> {
    let waiting = record
        .referral
        .deliveries
        .iter()
        .filter(|delivery| delivery.due().is_some());
    waiting.map(|delivery| delivery.message).collect()
}

pub async fn claim(store: &Store) -> Vec<LeasedDelivery> {
    let mut claims = Vec::new();
    for lane in [Lane::Mail, Lane::Webhook] {
        claims.extend(store.lease(lane, 1000).await.unwrap().claims);
    }
    claims
}

/// Settles all due deliveries, each by its message.
pub async fn settle_all(store: &Store, outcome: impl Fn(Message) -> Outcome) {
    for claim in claim(store).await {
        let outcome = outcome(claim.delivery.message);
        store.settle(&claim, outcome).await.unwrap();
    }
}

pub async fn deliver_all(store: &Store) {
    settle_all(store, |_| Ok(())).await;
}
