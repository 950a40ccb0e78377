//! Keeps the site up to date: rebuilds it when the configuration, the date or the published reviews change.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use minijinja::value::Value;
use parking_lot::RwLock;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::base::text::berlin;
use crate::config::{Handling, Sayings};
use crate::domain::matching::FirmId;
use crate::domain::referral::HandlingPolicy;
use crate::site::manifest::Manifest;
use crate::site::{BrokenSite, HOME, Promises, Site, SiteSource, reviews};
use crate::store::{Store, Unavailable};

/// How long visitors wait for the reviews. The page is useful without them.
const WAIT: Duration = Duration::from_secs(2);

/// Timeout for reading the reviews when no request waits.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often the keeper retries a failed read, and checks whether another instance has changed reviews: a published review is
/// visible everywhere within a minute.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Pause before a policy is sent again to a store that could not take it.
const RETRY: Duration = Duration::from_secs(5);

/// How often the date and the pauses are checked: a firm's check is valid until midnight, and pages follow within two minutes.
const DAY_EVERY: Duration = Duration::from_mins(1);

/// Builds and rebuilds the site. Visitors who must not see an outdated one wait for a read of the reviews, which one of them
/// performs for all.
#[derive(Debug)]
pub struct SiteKeeper {
    source: SiteSource,
    manifest: Arc<Manifest>,
    store: Option<Arc<Store>>,
    policy: watch::Sender<Arc<HandlingPolicy>>,
    made: RwLock<Made>,
    /// When the last read of reviews started. Locked during a read.
    read_at: Mutex<Instant>,
}

/// The site and its inputs.
#[derive(Debug)]
struct Made {
    site: Arc<Site>,
    promises: Promises,
    reviews: Option<Value>,
    seen: Seen,
}

/// The state of the store's reviews as last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Not read yet.
    Nothing,
    /// The store could not be read. Visitors do not wait for it.
    Failure,
    /// Read after this many changes by this process, with the time of the latest change by any.
    Changes(u64, Option<Timestamp>),
}

impl Seen {
    /// Whether this process may have changed reviews since.
    fn is_outdated(self, store: &Store) -> bool {
        let changes = store.review_changes().load(Ordering::SeqCst);
        !matches!(self, Self::Changes(seen, _) if seen == changes)
    }
}

impl SiteKeeper {
    /// Builds the site; `store` is `None` in demo mode.
    ///
    /// # Errors
    /// If the embedded assets are broken.
    pub fn new(
        source: SiteSource,
        handling: &Handling,
        store: Option<Arc<Store>>,
    ) -> Result<Self, BrokenSite> {
        let manifest = Arc::new(Manifest::embedded()?);
        let promises = source.promises(handling, berlin::day(Timestamp::now()));
        let made = Made {
            site: Arc::new(Site::prepare(&source, &manifest, &promises, None)),
            promises,
            reviews: None,
            seen: Seen::Nothing,
        };
        Ok(Self {
            source,
            manifest,
            store,
            policy: watch::Sender::new(Arc::new(handling.policy())),
            made: RwLock::new(made),
            read_at: Mutex::new(Instant::now()),
        })
    }

    /// The handling of inquiries, as private pages describe it.
    pub fn policy(&self) -> watch::Receiver<Arc<HandlingPolicy>> {
        self.policy.subscribe()
    }

