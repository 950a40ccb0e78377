//! Applies a new configuration.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::config::Handling;
use crate::referral::Plan;
use crate::site::Promises;
use crate::store::Store;

/// Pause before a store that could not take a plan is asked again.
const RETRY: Duration = Duration::from_secs(5);

/// Hands each new plan to the store, and then by `plan` to the pages. Ends only when the configuration is read no more.
pub async fn keep_following(
    mut handling: watch::Receiver<Arc<Handling>>,
    store: Option<Arc<Store>>,
    plan: watch::Sender<Arc<Plan>>,
) {
    let promises = Promises::of(&handling.borrow(), false);
    while handling.changed().await.is_ok() {
        let current = Arc::clone(&handling.borrow_and_update());
        let next = Arc::new(current.plan());
        // They are filled once. Filling them again would not reach what visitors have open.
        if Promises::of(&current, false) != promises {
            tracing::warn!(
                "pages such as /datenschutz still say what the former configuration did; restart so that they follow"
            );
        }
        if let Some(store) = &store {
            while store.follow(Arc::clone(&next)).is_err() {
                tracing::error!("the store could not take the new configuration; trying again");
                tokio::time::sleep(RETRY).await;
            }
        }
        plan.send_replace(next);
    }
}
