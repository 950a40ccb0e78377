//! Pages behind secret addresses for visitors, firms and subscribers (`docs/behaviour.md`, "Private pages"). A GET changes nothing,
//! since mail scanners open every link.

mod describe;
mod firm;
pub mod newsletter;
mod page;
mod photos;
mod visitor;

use hyper::{Method, Response, StatusCode};

use super::api_error::ApiError;
use super::app::{App, RequestContext};
use super::posted::{self, Fields};
use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::store::Store;
use crate::web::limits::client_ip::ClientNetwork;
use visitor::VisitorInquiry;

/// Responds to a request for a private page.
pub async fn respond(address: &PrivatePath<'_>, request: RequestContext<'_>) -> Response<Body> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    let query = parts.uri.query();
    let respond = |answer: Result<Response<Body>, ApiError>| {
        answer.unwrap_or_else(|error| page::refused(app, client, error))
    };
    let has_slash = parts.uri.path().ends_with('/');
    let takes_posts = !has_slash && !matches!(address, PrivatePath::FirmPhoto(..));
    if is_read && has_slash {
        let status = StatusCode::MOVED_PERMANENTLY;
        page::complete(app, response::redirect(status, &address.path(), query), false)
    } else if is_read {
        let places = match address {
            PrivatePath::VisitorPhoto(..) | PrivatePath::FirmPhoto(..) => &app.sent_photos,
            _ => &app.made_pages,
        };
        let page = async { respond(show(app, address, query).await) };
        app.made_in(places, client, page).await
    } else if takes_posts && parts.method == Method::POST {
        let answer = match *address {
            PrivatePath::Photos(token) => photos::add(token, request).await,
            // Not rate-limited: mail providers unsubscribe many subscribers from one address.
            PrivatePath::Unsubscription(token) => newsletter::unsubscribe(token, request).await,
            _ => change(address, request).await,
        };
        changed(app, client, respond(answer))
    } else {
        let allow = if takes_posts {
            "GET, HEAD, POST"
        } else {
            "GET, HEAD"
        };
        app.api_response(Err(ApiError::method_not_allowed(allow)))
    }
}

/// Takes a place for the response to a form, if it has a body. No place is held while photos arrive or the store writes, and a
/// client that has made a change gets its success status even without one.
fn changed(app: &App, client: ClientNetwork, response: Response<Body>) -> Response<Body> {
    if response.body().is_empty() {
        return response;
    }
    match app.made_pages.take(client) {
        Some(place) => place.hold(response),
        None if response.status().is_success() => page::empty(app, response.status()),
        None => app.api_response(Err(ApiError::busy())),
    }
}

async fn show(app: &App, address: &PrivatePath<'_>, query: Option<&str>) -> Result<Response<Body>, ApiError> {
    match *address {
        PrivatePath::Withdrawal(token) => Ok(VisitorInquiry::find(app, token).await?.ask()),
        // A form that came back with an error has the address for photos.
        PrivatePath::Visitor(token) | PrivatePath::Photos(token) => {
            Ok(VisitorInquiry::find(app, token).await?.show(query))
        }
        PrivatePath::VisitorPhoto(token, number, size) => {
            let VisitorInquiry { store, record, .. } = VisitorInquiry::find(app, token).await?;
            photos::show(app, store, &record, number, size).await
        }
        PrivatePath::FirmPhoto(token, number, size) => {
            let (store, record) = firm::with_photos(app, token).await?;
            photos::show(app, store, &record, number, size).await
        }
        PrivatePath::Firm(token) => firm::show(app, token, query).await,
        PrivatePath::Confirmation(token) => newsletter::show_confirmation(app, token).await,
        PrivatePath::Unsubscription(token) => newsletter::show_unsubscription(app, token).await,
    }
}

/// Makes a change, within the client's limit. Wrong tokens have their own limit.
async fn change(address: &PrivatePath<'_>, request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let app = request.app;
    // Always read the body first: a client that is still sending could miss an earlier response.
    let body = request.body.read().await;
    let reservation = app.change_limit.reserve(request.client);
    let reservation = reservation.map_err(ApiError::rate_limited)?;
    let form = Fields::of(&posted::form(app, request.parts, body)?);
    let change = async {
        match *address {
            PrivatePath::Visitor(token) => VisitorInquiry::find(app, token).await?.change(&form).await,
            PrivatePath::Withdrawal(token) => VisitorInquiry::find(app, token).await?.withdraw().await,
            PrivatePath::VisitorPhoto(token, number, _) => photos::remove(app, token, number).await,
            PrivatePath::Firm(token) => firm::answer(app, token, &form).await,
            PrivatePath::Confirmation(token) => newsletter::confirm(app, token).await,
            PrivatePath::Photos(_) | PrivatePath::FirmPhoto(..) | PrivatePath::Unsubscription(_) => {
                Err(ApiError::not_found())
            }
        }
    };
    let changed = change.await;
    if changed.as_ref().is_err_and(ApiError::is_guess) {
        reservation.release();
    }
    changed
}

/// The store, with the secret that verifies tokens loaded. Without a store, the page does not exist.
async fn store(app: &App) -> Result<&Store, ApiError> {
    let store = app.store.as_deref().ok_or_else(ApiError::not_found)?;
    store.ensure_secret_loaded().await?;
    Ok(store)
}
