//! `POST /rest/v1/newsletter`: a mail with which the owner of an address can subscribe. The response never tells whether
//! the address is known.

use std::time::Duration;

use hyper::{HeaderMap, Response, StatusCode};
use serde::Deserialize;

use super::api_error::ApiError;
use super::app::RequestContext;
use super::posted;
use crate::domain::inquiry::EmailAddress;
use crate::site::http::response::{self, Body};

/// When somebody may try again whose network has asked too often on this day: an hour is soon enough to get a part of the next
/// day's share.
const CROWD_PAUSE: Duration = Duration::from_hours(1);

/// What is posted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    email: String,
}

/// Answers 202 once the mail is sure to be sent, if it is to be sent at all.
///
/// # Errors
/// When there is no mail server, the address is none, or the client has asked too often.
pub async fn create(mut request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, client) = (request.app, request.client);
    let bytes = posted::json(&mut request).await;
    let store = app.store.as_ref().filter(|_| app.policy().visitor_mail);
    let store = store.ok_or_else(ApiError::not_found)?;
    let wish: Wish = serde_json::from_slice(&bytes?).map_err(|_| ApiError::malformed("email"))?;
    let email = EmailAddress::parse(&wish.email).ok_or_else(ApiError::invalid_email)?;
    let reservation = app.newsletter_limit.reserve(client);
    let reservation = reservation.map_err(ApiError::rate_limited)?;
    let share = app.daily_share.reserve(client.site());
    let share = share.map_err(|_| ApiError::rate_limited(CROWD_PAUSE))?;
    if store.subscribe(email.as_str().to_owned()).await.is_err() {
        reservation.release();
        share.release();
        return Err(ApiError::subscription_unavailable());
    }
    Ok(response::empty(StatusCode::ACCEPTED, HeaderMap::new()))
}
