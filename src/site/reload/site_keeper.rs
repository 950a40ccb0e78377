//! The site as it is now: made again when the configuration, the day or what is published of reviews changes.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::site::{BrokenSite, HOME, Promises, PublishedReviews, Site, SiteSource};
use crate::store::{Store, Unavailable};

/// How long a visitor waits for the reviews. They are not worth more: the page says enough without them.
const WAIT: Duration = Duration::from_secs(2);

/// How long reading them may take when no request waits.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long the keeper waits before it tries again to read them.
const RETRY: Duration = Duration::from_secs(5);

/// How often the keeper checks whether another instance has changed reviews: a publication shows within a minute everywhere.
const LOOK_EVERY: Duration = Duration::from_secs(20);

/// How often at most, if visitors come: who has published a review looks at the page, and others need not wait either.
const LOOK_AT_MOST_EVERY: Duration = Duration::from_secs(1);

/// Makes the site, and makes it again.
pub struct SiteKeeper {
    source: SiteSource,
    store: Option<Arc<Store>>,
    site: watch::Sender<Arc<Site>>,
    /// One more than the changes of reviews that the site has seen, by [`crate::store::ReviewChanges`]; 0 before they were read first.
    seen: AtomicU64,
    /// Whether the site shows reviews.
    has_reviews: Arc<AtomicBool>,
    /// Whether the site may call firms vetted.
    vetted: Arc<AtomicBool>,
    /// Told when somebody has asked for a page.
    visited: Notify,
    /// Looks whether another instance or a command has changed reviews.
    looks: SharedRead<Result<(), Unavailable>>,
    made: Mutex<Made>,
}

/// What the site was made from.
struct Made {
    promises: Promises,
    reviews: Option<PublishedReviews>,
    /// When reviews were changed last, as far as that is known.
    changed_at: Option<Timestamp>,
    /// Whether the store did not give them: then no visitor waits for them.
    is_failing: bool,
}

/// What was read of reviews.
struct Read {
    /// What [`SiteKeeper::seen`] is then.
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
        Ok(Self {
            source,
            store,
            site: watch::channel(Arc::new(site)).0,
            seen: AtomicU64::new(0),
            has_reviews: Arc::default(),
            vetted: Arc::new(AtomicBool::new(promises.vetted)),
            visited: Notify::new(),
            looks: SharedRead::new(),
            made: Mutex::new(Made {
                promises,
                reviews: None,
                changed_at: None,
                is_failing: false,
            }),
        })
    }

    /// Returns what the site is made from.
    pub fn source(&self) -> &SiteSource {
        &self.source
    }

    /// Returns the site, each time as it was made last.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.site.borrow())
    }

    /// Tells when the site was made again.
    #[cfg(test)]
    pub fn subscribe(&self) -> watch::Receiver<Arc<Site>> {
        self.site.subscribe()
    }

    /// Tells whether the site shows reviews.
    pub fn has_reviews(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_reviews)
    }

    /// Tells whether the site may call firms vetted.
    pub fn vetted(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.vetted)
    }

    /// Whether reviews were changed since the site was made.
    fn is_outdated(&self) -> bool {
        let store = self.store.as_ref();
        store.is_some_and(|store| next(store) != self.seen.load(Ordering::Acquire))
    }

    /// Brings the site up to date for a visitor of the page at a path if reviews were changed. On a shared store others may have taken
    /// back what the home page shows, which costs its visitors one read; what others publish is looked for without them. Elsewhere, and
    /// where no reviews are shown, it costs next to nothing unless this process has changed some.
    pub async fn for_visitor(&self, path: &str) {
        if path == HOME
            && self.has_reviews.load(Ordering::Relaxed)
            && let Some(store) = self.store.as_ref().filter(|store| store.is_shared())
        {
            Box::pin(self.look(store)).await;
        }
        if self.is_outdated() {
            Box::pin(self.refresh()).await;
        }
        self.visited.notify_one();
    }

    /// Finds out whether reviews were changed elsewhere. If the store does not say so in time, the site has none until it does.
    async fn look(&self, store: &Store) {
        let looked = timeout(WAIT, self.looks.get(self.note_changes(store))).await;
        if !matches!(looked, Ok(Ok(()))) {
            let mut made = self.made.lock().await;
            // Read again as soon as the store answers.
            store.review_changes().touch();
            made.is_failing = true;
            self.set(&mut made, None);
        }
    }

    /// Notes that reviews were changed if the store says so.
    async fn note_changes(&self, store: &Store) -> Result<(), Unavailable> {
        let changed_at = store.reviews_changed_at().await?;
        if changed_at != self.made.lock().await.changed_at {
            store.review_changes().touch();
        }
        Ok(())
    }

    /// Brings the site up to date if reviews were changed. If the store does not give them, the site has none until it does: one of them
    /// may have been taken back.
    async fn refresh(&self) {
        let Some(store) = &self.store else { return };
        let mut made = self.made.lock().await;
        if made.is_failing || !self.is_outdated() {
            return;
        }
        if let Ok(Ok(read)) = timeout(WAIT, read(store)).await {
            self.show(&mut made, read);
        } else {
            made.is_failing = true;
            self.set(&mut made, None);
        }
    }

    /// Makes the site with new promises; returns true if they differ.
    ///
    /// # Errors
    /// As for [`Self::new`]; the site then stays as it is.
    pub async fn follow(&self, promises: Promises) -> Result<bool, BrokenSite> {
        let mut made = self.made.lock().await;
        // Private pages must not make a promise that has ended, even if the site cannot be made again.
        self.vetted.store(promises.vetted, Ordering::Relaxed);
        if promises == made.promises {
            return Ok(false);
        }
        let site = self.source.make(&promises, made.reviews.as_ref())?;
        made.promises = promises;
        self.site.send_replace(Arc::new(site));
        Ok(true)
    }

    /// Reads reviews that could not be read before, and looks whether another instance has changed some. Never ends by itself.
    pub async fn keep_looking(&self) {
        let Some(store) = &self.store else {
            return std::future::pending().await;
        };
        let is_shared = store.is_shared();
        let mut looked_at = Instant::now();
        loop {
            if self.is_outdated()
                && let Ok(Ok(read)) = timeout(PATIENCE, read(store)).await
            {
                self.show(&mut *self.made.lock().await, read);
            }
            let is_visited = tokio::select! {
                () = sleep(RETRY) => false,
                () = self.visited.notified(), if is_shared => {
                    sleep_until(looked_at + LOOK_AT_MOST_EVERY).await;
                    true
                }
            };
            if is_shared && (is_visited || looked_at.elapsed() >= LOOK_EVERY) {
                looked_at = Instant::now();
                // What cannot be read now is read the next time.
                let _ = self.note_changes(store).await;
            }
        }
    }

    fn show(&self, made: &mut Made, read: Read) {
        // A visitor's request may have been quicker.
        if read.seen >= self.seen.load(Ordering::Acquire) {
            made.changed_at = read.changed_at;
            made.is_failing = false;
            self.set(made, read.reviews);
            self.seen.store(read.seen, Ordering::Release);
        }
    }

    fn set(&self, made: &mut Made, reviews: Option<PublishedReviews>) {
        if made.reviews == reviews {
            return;
        }
        let had_some = made.reviews.is_some();
        made.reviews = reviews;
        self.has_reviews.store(made.reviews.is_some(), Ordering::Relaxed);
        // Other pages say only whether there are some.
        let site = if made.promises.testimonials || had_some == made.reviews.is_some() {
            Ok(self.site.borrow().with_reviews(made.reviews.as_ref()))
        } else {
            self.source.make(&made.promises, made.reviews.as_ref())
        };
        match site {
            Ok(site) => drop(self.site.send_replace(Arc::new(site))),
            // The same files were whole at the start.
            Err(error) => tracing::error!(%error, "the home page shows other reviews than are published"),
        }
    }
}

