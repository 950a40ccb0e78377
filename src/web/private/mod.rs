//! Pages that only one person knows: those of a visitor, of a firm, of a subscriber (`docs/behaviour.md`, "Private
//! pages"). The address is the secret. A GET changes nothing, since mail scanners open every link.

mod describe;
mod failure;
mod firm;
mod form;
mod newsletter;
mod page;
mod photos;
mod review;
mod visitor;

use std::net::IpAddr;

use bytes::Bytes;
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};

use super::api_error::ApiError;
use super::app::App;
use super::body::{BodyError, RequestBody};
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::web::limits::client_ip::ClientNetwork;
use failure::PageFailure;
use form::PrivateForm;

/// Answers a request for a private page.
pub async fn respond(
    app: &App,
    peer: IpAddr,
    address: &PrivatePath<'_>,
    parts: &Parts,
    body: &mut RequestBody,
) -> Response<Body> {
    let (is_read, query) = (
        matches!(parts.method, Method::GET | Method::HEAD),
        parts.uri.query(),
    );
    let client = app.client(peer, &parts.headers);
    let ends_in_slash = parts.uri.path().ends_with('/');
    let respond = |answer: Result<Response<Body>, PageFailure>| {
        answer.unwrap_or_else(|failure| failure.into_response(app, client))
    };
    match parts.method {
        _ if is_read && ends_in_slash => page::moved(app, address, query),
        _ if is_read => {
            let places = match address {
                PrivatePath::VisitorPhoto(..) | PrivatePath::FirmPhoto(..) => &app.sent_photos,
                _ => &app.made_pages,
            };
            let page = Box::pin(async { respond(show(app, address, query).await) });
            app.made_in(places, client, page).await
        }
        Method::POST
            if let PrivatePath::Photos(token) = address
                && !ends_in_slash =>
        {
            let added = match ensure_secret_loaded(app).await {
                Ok(()) => Box::pin(photos::add(app, client, token, parts, body)).await,
                Err(failure) => Err(failure),
            };
            changed(app, client, respond(added))
        }
        Method::POST if !ends_in_slash && !matches!(address, PrivatePath::FirmPhoto(..)) => {
            // The body is always read first: a client that is still sending could miss an earlier response.
            let body = body.read().await;
            let answer = change_if_allowed(app, client, address, parts, body).await;
            changed(app, client, respond(answer))
        }
        _ => {
            let allow = if ends_in_slash || matches!(address, PrivatePath::FirmPhoto(..)) {
                "GET, HEAD"
            } else {
                "GET, HEAD, POST"
            };
            app.api_response(Err(ApiError::method_not_allowed(allow)))
        }
    }
}

/// Finds a place for what a form is answered with, if it has a body. A place is not held while photos arrive or the store writes; and
/// whoever has changed something hears so even if there is none.
fn changed(app: &App, client: ClientNetwork, response: Response<Body>) -> Response<Body> {
    if response.body().bytes().is_empty() {
        return response;
    }
    match app.made_pages.take(client) {
        Some(place) => place.hold(response),
        None if response.status().is_success() => page::empty(app, response.status()),
        None => app.api_response(Err(ApiError::busy())),
    }
}

async fn show(
    app: &App,
    address: &PrivatePath<'_>,
    query: Option<&str>,
) -> Result<Response<Body>, PageFailure> {
    ensure_secret_loaded(app).await?;
    match address {
        PrivatePath::Withdrawal(token) => visitor::ask(app, token).await,
        // The latter is the address of a form that came back with an error.
        PrivatePath::Visitor(token) | PrivatePath::Photos(token) => visitor::show(app, token, query).await,
        PrivatePath::VisitorPhoto(token, number, size) => {
            photos::show_to_visitor(app, token, *number, *size).await
        }
        PrivatePath::FirmPhoto(token, number, size) => photos::show_to_firm(app, token, *number, *size).await,
        PrivatePath::Firm(token) => firm::show(app, token, query).await,
        PrivatePath::Confirmation(token) => newsletter::show_confirmation(app, token).await,
        PrivatePath::Unsubscription(token) => newsletter::show_unsubscription(app, token).await,
    }
}

/// Makes a change unless the client has made too many. Wrong tokens are counted apart from changes. The end of a
/// subscription is not counted at all: providers of mail press the button for many subscribers from one address.
async fn change_if_allowed(
    app: &App,
    client: ClientNetwork,
    address: &PrivatePath<'_>,
    parts: &Parts,
    body: Result<Bytes, BodyError>,
) -> Result<Response<Body>, PageFailure> {
    if matches!(address, PrivatePath::Unsubscription(_)) {
        return change(app, address, parts, body).await;
    }
    let reservation = app.change_limit.reserve(client);
    let reservation = reservation.map_err(PageFailure::TooMany)?;
    let changed = change(app, address, parts, body).await;
    if let Err(PageFailure::WrongToken) = changed {
        reservation.release();
    }
    changed
}

async fn change(
    app: &App,
    address: &PrivatePath<'_>,
    parts: &Parts,
    body: Result<Bytes, BodyError>,
) -> Result<Response<Body>, PageFailure> {
    ensure_secret_loaded(app).await?;
    if let PrivatePath::Unsubscription(token) = address {
        return newsletter::unsubscribe(app, token, parts, body).await;
    }
    let form = PrivateForm::of_own_page(app, parts, body)?;
    match address {
        PrivatePath::Visitor(token) if review::is_meant(&form) => review::note(app, token, &form).await,
        PrivatePath::Visitor(token) => visitor::add(app, token, &form).await,
        PrivatePath::Withdrawal(token) => visitor::withdraw(app, token).await,
        PrivatePath::VisitorPhoto(token, number, _) => photos::remove(app, token, *number).await,
        PrivatePath::Photos(_) | PrivatePath::FirmPhoto(..) => {
            Err(PageFailure::Refused(StatusCode::METHOD_NOT_ALLOWED))
        }
        PrivatePath::Firm(token) => firm::answer(app, token, &form).await,
        PrivatePath::Confirmation(token) | PrivatePath::Unsubscription(token) => {
            newsletter::confirm(app, token).await
        }
    }
}

/// Makes sure that tokens can be told from guesses.
async fn ensure_secret_loaded(app: &App) -> Result<(), PageFailure> {
    match &app.store {
        Some(store) => Ok(store.ensure_secret_loaded().await?),
        None => Ok(()),
    }
}
