//! The state that requests are answered from.

use std::sync::Arc;

use hyper::Response;
use hyper::header;
use ipnet::IpNet;

use super::api_error::ApiError;
use crate::headers::{Cache, SecurityHeaders};
use crate::origin::Origin;
use crate::rate_limit::RateLimit;
use crate::response::Body;
use crate::site::Site;
use crate::store::Store;

/// Everything that requests need, shared by all connections.
#[derive(Debug)]
pub struct App {
    /// Pages, files, redirects.
    pub site: Site,
    /// Headers that every response carries.
    pub security_headers: SecurityHeaders,
    /// The inquiries; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// `None` means no limit.
    pub rate_limit: Option<RateLimit>,
    /// Networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The public address.
    pub origin: Origin,
}

impl App {
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
