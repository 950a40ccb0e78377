//! `POST /rest/v1/inquiries`: validates and stores an inquiry (`docs/behaviour.md`, "The inquiry API").

use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response};
use jiff::Timestamp;
use percent_encoding::percent_decode;
use uuid::Uuid;

use super::api_error::ApiError;
use super::app::{App, RequestContext};
use super::preference::Preference;
use super::{counting, passing_on, posted, thanks};
use crate::base::metrics::InquiryResult;
use crate::base::text::mail_address::plain_lines;
use crate::domain::inquiry::{FILL_TIME_HEADER, Inquiry, NewInquiry, Suspicion, TRAP_HEADER};
use crate::domain::referral::{MAX_ADDITION, NewReferral};
use crate::operate::funnel::Counted;
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::store::{IdempotencyKey, Inserted, Store};
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::rate_limit::Reservation;

/// Response header that tells whether firms were asked, as a Boolean of RFC 9651. Only then does the thank-you page promise offers.
const FIRMS_ASKED_HEADER: &str = "firms-asked";

/// Request header with the percent-encoded text entered under Sonstiges and the kind of building.
pub const ADDITIONS_HEADER: &str = "form-additions";

/// Request header with the number of the consent wording above the form's button.
pub const CONSENT_HEADER: &str = "form-consent";

