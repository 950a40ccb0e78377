//! The site as it is now: made again when the configuration, the day or what is published of reviews changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::site::{BrokenSite, HOME, Promises, PublishedReviews, Site, SiteSource};
use crate::store::{Store, Unavailable};

/// How long a visitor waits for the reviews. They are not worth more: the page says enough without them.
const WAIT: Duration = Duration::from_secs(2);

/// How long reading them may take when no request waits.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often the keeper reads again what it could not read, or checks whether another instance has changed reviews: a publication
/// shows within a minute everywhere.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How often at most, if visitors come: who has published a review looks at the page, and others need not wait either.
const LOOK_AT_MOST_EVERY: Duration = Duration::from_secs(1);

/// Makes the site, and makes it again. One task reads the reviews; visitors who must not see an older one wait for its next read.
#[derive(Debug)]
pub struct SiteKeeper {
    source: SiteSource,
    store: Option<Arc<Store>>,
    made: watch::Sender<Made>,
    /// How many reads of reviews were begun.
    begun: AtomicU64,
    /// Told when somebody waits for a read.
    needed: Notify,
    /// Told when somebody has asked for a page.
    visited: Notify,
}

/// The site, and what it was made from.
#[derive(Debug)]
pub struct Made {
    /// The site.
    pub site: Arc<Site>,
    promises: Promises,
    reviews: Option<PublishedReviews>,
    /// One more than the changes of reviews that the site has seen, by [`crate::store::ReviewChanges`]; 0 before they were read first.
    seen: u64,
    /// When reviews were changed last, as far as that is known.
    changed_at: Option<Timestamp>,
    /// The number of the last read of reviews that has ended.
    ended: u64,
    /// Whether the store did not give them: then no visitor waits for them.
    is_failing: bool,
}

/// What was read of reviews.
struct Read {
    /// What [`Made::seen`] is then.
    seen: u64,
    changed_at: Option<Timestamp>,
    reviews: Option<PublishedReviews>,
}

impl SiteKeeper {
    /// Makes the site.
    ///
    /// # Errors
    /// When what is embedded is broken.
    pub fn new(
        source: SiteSource,
        promises: Promises,
        store: Option<Arc<Store>>,
    ) -> Result<Self, BrokenSite> {
        let site = source.make(&promises, None)?;
        let made = watch::Sender::new(Made {
            site: Arc::new(site),
            promises,
            reviews: None,
            seen: 0,
            changed_at: None,
            ended: 0,
            is_failing: false,
        });
        Ok(Self {
            source,
            store,
            made,
            begun: AtomicU64::new(0),
            needed: Notify::new(),
            visited: Notify::new(),
        })
    }

    /// Returns what the site is made from.
    pub fn source(&self) -> &SiteSource {
        &self.source
    }

    /// Returns the site, each time as it was made last.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.made.borrow().site)
    }

    /// Tells when the site was made again.
    #[cfg(test)]
    pub fn subscribe(&self) -> watch::Receiver<Made> {
        self.made.subscribe()
    }

    /// Brings the site up to date for a visitor of the page at a path if reviews were changed. On a shared store others may have taken
    /// back what the home page shows, which costs its visitors one read; what others publish is looked for without them. Elsewhere, and
    /// where no reviews are shown, it costs next to nothing unless this process has changed some.
    pub async fn for_visitor(&self, path: &str) {
        let Some(store) = &self.store else { return };
        let must_wait = {
            let made = self.made.borrow();
            let may_be_taken_back = path == HOME && made.reviews.is_some() && store.is_shared();
            !made.is_failing && (may_be_taken_back || made.seen != next(store))
        };
        if !must_wait {
            return self.visited.notify_one();
        }
        // A read that has begun by now may have missed what this visitor asks about.
        let wanted = self.begun.load(Ordering::SeqCst) + 1;
        self.needed.notify_one();
        let mut made = self.made.subscribe();
        // It does not fail, since the sender is here.
        let _ = Box::pin(made.wait_for(|made| made.is_failing || made.ended >= wanted)).await;
    }

    /// Makes the site with new promises; returns true if they differ.
    ///
    /// # Errors
    /// As for [`Self::new`]; the site then stays as it is.
    pub fn follow(&self, promises: Promises) -> Result<bool, BrokenSite> {
        let mut followed = Ok(false);
        self.made.send_if_modified(|made| {
            if promises != made.promises {
                let site = self.source.make(&promises, made.reviews.as_ref());
                followed = site.map(|site| {
                    made.site = Arc::new(site);
                    made.promises = promises;
                    true
                });
            }
            matches!(followed, Ok(true))
        });
        followed
    }

    /// Reads the reviews when somebody waits for them, when they could not be read before, and when another instance may have changed
    /// some. Never ends by itself.
    pub async fn keep_looking(&self) {
        let Some(store) = &self.store else {
            return std::future::pending().await;
        };
        let is_shared = store.is_shared();
        let mut is_due = true;
        loop {
            if is_due {
                self.look(store).await;
            }
            let looked_at = Instant::now();
            let visited = async {
                self.visited.notified().await;
                sleep_until(looked_at + LOOK_AT_MOST_EVERY).await;
            };
            is_due = tokio::select! {
                () = self.needed.notified() => true,
                () = visited, if is_shared => true,
                () = sleep(LOOK_EVERY) => is_shared || self.made.borrow().seen != next(store),
            };
        }
    }

    /// Shows the reviews as they are now. If the store does not give them, the site has none until it does: one of them may have been
    /// taken back.
    async fn look(&self, store: &Store) {
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let is_failing = self.made.borrow().is_failing;
        let read = timeout(if is_failing { PATIENCE } else { WAIT }, self.read(store)).await;
        self.made.send_modify(|made| {
            made.is_failing = !matches!(read, Ok(Ok(_)));
            match read {
                Ok(Ok(Some(read))) => {
                    (made.seen, made.changed_at) = (read.seen, read.changed_at);
                    self.show(made, read.reviews);
                }
                Ok(Ok(None)) => {}
                Ok(Err(_)) | Err(_) => self.show(made, None),
            }
            made.ended = number;
        });
    }

    /// Reads the reviews; `None` if the site shows them as they are.
    async fn read(&self, store: &Store) -> Result<Option<Read>, Unavailable> {
        // In this order: what is changed meanwhile is read again.
        let seen = next(store);
        let changed_at = store.reviews_changed_at().await?;
        let is_current = {
            let made = self.made.borrow();
            !made.is_failing && (made.seen, made.changed_at) == (seen, changed_at)
        };
        if is_current {
            return Ok(None);
        }
        let reviews = PublishedReviews::of(store.reviews().await?);
        Ok(Some(Read {
            seen,
            changed_at,
            reviews,
        }))
    }

    fn show(&self, made: &mut Made, reviews: Option<PublishedReviews>) {
        if made.reviews == reviews {
            return;
        }
        let had_some = made.reviews.is_some();
        made.reviews = reviews;
        // Other pages say only whether there are some.
        let site = if made.promises.testimonials || had_some == made.reviews.is_some() {
            Ok(made.site.with_reviews(made.reviews.as_ref()))
        } else {
            self.source.make(&made.promises, made.reviews.as_ref())
        };
        match site {
            Ok(site) => made.site = Arc::new(site),
            // The same files were whole at the start.
            Err(error) => tracing::error!(%error, "the home page shows other reviews than are published"),
        }
    }
}

