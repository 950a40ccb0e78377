//! The newsletter: requests for a subscription (`POST /rest/v1/newsletter`), and the subscriber's pages to confirm and end it.

use std::time::Duration;

use hyper::{HeaderMap, Response, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;

use super::page;
use crate::domain::inquiry::EmailAddress;
use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::site::templates::{PageKind, context};
use crate::store::Store;
use crate::web::api_error::ApiError;
use crate::web::app::{App, RequestContext};
use crate::web::posted::{self, Fields, media_type};

/// The field that mail programs send for one-click unsubscription (RFC 8058).
const ONE_CLICK: (&str, &str) = ("List-Unsubscribe", "One-Click");

/// When to retry if the network's share of the day is used up. After an hour, part of the sliding window may be free again.
const CROWD_PAUSE: Duration = Duration::from_hours(1);

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    email: String,
}

/// Requests a subscription. Responds 202 once the confirmation mail, if one is due, is certain to be sent. The response never
/// reveals whether the address is known.
///
/// # Errors
/// When there is no mail server, the address is invalid, or the client has reached a limit.
pub async fn create(mut request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, client) = (request.app, request.client);
    let bytes = posted::json(&mut request).await;
    let store = app.store.as_ref().filter(|_| app.policy().visitor_mail);
    let store = store.ok_or_else(ApiError::not_found)?;
    let wish: Wish = serde_json::from_slice(&bytes?).map_err(|_| ApiError::malformed("email"))?;
    let email = EmailAddress::parse(&wish.email).ok_or_else(EmailAddress::error)?;
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

/// Shows the button to confirm, or the state of the subscription.
pub async fn show_confirmation(app: &App, token: &str) -> Result<Response<Body>, ApiError> {
    let (store, key, requested_at) = find_request(app, token).await?;
    let found = store.subscription(key).await?;
    let (status, kind) = match found.filter(|subscription| subscription.is_of(requested_at)) {
        Some(subscription) if subscription.is_confirmed() => (StatusCode::OK, PageKind::NewsletterConfirmed),
        Some(subscription) if !subscription.is_expired(Timestamp::now()) => {
            (StatusCode::OK, PageKind::NewsletterConfirm)
        }
        _ => (StatusCode::GONE, PageKind::NewsletterExpired),
    };
    let action = PrivatePath::Confirmation(token).path();
    Ok(page::response(app, status, kind, &context! { action }))
}

/// Confirms a subscription, and redirects to the page that shows the result.
pub async fn confirm(app: &App, token: &str) -> Result<Response<Body>, ApiError> {
    let (store, key, requested_at) = find_request(app, token).await?;
    store.confirm_subscription(key, requested_at).await?;
    Ok(page::redirect(app, &PrivatePath::Confirmation(token), None))
}

/// Shows the button to unsubscribe, or that there is no subscription.
pub async fn show_unsubscription(app: &App, token: &str) -> Result<Response<Body>, ApiError> {
    let (store, key) = find(app, token).await?;
    let kind = match store.subscription(key).await? {
        Some(_) => PageKind::NewsletterUnsubscribe,
        None => PageKind::NewsletterUnsubscribed,
    };
    let action = PrivatePath::Unsubscription(token).path();
    Ok(page::response(app, StatusCode::OK, kind, &context! { action }))
}

/// Ends a subscription, by our page's button or a mail program's. The latter does not send our `Origin`; the token alone authorizes
/// it.
pub async fn unsubscribe(token: &str, request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, parts) = (request.app, request.parts);
    let body = request.body.read().await;
    let is_one_click = matches!(&body, Ok(body) if is_one_click(&parts.headers, body));
    if !is_one_click {
        posted::form(app, parts, body)?;
    }
    let (store, key) = find(app, token).await?;
    store.unsubscribe(key).await?;
    if is_one_click {
        let kind = PageKind::NewsletterUnsubscribed;
        return Ok(page::response(app, StatusCode::OK, kind, &context! {}));
    }
    Ok(page::redirect(app, &PrivatePath::Unsubscription(token), None))
}

/// The subscription that a token confirms, and when it was requested.
async fn find_request<'a>(app: &'a App, token: &str) -> Result<(&'a Store, [u8; 16], Timestamp), ApiError> {
    let store = super::store(app).await?;
    let request = store.secret().confirmed_request(token);
    let (key, requested_at) = request.ok_or_else(ApiError::wrong_token)?;
    Ok((store, key, requested_at))
}

/// The subscription that a token ends.
async fn find<'a>(app: &'a App, token: &str) -> Result<(&'a Store, [u8; 16]), ApiError> {
    let store = super::store(app).await?;
    let key = store.secret().newsletter_subscription(token);
    Ok((store, key.ok_or_else(ApiError::wrong_token)?))
}

/// Whether a mail program sent this, in either form encoding.
fn is_one_click(headers: &HeaderMap, body: &[u8]) -> bool {
    if media_type(headers).eq_ignore_ascii_case("multipart/form-data") {
        let (name, value) = ONE_CLICK;
        let text = String::from_utf8_lossy(body);
        return text.contains(&format!("name=\"{name}\"")) && text.contains(value);
    }
    Fields::of(body).has(ONE_CLICK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{CONTENT_TYPE, HeaderValue};

    #[test]
    fn mail_programs_are_recognised_in_both_encodings() {
        let sent = |content_type, body: &str| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(content_type))]);
            is_one_click(&headers, body.as_bytes())
        };
        let (plain, multipart) = (
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
        );
        assert!(sent(plain, "List-Unsubscribe=One-Click"));
        let part =
            "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
        assert!(sent(multipart, part));
        assert!(!sent(plain, ""));
        assert!(!sent(plain, "List-Unsubscribe=1"));
        assert!(!sent(multipart, "--x--"));
    }
}
