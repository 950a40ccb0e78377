//! The shared state that requests are answered from.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper::header;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Response};
use ipnet::IpNet;
use tokio::sync::watch;

use super::api_error::ApiError;
use super::body::RequestBody;
use super::plain_listener::HttpsRedirect;
use crate::base::logging::{AccessLog, LogThrottle};
use crate::base::metrics::Metrics;
use crate::base::text::origin::Origin;
use crate::domain::referral::HandlingPolicy;
use crate::operate::funnel::Funnel;
use crate::outbox::Farewells;
use crate::site::Site;
use crate::site::http::headers::{Cache, SecurityHeaders};
use crate::site::http::response::Body;
use crate::site::reload::SiteKeeper;
use crate::store::Store;
use crate::web::Challenges;
use crate::web::limits::client_ip::{self, ClientNetwork};
use crate::web::limits::concurrency::Concurrency;
use crate::web::limits::rate_limit::{MINUTE, RateLimit};
use crate::web::limits::uploads::Uploads;

/// Interval at which inactive clients are forgotten. The privacy notice promises that an address is gone three minutes after its
/// last use, and everything that remembers one does so for at most two.
const FORGET_EVERY: Duration = Duration::from_secs(30);

/// How long a client's first visit to the questionnaire is remembered, to recognise robots by their haste. The page is the same
/// for everyone, so the form without JavaScript cannot tell how long it was open. Longer than anyone waits before a second visit
/// that is a quick one.
const VISIT: Duration = Duration::from_mins(2);

/// Pages rendered for a single visitor that may wait to be read at once. Other bodies are shared by all clients or a few hundred
/// bytes long. The longest page repeats a form of 16 KB in which escaping makes every character six times as long, so all of them
/// take at most 45 MB. A page that is read immediately counts for milliseconds only.
const MAX_PAGES: usize = 256;

/// The same limit per client: an eighth, as for connections.
const MAX_PAGES_PER_CLIENT: usize = MAX_PAGES / 8;

/// Maximum number of photos being sent at once, of about 400 KB each.
const MAX_PHOTOS: usize = 64;

/// The same limit per client: the photos of two pages.
const MAX_PHOTOS_PER_CLIENT: usize = 2 * crate::domain::referral::MAX_PHOTOS + 2;

/// Failed requests are logged at most once in this time: few visitors ask about theirs, and a broken disk must not fill up with log
/// lines.
const FAILED_EVERY: Duration = Duration::from_secs(1);

/// Handles requests on a listener that does not serve the site.
pub trait Handler: Send + Sync {
    /// Responds to one request.
    fn respond(self: Arc<Self>, request: RequestContext<'_>) -> BoxFuture<'_, Response<Body>>;
}

/// A request with the state it is answered from.
pub struct RequestContext<'a> {
    /// The state shared by all requests.
    pub app: &'a Arc<App>,
    /// The client that sent it.
    pub client: ClientNetwork,
    /// Its head.
    pub parts: &'a Parts,
    /// Its body, not read yet.
    pub body: &'a mut RequestBody,
}

/// The state shared by all connections.
pub struct App {
    /// Pages, files and redirects of the current configuration.
    pub site: Arc<SiteKeeper>,
    /// Headers of every response.
    pub security_headers: SecurityHeaders,
    /// The inquiries; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// The current policy for inquiries.
    pub policy: watch::Receiver<Arc<HandlingPolicy>>,
    /// Mails that confirm withdrawals, which are sent without the store.
    pub farewells: Arc<Farewells>,
    /// Counts of visits.
    pub funnel: Arc<Funnel>,
    /// Metrics for the operator's monitoring.
    pub metrics: Arc<Metrics>,
    /// Limits inquiries.
    pub rate_limit: RateLimit,
    /// Limits the inquiries of a sender that reach firms, even where the other limits are off.
    pub passing_on: RateLimit,
    /// Limits requests for the newsletter.
    pub newsletter_limit: RateLimit,
    /// Limits wrong tokens. Separate from inquiries, so that following old links does not prevent sending one.
    pub token_limit: RateLimit,
    /// Limits inquiries and requests for the newsletter, per network and day.
    pub daily_share: RateLimit,
    /// Limits photos, per network and day.
    pub photo_share: RateLimit,
    /// Limits changes on private pages. A firm may answer many inquiries in a row.
    pub change_limit: RateLimit,
    /// Limits reports about visits from the site's own script.
    pub beacon_limit: RateLimit,
    /// Pages rendered for a single visitor.
    pub made_pages: Arc<Concurrency>,
    /// Photos being sent.
    pub sent_photos: Arc<Concurrency>,
    /// Photos being received.
    pub uploads: Uploads,
    /// Which requests are logged.
    pub access_log: AccessLog,
    /// Throttles the logging of failed requests.
    pub failed_requests: LogThrottle,
    /// First visits of clients to the questionnaire.
    pub first_visits: RateLimit,
    /// Networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Responses to ACME challenges.
    pub challenges: Challenges,
    /// Target of redirects from plain HTTP; `None` without TLS.
    pub https: Option<HttpsRedirect>,
    /// Handler that replaces the site on a separate listener.
    pub handler: Option<Arc<dyn Handler>>,
    /// The public address.
    pub origin: Origin,
}

