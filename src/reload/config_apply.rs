//! Applies a new configuration.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::config::Handling;
use crate::referral::HandlingPolicy;
use crate::site::{Site, SiteSource};
use crate::store::Store;

/// Pause before a store that could not take a policy is asked again.
const RETRY: Duration = Duration::from_secs(5);

/// What follows the configuration.
pub struct Followers {
    /// The store; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// The policy, for private pages.
    pub policy: watch::Sender<Arc<HandlingPolicy>>,
    /// The site, whose texts say what becomes of inquiries.
    pub site: watch::Sender<Arc<Site>>,
    /// What the site is made from.
    pub source: SiteSource,
}

/// Hands each new configuration to the store, and then to the pages. Ends when the configuration is no longer read.
pub async fn keep_following(handling: &mut watch::Receiver<Arc<Handling>>, followers: &Followers) {
    let Followers {
        store,
        policy,
        site,
        source,
    } = followers;
    let mut kept = source.promises(&handling.borrow());
    while handling.changed().await.is_ok() {
        let current = Arc::clone(&handling.borrow_and_update());
        let next = Arc::new(current.policy());
        if let Some(store) = store {
            while store.set_policy(Arc::clone(&next)).is_err() {
                tracing::error!("the store could not take the new configuration; trying again");
                tokio::time::sleep(RETRY).await;
            }
        }
        policy.send_replace(next);
        let promises = source.promises(&current);
        if promises == kept {
            continue;
        }
        match source.make(&promises) {
            Ok(made) => {
                site.send_replace(Arc::new(made));
                kept = promises;
                tracing::info!("the pages say what the new configuration does");
            }
            // The same files were whole at the start.
            Err(error) => tracing::error!(%error, "the pages still say what the former configuration did"),
        }
    }
}
