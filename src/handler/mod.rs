//! From request to response: one readable list of what there is over HTTP.

mod api_error;
mod body;
mod inquiries;
pub mod openapi;
mod preference;
mod same_origin;
mod target;

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body as _, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use ipnet::IpNet;

use crate::config::origin::Origin;
use crate::headers::{Cache, Defences};
use crate::rate_limit::RateLimit;
use crate::site::Site;
use crate::store::Store;
use api_error::ApiError;

/// The table of inquiries, under the base path of the backend's REST interface (spec section 7).
const INQUIRIES: &str = "/rest/v1/inquiries";
/// Everything that answers errors in JSON.
const API: &str = "/rest/";
/// Whether the store can be written.
const HEALTH: &str = "/healthz";

/// What requests are answered from, shared by all connections.
#[derive(Debug)]
pub struct App {
    /// Pages, files, redirects.
    pub site: Site,
    /// Headers that every response carries.
    pub defences: Defences,
    /// The inquiries; `None` in demo mode.
    pub store: Option<Arc<Store>>,
    /// `None` is no limit.
    pub rate_limit: Option<RateLimit>,
    /// Networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The public address.
    pub origin: Origin,
}

/// Body of every response.
pub type Body = Full<Bytes>;

/// Answers one request from `peer`.
pub async fn handle(app: &App, peer: IpAddr, request: Request<Incoming>) -> Response<Body> {
    let has_body = !request.body().is_end_stream();
    let checked = target::check(
        request.method(),
        request.uri(),
        request.version(),
        request.headers(),
    );
    let reads_body = checked.is_ok() && request.method() == Method::POST && request.uri().path() == INQUIRIES;
    let mut response = match checked {
        Ok(()) => route(app, peer, request).await,
        Err(refusal) => app.answer(Err(refusal)),
    };
    if has_body && !reads_body {
        // Whether hyper finds the end of a body that nobody reads depends on how much of it has come, and what stands
        // behind it could be answered while this answer is still on its way. So nothing behind it is a request.
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

async fn route(app: &App, peer: IpAddr, request: Request<Incoming>) -> Response<Body> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    match request.uri().path() {
        INQUIRIES if request.method() == Method::POST => {
            app.answer(inquiries::create(app, peer, request).await)
        }
        INQUIRIES => app.answer(Err(ApiError::method_not_allowed("POST"))),
        HEALTH if is_read => health(app).await,
        path if path.starts_with(API) => app.answer(Err(ApiError::not_found())),
        _ if is_read => page(app, &request),
        _ => app.answer(Err(ApiError::method_not_allowed("GET, HEAD"))),
    }
}

fn page(app: &App, request: &Request<Incoming>) -> Response<Body> {
    let path = request.uri().path();
    if let Some(resource) = app.site.find(path) {
        return resource.respond(request.headers());
    }
    match app.site.redirect(path) {
        Some(target) => app.redirect(&target, request.uri().query()),
        None => app.site.missing(path).respond(request.headers()),
    }
}

async fn health(app: &App) -> Response<Body> {
    let is_healthy = match &app.store {
        Some(store) => store.check_writable().await,
        None => true,
    };
    let (status, text) = if is_healthy {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the store cannot be written\n")
    };
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    app.finish(response)
}

impl App {
    /// Completes an answer of the API.
    fn answer(&self, result: Result<Response<Body>, ApiError>) -> Response<Body> {
        self.finish(result.unwrap_or_else(ApiError::into_response))
    }

    /// Adds what every response carries that does not come from the site, whose resources have it already.
    fn finish(&self, mut response: Response<Body>) -> Response<Body> {
        self.defences.add(response.headers_mut());
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, Cache::Never.value());
        response
    }

    fn redirect(&self, target: &str, query: Option<&str>) -> Response<Body> {
        let location = query.map_or_else(|| target.to_owned(), |query| format!("{target}?{query}"));
        let mut response = Response::new(Full::default());
        *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
        // A target comes from a request that hyper has parsed, or from the manifest: both fit into a header.
        if let Ok(location) = HeaderValue::try_from(location) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        let mut response = self.finish(response);
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, Cache::Revalidate.value());
        response
    }
}
