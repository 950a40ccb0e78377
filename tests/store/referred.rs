//! Inquiries on their way to operator and firms.

use std::sync::Arc;

use taubenabwehr::inquiry::Inquiry;
use taubenabwehr::referral::{Dossier, Lane, Message, Outcome, Plan};
use taubenabwehr::store::{Claim, Store};

use crate::engines::Engine;
use crate::support::*;

pub fn store_with(engine: &impl Engine, clock: &FakeClock, plan: Plan) -> Store {
    let store = engine.open_with(clock);
    store.follow(Arc::new(plan)).unwrap();
    store
}

pub async fn insert(store: &Store, number: u64) -> Inquiry {
    store
        .put(sample(number), key(&format!("key-{number}")))
        .await
        .unwrap()
}

pub async fn dossier(store: &Store, inquiry: &Inquiry) -> Dossier {
    store.dossier(inquiry.id).await.unwrap().unwrap()
}

pub fn asked(dossier: &Dossier) -> Vec<(&str, &str)> {
    let asked = dossier.referral.asked.iter();
    asked
        .map(|asked| (asked.firm.as_str(), asked.answer.id()))
        .collect()
}

pub fn waiting(dossier: &Dossier) -> Vec<Message> {
    let waiting = dossier
        .referral
        .deliveries
        .iter()
        .filter(|delivery| delivery.due().is_some());
    waiting.map(|delivery| delivery.message).collect()
}

/// Claims everything that is due.
pub async fn claim(store: &Store) -> Vec<Claim> {
    let mut claims = Vec::new();
    for lane in [Lane::Mail, Lane::Webhook] {
        claims.extend(store.claim(lane, 1000).await.unwrap().claims);
    }
    claims
}

pub async fn deliver_all(store: &Store) {
    for claim in claim(store).await {
        store.settle(&claim, Outcome::Delivered).await.unwrap();
    }
}
