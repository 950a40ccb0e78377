//! Applies a new configuration.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::timeout;

use super::SiteKeeper;
use crate::config::{Handling, Sayings};
use crate::matching::day_in_hamburg;
use crate::referral::HandlingPolicy;
use crate::store::Store;

/// Pause before a store that could not take a policy is asked again.
const RETRY: Duration = Duration::from_secs(5);

/// Pause before day and pauses are looked at again: the check of a firm counts until midnight, and pages follow within two minutes.
const DAY_EVERY: Duration = Duration::from_mins(1);

/// What follows the configuration.
pub struct Followers {
    /// The store; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// The policy, for private pages.
    pub policy: watch::Sender<Arc<HandlingPolicy>>,
    /// Makes the site, whose texts say what becomes of inquiries.
    pub site: Arc<SiteKeeper>,
}

/// Hands each new configuration to the store, and then to the pages; those follow the calendar and the store's pauses, too. Ends
/// when the configuration is no longer read.
pub async fn keep_following(
    handling: &mut watch::Receiver<Arc<Handling>>,
    followers: &Followers,
    clock: fn() -> Timestamp,
) {
    let Followers { store, policy, site } = followers;
    let source = site.source();
    let today = || day_in_hamburg(clock());
    let mut paused = BTreeSet::new();
    loop {
        let is_new = match timeout(DAY_EVERY, handling.changed()).await {
            Ok(Ok(())) => true,
            Ok(Err(_)) => return,
            Err(_) => false,
        };
        let current = Arc::clone(&handling.borrow_and_update());
        if let Some(store) = store.as_deref() {
            if is_new {
                hand_over(&current, store).await;
            }
            // While the store cannot be read, what it said last holds.
            if let Ok(facts) = store.facts().await {
                paused = facts.paused_at(clock());
            }
        }
        let current = current.with_paused(&paused);
        let next = current.policy();
        policy.send_if_modified(|kept| {
            let is_other = **kept != next;
            *kept = Arc::new(next);
            is_other
        });
        match site.follow(source.promises(&current, today())).await {
            Ok(false) => {}
            Ok(true) => {
                tracing::info!("the pages say what the configuration does now");
                Sayings::of(&source.settings, &current, today()).log();
            }
            // The same files were whole at the start.
            Err(error) => tracing::error!(%error, "the pages still say what the former configuration did"),
        }
    }
}

/// Hands a new configuration to the store, however often it takes.
async fn hand_over(handling: &Handling, store: &Store) {
    let next = Arc::new(handling.policy());
    while store.set_policy(Arc::clone(&next)).is_err() {
        tracing::error!("the store could not take the new configuration; trying again");
        tokio::time::sleep(RETRY).await;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicI64, Ordering};

    use jiff::ToSpan;

    use super::*;
    use crate::config::ConfigFile;
    use crate::config::settings::SiteSettings;
    use crate::http::headers::SecurityHeaders;
    use crate::site::SiteSource;
    use crate::text::origin::Origin;

    /// What the clock shows, in seconds.
    static NOW: AtomicI64 = AtomicI64::new(0);

    fn clock() -> Timestamp {
        Timestamp::from_second(NOW.load(Ordering::Relaxed)).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn pages_follow_the_end_of_a_check() {
        let now = Timestamp::now();
        NOW.store(now.as_second(), Ordering::Relaxed);
        // Today is its last day.
        let on = day_in_hamburg(now)
            .checked_sub(1.year())
            .unwrap()
            .tomorrow()
            .unwrap();
        let toml = format!(
            "[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n[[firm]]\nid = 'a'\nname = 'A'\n\
             email = 'a@example.de'\npostal_codes = ['2']\nchecked = {{ by = 'B', on = {on}, what = ['C'] }}\n"
        );
        let file = ConfigFile::parse(&toml, Path::new("config.toml")).unwrap();
        let (_sender, mut handling) = watch::channel(Arc::new(file.handling().unwrap()));
        let settings = SiteSettings::embedded().unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let source = SiteSource {
            security_headers: SecurityHeaders::new(&settings, origin.as_str()),
            settings,
            origin,
            is_demo: false,
        };
        let promises = source.promises(&handling.borrow(), day_in_hamburg(clock()));
        assert!(promises.vetted);
        let site = Arc::new(SiteKeeper::new(source, promises, None).unwrap());
        let mut made = site.subscribe();
        let followers = Followers {
            store: None,
            policy: watch::channel(Arc::default()).0,
            site,
        };
        tokio::spawn(async move { keep_following(&mut handling, &followers, clock).await });
        // Nothing changes within the day.
        assert!(timeout(2 * DAY_EVERY, made.changed()).await.is_err());
        NOW.fetch_add(24 * 60 * 60, Ordering::Relaxed);
        timeout(Duration::from_mins(2), made.changed())
            .await
            .unwrap()
            .unwrap();
        let page = made.borrow().find("/").unwrap().body();
        assert!(
            !String::from_utf8_lossy(&page).contains("geprüfter"),
            "the page is the old one"
        );
    }
}
