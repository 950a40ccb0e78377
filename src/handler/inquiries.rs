//! `POST /rest/v1/inquiries`: from a visitor's record to a durable one (contract, "HTTP").

use std::net::IpAddr;

use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Request, Response};
use jiff::Timestamp;
use uuid::Uuid;

use super::api_error::ApiError;
use super::preference::Representation;
use super::{App, Body, body, same_origin, target};
use crate::client_ip::{self, ClientNetwork};
use crate::inquiry::{FILL_TIME_HEADER, Inquiry, NewInquiry, Suspicion, TRAP_HEADER};
use crate::store::{IdempotencyKey, Inserted};

/// Stores the inquiry in the body and answers 201 once it is on disk, never before.
///
/// # Errors
/// Everything that keeps it from being stored.
pub async fn create(app: &App, peer: IpAddr, request: Request<Incoming>) -> Result<Response<Body>, ApiError> {
    let (parts, incoming) = request.into_parts();
    // The body is read first in any case: a client that is still sending would miss an early answer.
    let bytes = body::read(incoming).await;
    let headers = &parts.headers;
    if !same_origin::is_allowed(headers, target::host(&parts), &app.origin) {
        return Err(ApiError::cross_site());
    }
    if !is_json(headers) {
        return Err(ApiError::not_json());
    }
    let inquiry = NewInquiry::parse(&bytes?, Timestamp::now())?.marked(suspicion(headers));
    let key = idempotency_key(headers)?;
    let client = ClientNetwork::of(client_ip::client(peer, headers, &app.trusted_proxies));
    let wished = Representation::wished(&Request::from_parts(parts, ()))?;
    let stored = store(app, client, inquiry, key).await?;
    Ok(wished.created(&stored))
}

async fn store(
    app: &App,
    client: ClientNetwork,
    inquiry: NewInquiry,
    key: Option<IdempotencyKey>,
) -> Result<Inquiry, ApiError> {
    // A repetition is answered before the limit is asked: it stores nothing, and must get the same answer.
    if let (Some(store), Some(key)) = (&app.store, &key)
        && let Some(stored) = store.replay(key, &inquiry).await?
    {
        return Ok(stored);
    }
    if let Some(limit) = &app.rate_limit {
        limit.take(client).map_err(ApiError::rate_limited)?;
    }
    let Some(store) = &app.store else {
        tracing::warn!("demo mode: an inquiry was answered with success and not kept");
        // An id like a stored one, so that the visitor sees what a real site shows.
        return Ok(inquiry.with_id(Uuid::now_v7()));
    };
    let suspicion = inquiry.suspicion();
    let stored = match store.insert(inquiry, key).await? {
        Inserted::New(stored) => stored,
        Inserted::Replayed(stored) => return Ok(stored),
    };
    // Only now: whoever is refused must not fill the log.
    if let Some(reason) = suspicion {
        tracing::info!(?reason, "an inquiry is suspected to be a robot's");
    }
    Ok(stored)
}

/// The suspicion that what the questionnaire reports raises. The answer is the same with it: a robot learns nothing.
fn suspicion(headers: &HeaderMap) -> Option<Suspicion> {
    let value = |name| headers.get(name).map(HeaderValue::as_bytes);
    Suspicion::of(value(FILL_TIME_HEADER), value(TRAP_HEADER))
}

fn is_json(headers: &HeaderMap) -> bool {
    let is_plain = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let essence = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    is_plain && essence.trim().eq_ignore_ascii_case("application/json")
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut values = headers.get_all("idempotency-key").iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => IdempotencyKey::parse(value.as_bytes())
            .map(Some)
            .ok_or_else(ApiError::bad_idempotency_key),
        _ => Err(ApiError::bad_idempotency_key()),
    }
}