fn next(store: &Store) -> u64 {
    store.review_changes().count().saturating_add(1)
}

async fn read(store: &Store) -> Result<Read, Unavailable> {
    // In this order: what is changed meanwhile is read again.
    let seen = next(store);
    let changed_at = store.reviews_changed_at().await?;
    let reviews = PublishedReviews::of(store.reviews().await?);
    Ok(Read {
        seen,
        changed_at,
        reviews,
    })
}

impl fmt::Debug for SiteKeeper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SiteKeeper")
    }
}

/// A read that callers share. Each caller gets the result of a read that began after its call, and callers that wait at the same time
/// get the result of one read.
#[derive(Debug)]
struct SharedRead<T> {
    /// How many reads were begun.
    begun: AtomicU64,
    /// The number and the result of the last read that has ended. The caller that reads holds the lock.
    last: Mutex<(u64, Option<T>)>,
}

impl<T: Clone> SharedRead<T> {
    /// Prepares reads; nothing is read yet.
    fn new() -> Self {
        Self {
            begun: AtomicU64::new(0),
            last: Mutex::new((0, None)),
        }
    }

    /// Returns what `read` finds, or what another caller's has found that began after this call.
    async fn get(&self, read: impl Future<Output = T>) -> T {
        // A read that has begun by now may have missed what this caller asks about.
        let before = self.begun.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let (number, Some(found)) = &*last
            && *number > before
        {
            return found.clone();
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let found = read.await;
        *last = (number, Some(found.clone()));
        found
    }
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

    fn keeper(store: &Arc<Store>) -> SiteKeeper {
        let real = "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n";
        let settings = SiteSettings::parse(real, Path::new("site.toml")).unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let source = SiteSource {
            security_headers: SecurityHeaders::new(&settings, origin.as_str()),
            settings,
            origin,
            is_demo: false,
        };
        SiteKeeper::new(source, Promises::default(), Some(Arc::clone(store))).unwrap()
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

#[cfg(test)]
mod shared_read_tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::future::join_all;
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn those_who_wait_share_the_next_read_and_never_one_that_had_begun() {
        let shared = SharedRead::new();
        let (end_first, first_ends) = oneshot::channel();
        let reads = AtomicUsize::new(0);
        let first = shared.get(async {
            first_ends.await.unwrap();
            "before"
        });
        let later = async {
            yield_now().await;
            let later = (0..5).map(|_| {
                shared.get(async {
                    reads.fetch_add(1, Ordering::Relaxed);
                    "after"
                })
            });
            let later = join_all(later);
            end_first.send(()).unwrap();
            later.await
        };
        let (first, later) = tokio::join!(first, later);
        assert_eq!((first, later), ("before", vec!["after"; 5]));
        assert_eq!(reads.into_inner(), 1);
        assert_eq!(shared.get(async { "again" }).await, "again");
    }

    #[tokio::test]
    async fn a_reader_that_goes_away_leaves_the_read_to_the_next_one() {
        let shared = SharedRead::new();
        let gone = shared.get(std::future::pending());
        let next = shared.get(async { 2 });
        let mut gone = Box::pin(gone);
        assert!(futures_util::poll!(&mut gone).is_pending());
        let mut next = Box::pin(next);
        assert!(futures_util::poll!(&mut next).is_pending());
        drop(gone);
        assert_eq!(next.await, 2);
    }
}
