//! Applies a new configuration.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::SiteKeeper;
use crate::base::text::berlin;
use crate::config::{Handling, Sayings};
use crate::domain::matching::FirmId;

/// Pause before a store that could not take a policy is asked again.
const RETRY: Duration = Duration::from_secs(5);

/// Pause before day and pauses are looked at again: the check of a firm counts until midnight, and pages follow within two minutes.
const DAY_EVERY: Duration = Duration::from_mins(1);

impl SiteKeeper {
    /// Hands each new configuration to the store, and then to the pages; those follow the calendar and the store's pauses, too. Ends
    /// when the configuration is no longer read.
    pub async fn keep_following(
        &self,
        handling: &mut watch::Receiver<Arc<Handling>>,
        clock: fn() -> Timestamp,
    ) {
        let mut paused = BTreeSet::new();
        loop {
            let is_new = match timeout(DAY_EVERY, handling.changed()).await {
                Ok(Ok(())) => true,
                Ok(Err(_)) => return,
                Err(_) => false,
            };
            let current = Arc::clone(&handling.borrow_and_update());
            if let Some(store) = self.store.as_deref() {
                while is_new && store.set_policy(Arc::new(current.policy())).is_err() {
                    tracing::error!("the store could not take the new configuration; trying again");
                    sleep(RETRY).await;
                }
                // While the store cannot be read, what it said last holds.
                if let Ok(facts) = store.facts().await {
                    paused = facts.paused_at(clock());
                }
            }
            self.follow(&current, &paused, berlin::day(clock()));
        }
    }

    /// Has pages say what the configuration does. A pause that is not in the file keeps a firm from being asked, so that pages promise
    /// nothing of it; the policy follows the file.
    fn follow(&self, current: &Handling, paused: &BTreeSet<FirmId>, today: Date) {
        let next = current.policy();
        self.policy.send_if_modified(|kept| {
            let is_other = **kept != next;
            *kept = Arc::new(next);
            is_other
        });
        let asked = current.with_paused(paused);
        if self.promise(self.source.promises(&asked, today)) {
            tracing::info!("the pages say what the configuration does now");
            Sayings::of(&self.source.settings, &asked, today).log();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicI64, Ordering};

    use jiff::ToSpan;

    use super::*;
    use crate::base::text::origin::Origin;
    use crate::config::ConfigFile;
    use crate::config::settings::SiteSettings;
    use crate::site::SiteSource;
    use crate::site::http::headers::SecurityHeaders;
    use crate::site::templates::PageKind;

    /// What the clock shows, in seconds.
    static NOW: AtomicI64 = AtomicI64::new(0);

    fn clock() -> Timestamp {
        Timestamp::from_second(NOW.load(Ordering::Relaxed)).unwrap()
    }

    /// Returns a configuration with these `[[firm]]` tables.
    fn configured(firms: &str) -> Arc<Handling> {
        let toml = format!("[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n{firms}");
        let file = ConfigFile::parse(&toml, Path::new("config.toml")).unwrap();
        Arc::new(file.handling().unwrap())
    }

    /// Returns the site of the sample operator.
    fn site(handling: &Handling) -> Arc<SiteKeeper> {
        let settings = SiteSettings::embedded().unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let source = SiteSource {
            security_headers: SecurityHeaders::new(&settings, origin.as_str()),
            settings,
            origin,
            is_demo: false,
        };
        Arc::new(SiteKeeper::new(source, handling, None).unwrap())
    }

    #[tokio::test]
    async fn a_pause_by_hand_changes_promises_and_not_what_the_file_says() {
        let today = berlin::day(Timestamp::now());
        let firm = |id: &str, more: &str| {
            format!(
                "[[firm]]\nid = '{id}'\nname = '{id}'\nemail = 'a@example.de'\npostal_codes = ['2']\n{more}"
            )
        };
        let checked = format!("checked = {{ by = 'B', on = {today}, what = ['C'] }}\n");
        let handling = configured(&(firm("sued", "") + &firm("nord", &checked)));
        let site = site(&handling);
        let calls_vetted = || {
            let page = site.site();
            let page = page.templates().page(PageKind::Gone, &serde_json::json!({}));
            page.unwrap().contains("geprüfter Fachbetriebe")
        };
        let said = site.policy();
        let sued = BTreeSet::from([FirmId::parse("sued").unwrap()]);
        for (paused, expected) in [(BTreeSet::new(), false), (sued, true), (BTreeSet::new(), false)] {
            site.follow(&handling, &paused, today);
            assert_eq!(calls_vetted(), expected, "{paused:?}");
            assert_eq!(**said.borrow(), handling.policy(), "{paused:?}");
            assert!(!said.has_changed().unwrap(), "{paused:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn pages_follow_the_end_of_a_check() {
        let now = Timestamp::now();
        NOW.store(now.as_second(), Ordering::Relaxed);
        // Today is its last day.
        let on = berlin::day(now)
            .checked_sub(1.year())
            .unwrap()
            .tomorrow()
            .unwrap();
        let (_sender, mut handling) = watch::channel(configured(&format!(
            "[[firm]]\nid = 'a'\nname = 'A'\nemail = 'a@example.de'\npostal_codes = ['2']\n\
             checked = {{ by = 'B', on = {on}, what = ['C'] }}\n"
        )));
        let site = site(&handling.borrow());
        let keeper = Arc::clone(&site);
        let says_vetted = || {
            let page = keeper.site().find("/").unwrap().body();
            String::from_utf8_lossy(&page).contains("geprüfter")
        };
        tokio::spawn(async move { site.keep_following(&mut handling, clock).await });
        // Nothing changes within the day.
        sleep(2 * DAY_EVERY).await;
        assert!(says_vetted());
        NOW.fetch_add(24 * 60 * 60, Ordering::Relaxed);
        sleep(Duration::from_mins(2)).await;
        assert!(!says_vetted(), "the page is the old one");
    }
}