fn next(store: &Store) -> u64 {
    store.review_changes().count().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use uuid::Uuid;

    use super::*;
    use crate::base::text::origin::Origin;
    use crate::config::settings::SiteSettings;
    use crate::domain::inquiry::NewInquiry;
    use crate::domain::matching::{Firm, FirmId, PostalPrefix};
    use crate::domain::referral::{Change, HandlingPolicy, NewReferral, Review, Verdict};
    use crate::site::http::headers::SecurityHeaders;

    /// Makes a keeper that looks for reviews as long as the test runs.
    fn keeper(store: &Arc<Store>) -> Arc<SiteKeeper> {
        let real = "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n";
        let settings = SiteSettings::parse(real, Path::new("site.toml")).unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let source = SiteSource {
            security_headers: SecurityHeaders::new(&settings, origin.as_str()),
            settings,
            origin,
            is_demo: false,
        };
        let keeper = SiteKeeper::new(source, Promises::default(), Some(Arc::clone(store))).unwrap();
        let keeper = Arc::new(keeper);
        let looking = Arc::clone(&keeper);
        tokio::spawn(async move { looking.keep_looking().await });
        keeper
    }

    /// Publishes a review of a firm that has accepted an inquiry; returns the inquiry's id.
    async fn publish(store: &Store) -> Uuid {
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
        inquiry
    }

    fn shows_review(keeper: &SiteKeeper) -> bool {
        let page = keeper.site().find("/").unwrap().body();
        String::from_utf8_lossy(&page).contains("Sauber gearbeitet.")
    }

    #[tokio::test]
    async fn only_the_home_page_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        let keeper = keeper(&store);
        keeper.for_visitor(HOME).await;
        let before = keeper.site();
        let inquiry = publish(&store).await;
        keeper.for_visitor(HOME).await;
        assert!(shows_review(&keeper));
        // The link to the section came with it, on every page.
        let faq = |site: &Site| Arc::clone(site.find("/faq").unwrap());
        assert!(!Arc::ptr_eq(&faq(&before), &faq(&keeper.site())));
        let published = keeper.site();
        keeper.for_visitor(HOME).await;
        assert!(Arc::ptr_eq(&published, &keeper.site()), "nothing was changed");
        let review = Review::parse("1", "Sauber gearbeitet.", "Anna M.", true).unwrap();
        let firm = FirmId::parse("nord").unwrap();
        let again = [
            Change::Review(firm.clone(), Some(review)),
            Change::Judge(firm, Verdict::Publish, None),
        ];
        for change in again {
            store.update(inquiry, change).await.unwrap();
        }
        keeper.for_visitor(HOME).await;
        assert!(shows_review(&keeper) && !Arc::ptr_eq(&published, &keeper.site()));
        assert!(
            Arc::ptr_eq(&faq(&published), &faq(&keeper.site())),
            "only the home page"
        );
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
        store.review_changes().touch();
        keeper.for_visitor(HOME).await;
        assert!(!shows_review(&keeper));
    }
}
