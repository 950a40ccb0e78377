//! Doing with inquiries what the configuration says, also after it was read again.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::config::Handling;
use crate::referral::Plan;
use crate::store::Store;

/// Pause before a store that could not take a plan is asked again.
const RETRY: Duration = Duration::from_secs(5);

/// Hands each new plan to the store, and then by `plan` to the pages. Ends only when the configuration is read no more.
pub async fn keep_following(
    mut handling: watch::Receiver<Arc<Handling>>,
    store: Option<Arc<Store>>,
    plan: watch::Sender<Arc<Plan>>,
) {
    while handling.changed().await.is_ok() {
        let next = Arc::new(handling.borrow_and_update().plan());
        if let Some(store) = &store {
            while store.follow(Arc::clone(&next)).is_err() {
                tracing::error!("the store could not take the new configuration; trying again");
                tokio::time::sleep(RETRY).await;
            }
        }
        plan.send_replace(next);
    }
}