    /// The current site.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.made.read().site)
    }

    /// Updates the site for a visitor of the page at a path if reviews have changed. With a shared store, another instance may have
    /// removed a review from the home page, so its visitors pay for one read; new reviews are picked up in the background.
    /// Otherwise this is nearly free unless this process has changed reviews.
    pub async fn for_visitor(&self, path: &str) {
        let Some(store) = &self.store else { return };
        let arrived = Instant::now();
        if self.must_read(store, path) {
            let mut read_at = self.read_at.lock().await;
            // Another visitor may have triggered a read in the meantime.
            if *read_at <= arrived && self.must_read(store, path) {
                Box::pin(self.read(store, &mut read_at)).await;
            }
        }
    }

    /// Passes each new configuration to the store and then to the pages, which also follow the calendar and the store's pauses.
    /// Returns when the configuration is no longer reloaded.
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
                // If the store cannot be read, the last known pauses stay in effect.
                if let Ok(facts) = store.facts().await {
                    paused = facts.paused_at(clock());
                }
            }
            self.follow(&current, &paused, berlin::day(clock()));
        }
    }

    /// Updates what the pages promise. Pauses in the store keep firms from being asked, so pages promise nothing based on those
    /// firms; the policy follows the file.
    fn follow(&self, current: &Handling, paused: &BTreeSet<FirmId>, today: Date) {
        let next = current.policy();
        self.policy.send_if_modified(|kept| {
            let is_other = **kept != next;
            *kept = Arc::new(next);
            is_other
        });
        let asked = current.with_paused(paused);
        let promises = self.source.promises(&asked, today);
        let mut made = self.made.write();
        if promises != made.promises {
            made.promises = promises;
            self.make_again(&mut made);
            tracing::info!("the pages say what the configuration does now");
            Sayings::of(&self.source.settings, &asked, today).log();
        }
    }

    /// Reads the reviews after a failed read, and when another instance may have changed them. Returns at once without a store, and
    /// otherwise never.
    pub async fn keep_looking(&self) {
        let Some(store) = &self.store else { return };
        loop {
            let mut read_at = self.read_at.lock().await;
            let seen = self.made.read().seen;
            if store.is_shared() || seen.is_outdated(store) {
                self.read(store, &mut read_at).await;
            }
            drop(read_at);
            sleep(LOOK_EVERY).await;
        }
    }

    /// Whether a visitor of the page at a path must wait until reviews are read.
    fn must_read(&self, store: &Store, path: &str) -> bool {
        let made = self.made.read();
        let may_be_taken_back = path == HOME && made.reviews.is_some() && store.is_shared();
        made.seen != Seen::Failure && (may_be_taken_back || made.seen.is_outdated(store))
    }

    /// Shows the current reviews. If the store cannot be read, the site shows none until it can: a review may have been withdrawn.
    async fn read(&self, store: &Store, read_at: &mut Instant) {
        let begun = Instant::now();
        let before = self.made.read().seen;
        let patience = if before == Seen::Failure { PATIENCE } else { WAIT };
        let found = timeout(patience, async {
            // Counted first, so that changes during the read trigger another one.
            let changes = store.review_changes().load(Ordering::SeqCst);
            let seen = Seen::Changes(changes, store.reviews_changed_at().await?);
            if seen == before {
                return Ok(None);
            }
            let published = reviews::published(store.reviews().await?);
            Ok::<_, Unavailable>(Some((seen, published)))
        });
        match found.await {
            Ok(Ok(None)) => {}
            Ok(Ok(Some((seen, reviews)))) => self.show(seen, reviews),
            Ok(Err(_)) | Err(_) => self.show(Seen::Failure, None),
        }
        *read_at = begun;
    }

    fn show(&self, seen: Seen, reviews: Option<Value>) {
        let mut made = self.made.write();
        made.seen = seen;
        if made.reviews != reviews {
            made.reviews = reviews;
            self.make_again(&mut made);
        }
    }

    fn make_again(&self, made: &mut Made) {
        let site = Site::prepare(
            &self.source,
            &self.manifest,
            &made.promises,
            made.reviews.as_ref(),
        );
        made.site = Arc::new(site);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicI64;

    use jiff::ToSpan;

    use super::*;
    use crate::base::text::origin::Origin;
    use crate::config::ConfigFile;
    use crate::config::settings::SiteSettings;
    use crate::domain::inquiry::NewInquiry;
    use crate::domain::matching::{Firm, PostalPrefix};
    use crate::domain::referral::{Change, NewReferral, Review, Verdict};
    use crate::site::templates::PageKind;

    fn source(settings: SiteSettings) -> SiteSource {
        let origin = Origin::parse("https://www.example.de").unwrap();
        SiteSource {
            settings,
            origin,
            is_demo: false,
        }
    }

    /// Creates a keeper that polls for reviews during the test.
    fn keeper(store: &Arc<Store>) -> Arc<SiteKeeper> {
        let real = "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n";
        let settings = SiteSettings::parse(real, Path::new("site.toml")).unwrap();
        let keeper =
            SiteKeeper::new(source(settings), &Handling::default(), Some(Arc::clone(store))).unwrap();
        let keeper = Arc::new(keeper);
        let looking = Arc::clone(&keeper);
        tokio::spawn(async move { looking.keep_looking().await });
        keeper
    }

    /// Publishes a review of a firm that has accepted an inquiry.
    async fn publish(store: &Store) {
        let firm = Firm {
            id: FirmId::parse("nord").unwrap(),
            name: "Nordnetz GmbH".to_owned(),
            email: "auftrag@nordnetz.example".to_owned(),
            phone: None,
            website: None,
            postal_codes: vec![PostalPrefix::parse("2").unwrap()],
            property_types: None,
            problems: None,
            per_week: None,
            paused: false,
            commission: None,
            checked: None,
        };
        let id = firm.id.clone();
        let policy = HandlingPolicy {
            firms: Arc::new([firm]),
            ..HandlingPolicy::default()
        };
        store.set_policy(Arc::new(policy)).unwrap();
        let body = r#"{"postal_code":"20095","property_type":"residential","first_name":"Anna","last_name":"Meier",
            "email_address":"anna@example.de","phone_number":"+49 40 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), Timestamp::now()).unwrap();
        let stored = store.insert(inquiry, NewReferral::default(), None).await.unwrap();
        let inquiry = stored.into_inquiry().id;
        let review = Review::parse("5", "Sauber gearbeitet.", "Anna M.", true).unwrap();
        for change in [
            Change::Accept(0),
            Change::Review(id.clone(), Some(review)),
            Change::Judge(id, Verdict::Publish, None),
        ] {
            store.update(inquiry, change).await.unwrap();
        }
    }

    fn shows_review(keeper: &SiteKeeper) -> bool {
        let page = keeper.site().find("/").unwrap().body();
        String::from_utf8_lossy(&page).contains("Sauber gearbeitet.")
    }

    #[tokio::test]
    async fn the_site_is_made_again_when_reviews_have_changed() {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        let keeper = keeper(&store);
        keeper.for_visitor(HOME).await;
        assert!(!shows_review(&keeper));
        publish(&store).await;
        keeper.for_visitor("/faq").await;
        assert!(shows_review(&keeper));
        let published = keeper.site();
        keeper.for_visitor(HOME).await;
        assert!(Arc::ptr_eq(&published, &keeper.site()), "nothing was changed");
    }

    #[tokio::test]
    async fn what_may_have_been_taken_back_is_not_shown_while_the_store_is_away() {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        let keeper = keeper(&store);
        publish(&store).await;
        keeper.for_visitor(HOME).await;
        assert!(shows_review(&keeper));
        assert!(store.close(Duration::from_secs(10)).await);
        keeper.for_visitor(HOME).await;
        assert!(shows_review(&keeper), "nothing was changed");
        store.review_changes().fetch_add(1, Ordering::SeqCst);
        keeper.for_visitor(HOME).await;
        assert!(!shows_review(&keeper));
    }

    /// The current time of the clock in seconds.
    static NOW: AtomicI64 = AtomicI64::new(0);

    fn clock() -> Timestamp {
        Timestamp::from_second(NOW.load(Ordering::Relaxed)).unwrap()
    }

    /// A configuration with these `[[firm]]` tables.
    fn configured(firms: &str) -> Arc<Handling> {
        let toml = format!("[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n{firms}");
        let file = ConfigFile::parse(&toml, Path::new("config.toml")).unwrap();
        Arc::new(file.handling().unwrap())
    }

    /// The site of the sample operator.
    fn site(handling: &Handling) -> Arc<SiteKeeper> {
        let source = source(SiteSettings::embedded().unwrap());
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
        // The last day on which the check is valid.
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
        // Nothing changes within a day.
        sleep(2 * DAY_EVERY).await;
        assert!(says_vetted());
        NOW.fetch_add(24 * 60 * 60, Ordering::Relaxed);
        sleep(Duration::from_mins(2)).await;
        assert!(!says_vetted(), "the page is the old one");
    }
}
