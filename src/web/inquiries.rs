//! `POST /rest/v1/inquiries`: from a visitor's record to a durable one (`docs/behaviour.md`, "The inquiry API").

use std::net::IpAddr;

use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Response};
use jiff::Timestamp;
use uuid::Uuid;

use super::api_error::ApiError;
use super::app::App;
use super::body::RequestBody;
use super::preference::Preference;
use super::{counting, form_headers, posted, thanks};
use crate::base::metrics::InquiryResult;
use crate::domain::inquiry::{FILL_TIME_HEADER, Inquiry, NewInquiry, Suspicion, TRAP_HEADER};
use crate::domain::referral::NewReferral;
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::store::{IdempotencyKey, Inserted, Store};
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::rate_limit::Reservation;

/// Response header: whether firms were asked, a Boolean of RFC 9651. The thank-you page promises offers only then.
const FIRMS_ASKED_HEADER: &str = "firms-asked";

/// Stores the inquiry in the body and answers 201 once it is on disk, never before.
///
/// # Errors
/// Everything that keeps it from being stored.
pub async fn create(
    app: &App,
    peer: IpAddr,
    parts: &Parts,
    body: &mut RequestBody,
) -> Result<Response<Body>, ApiError> {
    let bytes = posted::json(app, parts, body).await?;
    let headers = &parts.headers;
    let inquiry = NewInquiry::parse(&bytes, Timestamp::now())?.marked(suspicion(headers));
    let referral = form_headers::read(headers)?;
    let key = idempotency_key(headers)?;
    let preference = Preference::requested(headers, parts.uri.query())?;
    let client = app.client(peer, headers);
    let stored = match &app.store {
        Some(store) => {
            let inserted = accept(app, store, client, inquiry, referral, key).await?;
            if let Inserted::New(stored) = &inserted {
                counting::inquiry(app, headers, stored, headers.contains_key(FILL_TIME_HEADER));
            }
            inserted.into_inquiry()
        }
        None => return Ok(preference.created(&demo(app, client, inquiry)?)),
    };
    let mut response = preference.created(&stored);
    if let Some(store) = &app.store {
        let headers = response.headers_mut();
        headers.insert(header::LOCATION, private_page(store, stored.id));
        if let Ok(is_asked) = thanks::firms_asked(app, store, stored.id).await {
            let value = if is_asked { "?1" } else { "?0" };
            headers.insert(FIRMS_ASKED_HEADER, HeaderValue::from_static(value));
        }
    }
    Ok(response)
}

/// Stores an inquiry if the client may send another one. Only what is stored counts.
pub(super) async fn accept(
    app: &App,
    store: &Store,
    client: ClientNetwork,
    mut inquiry: NewInquiry,
    mut referral: NewReferral,
    key: Option<IdempotencyKey>,
) -> Result<Inserted, ApiError> {
    let counted = |result: InquiryResult| app.metrics.count_inquiry(result);
    let reservation = match reserve(app, client) {
        Ok(reservation) => reservation,
        // A repetition stores nothing and must get the same answer, whatever the limit. Otherwise the store finds out by
        // itself, so that a disk that hangs costs one wait and not two.
        Err(limited) => {
            let Some(key) = &key else { return Err(limited) };
            let replayed = store
                .replay(key, &inquiry, &referral.addition)
                .await?
                .ok_or(limited)?;
            counted(InquiryResult::Replayed);
            return Ok(Inserted::Replayed(replayed));
        }
    };
    // Not the visitor's own doing, where a whole network is at it.
    let share = app.daily_share.as_ref().map(|share| share.reserve(client.site()));
    let (is_crowd, share) = match share.transpose() {
        Ok(share) => (false, share),
        Err(_) => (true, None),
    };
    if is_crowd && inquiry.suspicion().is_none() {
        inquiry = inquiry.marked(Some(Suspicion::TooMany));
    }
    let passing_on = match inquiry.suspicion() {
        None => app.passing_on.as_ref(),
        Some(_) => None,
    };
    let passing = match passing_on {
        Some(passing_on) => {
            let policy = app.policy();
            passing_on.count(&policy, store, client, inquiry.answers()).await
        }
        None => None,
    };
    if let Some(passing) = passing.as_ref().filter(|passing| passing.is_held) {
        inquiry = inquiry.marked(Some(Suspicion::TooMany));
        referral.is_held_told = passing.is_told;
    }
    let suspicion = inquiry.suspicion();
    let stored = match store.insert(inquiry, referral, key).await {
        Ok(Inserted::New(stored)) => stored,
        other => {
            for reservation in reservation.into_iter().chain(share) {
                reservation.release();
            }
            if let Some(passing) = passing {
                passing.release();
            }
            let replayed = other?;
            counted(InquiryResult::Replayed);
            return Ok(replayed);
        }
    };
    // Logged only now, so that refused requests cannot fill the log.
    if let Some(reason) = suspicion {
        counted(InquiryResult::Suspected);
        if reason == Suspicion::TooMany {
            tracing::info!(
                "an inquiry is held back: its sender or network has sent as many as firms get within a day"
            );
        } else {
            tracing::info!(?reason, "an inquiry is suspected to be a robot's");
        }
    } else {
        counted(InquiryResult::Accepted);
    }
    Ok(Inserted::New(stored))
}

/// Answers as if the inquiry had been stored.
pub(super) fn demo(app: &App, client: ClientNetwork, inquiry: NewInquiry) -> Result<Inquiry, ApiError> {
    // Dropped at once: the inquiry stays counted.
    let _ = reserve(app, client)?;
    tracing::warn!("demo mode: an inquiry was answered with success and not kept");
    // It gets an id like a stored one, so that the visitor sees what a real site shows.
    Ok(inquiry.with_id(Uuid::now_v7()))
}

/// Reserves a place within the client's limit, if there is a limit.
fn reserve(app: &App, client: ClientNetwork) -> Result<Option<Reservation<'_>>, ApiError> {
    let reserved = app.rate_limit.as_ref().map(|limit| limit.reserve(client));
    reserved.transpose().map_err(ApiError::rate_limited)
}

/// Returns the suspicion that the questionnaire's own report raises. The response does not depend on it, so that a robot
/// learns nothing.
fn suspicion(headers: &HeaderMap) -> Option<Suspicion> {
    let value = |name| headers.get(name).map(HeaderValue::as_bytes);
    Suspicion::of(value(FILL_TIME_HEADER), value(TRAP_HEADER))
}

/// Returns the address of the visitor's private page.
fn private_page(store: &Store, id: Uuid) -> HeaderValue {
    let path = PrivatePath::Visitor(&store.secret().visitor_token(id)).path();
    // A token is plain ASCII.
    HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/"))
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