impl App {
    /// An app without a store or limits, as for a demo.
    pub fn new(site: Arc<SiteKeeper>, security_headers: SecurityHeaders, origin: Origin) -> Self {
        let unlimited = || RateLimit::new(MINUTE, None);
        Self {
            security_headers,
            store: None,
            policy: site.policy(),
            site,
            farewells: Arc::default(),
            funnel: Arc::default(),
            metrics: Arc::default(),
            rate_limit: unlimited(),
            passing_on: unlimited(),
            newsletter_limit: unlimited(),
            daily_share: unlimited(),
            photo_share: unlimited(),
            token_limit: unlimited(),
            change_limit: unlimited(),
            beacon_limit: unlimited(),
            made_pages: Concurrency::new(MAX_PAGES, MAX_PAGES_PER_CLIENT),
            sent_photos: Concurrency::new(MAX_PHOTOS, MAX_PHOTOS_PER_CLIENT),
            uploads: Uploads::default(),
            access_log: AccessLog::Off,
            failed_requests: LogThrottle::every(FAILED_EVERY),
            first_visits: RateLimit::new(VISIT, NonZeroU32::MIN),
            trusted_proxies: Vec::new(),
            challenges: Challenges::default(),
            https: None,
            handler: None,
            origin,
        }
    }

    /// The client of a request from `peer`.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientNetwork {
        ClientNetwork::of(client_ip::client(peer, headers, &self.trusted_proxies))
    }

    /// The current site.
    pub fn site(&self) -> Arc<Site> {
        self.site.site()
    }

    /// The current policy for inquiries.
    pub fn policy(&self) -> Arc<HandlingPolicy> {
        Arc::clone(&self.policy.borrow())
    }

    /// Forgets clients' addresses as soon as the privacy notice promises. Never completes.
    pub async fn keep_forgetting_clients(&self) {
        let limits = [
            &self.rate_limit,
            &self.newsletter_limit,
            &self.change_limit,
            &self.token_limit,
            &self.beacon_limit,
            &self.daily_share,
            &self.photo_share,
            &self.passing_on,
            &self.first_visits,
        ];
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            for limit in limits {
                limit.forget_inactive();
            }
        }
    }

    /// Counts a wrong token or code.
    ///
    /// # Errors
    /// When the client has tried too many and must learn nothing more.
    pub(super) fn count_guess(&self, client: ClientNetwork) -> Result<(), ApiError> {
        // The reservation stays counted when dropped.
        let counted = self.token_limit.reserve(client);
        counted.map(drop).map_err(ApiError::rate_limited)
    }

    /// Renders a page for one visitor, unless too many of its kind are waiting to be read.
    pub(super) async fn made_in(
        &self,
        places: &Arc<Concurrency>,
        client: ClientNetwork,
        page: impl Future<Output = Response<Body>>,
    ) -> Response<Body> {
        match places.take(client) {
            Some(place) => place.hold(page.await),
            None => self.api_response(Err(ApiError::busy())),
        }
    }

    /// Completes an API response, which is never cached.
    pub(super) fn api_response(&self, result: Result<Response<Body>, ApiError>) -> Response<Body> {
        self.complete(result.unwrap_or_else(ApiError::into_response), Cache::Never)
    }

    /// Adds the headers of every response. Resources of the site already have them.
    pub(super) fn complete(&self, mut response: Response<Body>, cache: Cache) -> Response<Body> {
        let headers = response.headers_mut();
        self.security_headers.add(headers);
        headers.insert(header::CACHE_CONTROL, cache.value());
        response
    }
}
