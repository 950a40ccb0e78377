//! The state that requests are answered from.

use std::fmt;
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

/// Pause between two rounds of forgetting inactive clients. The privacy notice says that an address is gone three minutes
/// after it was last used; what remembers one does so for two at most.
const FORGET_EVERY: Duration = Duration::from_secs(30);

/// For how long the first visit of a client to the questionnaire is remembered, to tell a robot by its haste. Its page is the same
/// for everybody, so the form without JavaScript cannot say how long it was open. Longer than anybody waits between two visits
/// of which the second is a quick one.
const VISIT: Duration = Duration::from_mins(2);

/// Pages that were made for one visitor and wait until they are read, at once. All other bodies are shared by those who ask for
/// them, or a few hundred bytes long. The longest repeats a form of 16 KB in which every character is escaped by six, so all
/// of them take at most 45 MB. A page that is read at once counts for milliseconds.
const MAX_PAGES: usize = 256;

/// Of one client: an eighth, as of connections.
const MAX_PAGES_PER_CLIENT: usize = MAX_PAGES / 8;

/// Photos at once, of some 400 KB each.
const MAX_PHOTOS: usize = 64;

/// Of one client: those of two pages.
const MAX_PHOTOS_PER_CLIENT: usize = 2 * crate::domain::referral::MAX_PHOTOS + 2;

/// Pause between two log lines about requests that failed: visitors who ask about theirs are few, and a broken disk must not
/// fill what is left of it.
const FAILED_EVERY: Duration = Duration::from_secs(1);

/// Answers the requests of a listener that does not serve the site.
pub trait Handler: fmt::Debug + Send + Sync {
    /// Answers one request.
    fn respond(self: Arc<Self>, request: RequestContext<'_>) -> BoxFuture<'_, Response<Body>>;
}

/// A request, and what it is answered from.
pub struct RequestContext<'a> {
    /// What all requests share.
    pub app: &'a App,
    /// Who sends it.
    pub client: ClientNetwork,
    /// Its head.
    pub parts: &'a Parts,
    /// Its body, of which nothing has been read.
    pub body: &'a mut RequestBody,
}

/// Everything that requests need, shared by all connections.
#[derive(Debug)]
pub struct App {
    /// Pages, files, redirects, as the configuration has them now.
    pub site: Arc<SiteKeeper>,
    /// Headers that every response carries.
    pub security_headers: SecurityHeaders,
    /// The inquiries; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// What is done with inquiries, as the configuration has it now.
    pub policy: watch::Receiver<Arc<HandlingPolicy>>,
    /// Takes mails to the outbox that the store does not know.
    pub farewells: Arc<Farewells>,
    /// What is counted of visits.
    pub funnel: Arc<Funnel>,
    /// What is counted for the operator's monitoring.
    pub metrics: Arc<Metrics>,
    /// Of inquiries.
    pub rate_limit: RateLimit,
    /// Of inquiries that firms get, whoever limits the rest.
    pub passing_on: RateLimit,
    /// Of requests for the newsletter.
    pub newsletter_limit: RateLimit,
    /// Of wrong tokens. Apart from inquiries, so that nobody who follows old links is kept from sending one.
    pub token_limit: RateLimit,
    /// Of inquiries and requests for the newsletter, by network and day.
    pub daily_share: RateLimit,
    /// Of photos, by network and day.
    pub photo_share: RateLimit,
    /// Of changes by forms of private pages. A firm may answer many inquiries in a row.
    pub change_limit: RateLimit,
    /// Of what the site's own script tells of a visit.
    pub beacon_limit: RateLimit,
    /// Pages that were made for one visitor.
    pub made_pages: Arc<Concurrency>,
    /// Photos that are sent to somebody.
    pub sent_photos: Arc<Concurrency>,
    /// Photos that come in.
    pub uploads: Uploads,
    /// What is logged of each request.
    pub access_log: AccessLog,
    /// Lets lines about requests that failed into the log.
    pub failed_requests: LogThrottle,
    /// Who came to the questionnaire when.
    pub first_visits: RateLimit,
    /// Networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// What answers the challenges of an ACME directory.
    pub challenges: Challenges,
    /// Where plain requests are sent; `None` without TLS.
    pub https: Option<HttpsRedirect>,
    /// What answers instead of the site, on a listener of its own.
    pub handler: Option<Arc<dyn Handler>>,
    /// The public address.
    pub origin: Origin,
}

impl App {
    /// Creates an app that stores nothing and limits nobody, such as a demo.
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

    /// Returns the client of a request that came from `peer`.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientNetwork {
        ClientNetwork::of(client_ip::client(peer, headers, &self.trusted_proxies))
    }

    /// Returns the site.
    pub fn site(&self) -> Arc<Site> {
        self.site.site()
    }

    /// Returns what is done with inquiries.
    pub fn policy(&self) -> Arc<HandlingPolicy> {
        Arc::clone(&self.policy.borrow())
    }

    /// Keeps no client's address longer than the privacy notice says. Never ends by itself.
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
    /// When the client has tried too many, and is to learn no more of them.
    pub(super) fn count_guess(&self, client: ClientNetwork) -> Result<(), ApiError> {
        // Dropped at once: the guess stays counted.
        let counted = self.token_limit.reserve(client);
        counted.map(drop).map_err(ApiError::rate_limited)
    }

    /// Makes a page for one visitor, unless too many of its kind wait to be taken.
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

    /// Completes a response of the API. It is never cached.
    pub(super) fn api_response(&self, result: Result<Response<Body>, ApiError>) -> Response<Body> {
        self.complete(result.unwrap_or_else(ApiError::into_response), Cache::Never)
    }

    /// Adds the headers that every response carries. Resources of the site have them already.
    pub(super) fn complete(&self, mut response: Response<Body>, cache: Cache) -> Response<Body> {
        let headers = response.headers_mut();
        self.security_headers.add(headers);
        headers.insert(header::CACHE_CONTROL, cache.value());
        response
    }
}
