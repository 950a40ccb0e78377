//! Subscriptions to the newsletter, by double opt-in: nothing is kept for good before the subscriber has confirmed it by
//! a link that only their mailbox knows.

mod subscription;

pub use subscription::{CONFIRM_WITHIN, Subscription, SubscriptionState};
