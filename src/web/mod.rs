//! Routes requests, in one readable list of everything served over HTTP.

mod access;
pub mod api_error;
mod app;
pub mod body;
mod counting;
pub mod desk;
mod https;
pub mod inquiries;
pub mod limits;
mod passing_on;
mod plain_listener;
pub mod posted;
pub mod preference;
mod private;
mod questionnaire;
pub mod target;
mod thanks;
pub mod upload;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode, Version};

use crate::base::metrics::{Refusal, RequestKind};
use crate::site::http::headers::Cache;
use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use api_error::ApiError;
pub use app::{App, Handler, RequestContext};
use body::RequestBody;
pub use https::Encrypted;
pub use plain_listener::{Challenges, HttpsRedirect};

/// Reports whether inquiries can be stored.
const HEALTH: &str = "/healthz";
/// Receives inquiries. `PostgREST` has this path for a table of this name.
const INQUIRIES: &str = "/rest/v1/inquiries";
/// Receives requests for the newsletter.
const NEWSLETTER: &str = "/rest/v1/newsletter";
/// Receives reports that a prefetched page is shown.
const PAGES: &str = "/rest/v1/pages";
/// Receives reports of the questionnaire's steps.
const STEPS: &str = "/rest/v1/steps";
/// Errors below this path are JSON.
const API: &str = "/rest/";

/// Time limit of the store in a health check, shorter than that of `taubenabwehr healthcheck`.
const STORE_TIME: Duration = Duration::from_secs(4);

/// Handles one request from `peer`.
pub async fn handle(app: &Arc<App>, peer: IpAddr, request: Request<Incoming>) -> Response<Body> {
    let started = Instant::now();
    let (mut parts, incoming) = request.into_parts();
    https::avoid_compression(&mut parts);
    let mut body = RequestBody::new(incoming);
    let context = RequestContext {
        app,
        client: app.client(peer, &parts.headers),
        parts: &parts,
        body: &mut body,
    };
    let (kind, mut response) = match target::check(&parts) {
        Ok(()) => match https::redirect(app, peer, &parts) {
            Some(redirect) => (RequestKind::Other, redirect),
            None => match &app.handler {
                Some(handler) => (RequestKind::Private, Arc::clone(handler).respond(context).await),
                // Boxed to keep idle connections small.
                None => Box::pin(route(context)).await,
            },
        },
        Err(error) => (RequestKind::Other, app.api_response(Err(error))),
    };
    https::complete(app, peer, &parts, &mut response);
    if !body.is_complete() && parts.version != Version::HTTP_2 {
        // Depending on how much of an unread body has arrived, hyper may not find its end. The remaining bytes could then be
        // answered as a request while this response is still being sent, so close the connection.
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    access::note(app, peer, &parts, kind, started.elapsed(), &mut response);
    response
}

async fn route(request: RequestContext<'_>) -> (RequestKind, Response<Body>) {
    let (app, parts) = (request.app, request.parts);
    let (is_read, is_post) = (
        matches!(parts.method, Method::GET | Method::HEAD),
        parts.method == Method::POST,
    );
    let api = |answer| (RequestKind::Api, app.api_response(answer));
    match parts.uri.path() {
        INQUIRIES | NEWSLETTER | PAGES | STEPS if !is_post => api(Err(ApiError::method_not_allowed("POST"))),
        INQUIRIES => api(inquiries::create(request).await),
        NEWSLETTER => api(private::newsletter::create(request).await),
        STEPS => api(counting::step(request).await),
        PAGES => api(counting::shown(request).await),
        HEALTH if is_read => (RequestKind::Health, health(app).await),
        path if is_read && let Some(answer) = app.challenges.answer(path) => {
            let response = response::with_type(StatusCode::OK, "application/octet-stream", answer);
            (RequestKind::Other, app.complete(response, Cache::Never))
        }
        path if path.starts_with(API) => api(Err(ApiError::not_found())),
        questionnaire::PATH if is_read => (RequestKind::Page, questionnaire::respond(request).await),
        questionnaire::PATH => (RequestKind::Api, questionnaire::respond(request).await),
        thanks::PATH if is_read && parts.uri.query().is_some() => {
            (RequestKind::Private, thanks::respond(request).await)
        }
        path if let Some(address) = PrivatePath::parse(path) => {
            (RequestKind::Private, private::respond(&address, request).await)
        }
        _ if is_read => page(app, parts).await,
        _ => {
            let refused = Err(ApiError::method_not_allowed("GET, HEAD"));
            (RequestKind::Other, app.api_response(refused))
        }
    }
}

async fn page(app: &App, parts: &Parts) -> (RequestKind, Response<Body>) {
    let path = parts.uri.path();
    app.site.for_visitor(path).await;
    let site = app.site();
    if let Some((path, resource)) = site.find_named(path) {
        let response = resource.respond(&parts.headers).await;
        if !resource.is_page() {
            return (RequestKind::Asset, response);
        }
        counting::page(app, parts, path, response.status());
        return (RequestKind::Page, response);
    }
    let answer = match site.redirect(path) {
        Some(target) => {
            let status = StatusCode::MOVED_PERMANENTLY;
            let response = response::redirect(status, &target, parts.uri.query());
            app.complete(response, Cache::Revalidate)
        }
        None => site.missing(path).respond(&parts.headers).await,
    };
    (RequestKind::Other, answer)
}

/// Responds 200 only while the store is writable; in demo mode, always.
async fn health(app: &App) -> Response<Body> {
    let is_healthy = match &app.store {
        // A hanging disk is as bad as a failing one.
        Some(store) => tokio::time::timeout(STORE_TIME, store.check_writable())
            .await
            .unwrap_or(false),
        None => true,
    };
    let response = if is_healthy {
        response::with_type(StatusCode::OK, response::TEXT, "ok\n")
    } else {
        let text = "the store cannot be written\n";
        let mut response = response::with_type(StatusCode::SERVICE_UNAVAILABLE, response::TEXT, text);
        response.extensions_mut().insert(Refusal::StoreUnavailable);
        response
    };
    app.complete(response, Cache::Never)
}
