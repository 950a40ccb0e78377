//! Subscriptions to the newsletter.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::control::operation::Operation;
use crate::control::packed::{pack, unpack};
use crate::newsletter::Subscription;
use crate::store::{Store, Unavailable};

/// Ends the subscription of an address; answers whether there was one.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSubscription {
    /// The address; letter case does not matter.
    pub email: String,
}

/// A subscription, and what names it in the addresses of its pages.
#[derive(Debug, Serialize, Deserialize)]
pub struct FoundSubscription {
    packed: String,
    /// Names the subscription.
    key: [u8; 16],
    /// Names it in the address of the page that ends it.
    pub token: String,
}

impl FoundSubscription {
    /// Prepares one for a command.
    pub fn new(subscription: &Subscription, store: &Store) -> Self {
        let key = store.subscription_key(&subscription.email);
        Self {
            packed: pack(subscription),
            key,
            token: store.secret().newsletter_token(key),
        }
    }

    /// Returns what names the subscription.
    pub fn key(&self) -> [u8; 16] {
        self.key
    }

    /// Returns the subscription; `None` if it is not understood.
    pub fn read(&self) -> Option<Subscription> {
        unpack(&self.packed)
    }
}

impl Operation for EndSubscription {
    const PATH: &'static str = "/subscription/end";
    const CHANGES: bool = true;
    type Answer = bool;

    async fn run(self, store: Arc<Store>) -> Result<bool, Unavailable> {
        store.unsubscribe(store.subscription_key(&self.email)).await
    }
}