/// Stores the inquiry in the body. Responds 201 only once it is on disk.
///
/// # Errors
/// When the inquiry is refused or cannot be stored.
pub async fn create(mut request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    let bytes = posted::json(&mut request).await?;
    let headers = &parts.headers;
    let inquiry = NewInquiry::parse(&bytes, Timestamp::now())?.marked(suspicion(headers));
    let referral = read_referral(headers)?;
    let key = idempotency_key(headers)?;
    let preference = Preference::requested(headers, parts.uri.query())?;
    let Some(store) = &app.store else {
        return Ok(preference.created(&demo(app, client, inquiry)?));
    };
    let counted = counting::inquiry(headers, headers.contains_key(FILL_TIME_HEADER));
    let inserted = accept(app, store, client, inquiry, referral, key, counted).await?;
    let stored = inserted.into_inquiry();
    let mut response = preference.created(&stored);
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, private_page(store, stored.id));
    if let Ok(is_asked) = thanks::firms_asked(app, store, stored.id).await {
        let value = if is_asked { "?1" } else { "?0" };
        headers.insert(FIRMS_ASKED_HEADER, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Stores an inquiry, within the client's limits. Only stored inquiries count towards the limits; unless suspected, they are also
/// counted for the operator.
pub(super) async fn accept(
    app: &App,
    store: &Store,
    client: ClientNetwork,
    mut inquiry: NewInquiry,
    mut referral: NewReferral,
    key: Option<IdempotencyKey>,
    counted_as: Option<Counted<'_>>,
) -> Result<Inserted, ApiError> {
    let mut counted = match app.rate_limit.reserve(client) {
        Ok(reservation) => vec![reservation],
        // A replay stores nothing and must get the same response regardless of the limit. Within the limit, the store detects
        // replays itself, so that a hanging disk costs one wait instead of two.
        Err(wait) => {
            let limited = ApiError::rate_limited(wait);
            let Some(key) = &key else { return Err(limited) };
            let replayed = store.replay(key, &inquiry, &referral.addition).await?;
            let replayed = replayed.ok_or(limited)?;
            app.metrics.count_inquiry(InquiryResult::Replayed);
            return Ok(Inserted::Replayed(replayed));
        }
    };
    // Others in the network may be to blame, so hold the inquiry back instead of refusing it.
    match app.daily_share.reserve(client.site()) {
        Ok(share) => counted.push(share),
        Err(_) if inquiry.suspicion.is_none() => {
            let number = app.daily_share.used(client.site()).saturating_add(1);
            inquiry = inquiry.marked(Some(Suspicion::TooMany(number)));
        }
        Err(_) => {}
    }
    if inquiry.suspicion.is_none() {
        match passing_on::count(app, store, client, &inquiry.answers).await {
            Ok(passed_on) => counted.extend(passed_on),
            Err((number, held, told)) => {
                inquiry = inquiry.marked(Some(Suspicion::TooMany(number)));
                referral.is_held_told = told.is_some();
                counted.extend(told.into_iter().chain([held]));
            }
        }
    }
    let suspicion = inquiry.suspicion;
    let inserted = store.insert(inquiry, referral, key).await;
    if !matches!(inserted, Ok(Inserted::New(_))) {
        counted.into_iter().for_each(Reservation::release);
    }
    let inserted = inserted?;
    let result = match (&inserted, suspicion) {
        (Inserted::Replayed(_), _) => InquiryResult::Replayed,
        (Inserted::New(_), None) => {
            if let Some(counted) = counted_as {
                app.funnel.count(counted);
            }
            InquiryResult::Accepted
        }
        // Logged only once stored, so that refused requests cannot fill the log.
        (Inserted::New(_), Some(reason)) => {
            if let Suspicion::TooMany(_) = reason {
                tracing::info!(
                    "an inquiry is held back: its sender or network has sent as many as firms get within a day"
                );
            } else {
                tracing::info!(?reason, "an inquiry is suspected to be a robot's");
            }
            InquiryResult::Suspected
        }
    };
    app.metrics.count_inquiry(result);
    Ok(inserted)
}

/// Responds as if the inquiry were stored.
pub(super) fn demo(app: &App, client: ClientNetwork, inquiry: NewInquiry) -> Result<Inquiry, ApiError> {
    // The reservation stays counted when dropped.
    let _ = app.rate_limit.reserve(client).map_err(ApiError::rate_limited)?;
    tracing::warn!("demo mode: an inquiry was answered with success and not kept");
    // Gets an id like a stored inquiry, so that the visitor sees what a real site shows.
    Ok(inquiry.with_id(Uuid::now_v7()))
}

/// The suspicion that follows from the questionnaire's own headers. The response does not depend on it, so that a robot learns
/// nothing.
fn suspicion(headers: &HeaderMap) -> Option<Suspicion> {
    let value = |name| headers.get(name).map(HeaderValue::as_bytes);
    Suspicion::of(value(FILL_TIME_HEADER), value(TRAP_HEADER))
}

/// The address of the visitor's private page.
fn private_page(store: &Store, id: Uuid) -> HeaderValue {
    let path = PrivatePath::Visitor(&store.secret().visitor_token(id)).path();
    // A token is ASCII, so this cannot fail.
    HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/"))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let key = IdempotencyKey::parse(value.as_bytes()).filter(|_| values.next().is_none());
    key.map(Some).ok_or_else(ApiError::bad_idempotency_key)
}

/// Reads what the questionnaire sends in headers, since the inquiry's record has no fields for it.
///
/// # Errors
/// When a header is invalid.
fn read_referral(headers: &HeaderMap) -> Result<NewReferral, ApiError> {
    let consent = match headers.get(CONSENT_HEADER) {
        None => None,
        Some(value) => {
            let number = value.to_str().ok().and_then(|text| text.parse().ok());
            Some(number.ok_or_else(ApiError::bad_form_header)?)
        }
    };
    let addition = match headers.get(ADDITIONS_HEADER) {
        None => String::new(),
        Some(value) => addition(value.as_bytes()).ok_or_else(ApiError::bad_form_header)?,
    };
    Ok(NewReferral {
        consent,
        addition,
        is_held_told: false,
    })
}

fn addition(encoded: &[u8]) -> Option<String> {
    let text = percent_decode(encoded).decode_utf8().ok()?;
    clean(&text)
}

/// Normalises a text for storage: trimmed, with plain line breaks and no other control characters. `None` if it is too long.
pub fn clean(text: &str) -> Option<String> {
    let text = plain_lines(text);
    (text.chars().count() <= MAX_ADDITION).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_decoded_and_cleaned() {
        let read = |text: &str| addition(text.as_bytes());
        assert_eq!(
            read("T%C3%BCr%0D%0A%20offen%00%1b ").as_deref(),
            Some("Tür\n offen")
        );
        assert_eq!(read("").as_deref(), Some(""));
        assert_eq!(read("%ff"), None);
        assert_eq!(
            read(&"%C3%BC".repeat(2000)).map(|text| text.chars().count()),
            Some(2000)
        );
        assert_eq!(read(&"a".repeat(2001)), None);
    }
}
