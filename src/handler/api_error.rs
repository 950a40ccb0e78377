//! Errors of the API: JSON with a German message fit for the toast (contract, "HTTP").

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

use super::Body;
use super::body::{BodyError, MAX_BODY};
use super::target::MAX_TARGET;
use crate::inquiry::Rejection;
use crate::store::InsertError;

/// How long a client waits before it tries again when the store is unavailable: a full disk or a broken one does not
/// come back within a second, and a visitor's browser should not wait longer than need be.
const STORE_RETRY: Duration = Duration::from_secs(5);

/// A request that was refused.
#[derive(Debug)]
pub struct ApiError(Box<Refusal>);

// Boxed, so that the result of every step of a request stays small.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    body: ErrorBody,
    header: Option<(HeaderName, HeaderValue)>,
}

/// The shape that `PostgREST` clients expect.
#[derive(Debug, Serialize)]
struct ErrorBody {
    code: &'static str,
    message: String,
    details: Option<String>,
    hint: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        let body = ErrorBody {
            code,
            message: message.to_owned(),
            details: None,
            hint: None,
        };
        Self(Box::new(Refusal {
            status,
            body,
            header: None,
        }))
    }

    fn details(mut self, details: impl Into<String>) -> Self {
        self.0.body.details = Some(details.into());
        self
    }

    fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.header = Some((name, value));
        self
    }

    /// 400: the idempotency key cannot be read.
    pub fn bad_idempotency_key() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "invalid_idempotency_key",
            "Die Anfrage ist fehlerhaft.",
        )
        .details("Idempotency-Key: 1 bis 255 sichtbare ASCII-Zeichen")
    }

    /// 400: `select` names a column that does not exist.
    pub fn unknown_column() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "unknown_column",
            "Die Anfrage ist fehlerhaft.",
        )
        .details("select: unbekannte Spalte")
    }

    /// 400: this part of the request is not what HTTP asks for.
    pub fn bad_request(part: &'static str) -> Self {
        let message = "Die Anfrage ist fehlerhaft.";
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message).details(part)
    }

    /// 403: sent by another site's page.
    pub fn cross_site() -> Self {
        let message = "Anfragen sind nur von dieser Website aus möglich.";
        Self::new(StatusCode::FORBIDDEN, "cross_site", message)
    }

    /// 404: no such thing in the API.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "Diese Adresse gibt es nicht.")
    }

    /// 405, with what would be allowed.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let message = "Diese Methode ist hier nicht erlaubt.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
            .header(header::ALLOW, HeaderValue::from_static(allow))
    }

    /// 414: longer than [`MAX_TARGET`].
    pub fn target_too_long() -> Self {
        let message = "Diese Adresse ist zu lang.";
        Self::new(StatusCode::URI_TOO_LONG, "uri_too_long", message)
            .details(format!("höchstens {MAX_TARGET} Bytes"))
    }

    /// 415: the body is something else than JSON.
    pub fn not_json() -> Self {
        let message = "Die Anfrage muss als JSON gesendet werden.";
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        )
        .details("Content-Type: application/json")
    }

    /// 429: too many inquiries from this client.
    pub fn rate_limited(wait: Duration) -> Self {
        let message =
            "Sie haben in kurzer Zeit mehrere Anfragen gesendet. Bitte versuchen Sie es gleich noch einmal.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
            .header(header::RETRY_AFTER, seconds(wait))
    }

    /// What the request is refused with.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The header that goes with it, if there is one.
    pub fn header_name(&self) -> Option<&HeaderName> {
        self.0.header.as_ref().map(|(name, _)| name)
    }

    /// The body, as it is sent.
    pub fn body(&self) -> serde_json::Value {
        // As below, this cannot fail.
        serde_json::to_value(&self.0.body).unwrap_or_default()
    }

    /// The answer that carries it.
    pub fn into_response(self) -> Response<Body> {
        // A structure of strings always has a JSON form.
        let json = serde_json::to_vec(&self.0.body).unwrap_or_default();
        let mut response = Response::new(Full::new(Bytes::from(json)));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json; charset=utf-8"),
        );
        if let Some((name, value)) = self.0.header {
            headers.insert(name, value);
        }
        response
    }
}

/// Whole seconds, rounded up, at least one: a client that waits that long is not refused again.
fn seconds(wait: Duration) -> HeaderValue {
    let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    HeaderValue::from(whole.max(1))
}

impl From<Rejection> for ApiError {
    fn from(rejection: Rejection) -> Self {
        let Rejection {
            code,
            message,
            details,
            hint,
        } = rejection;
        let body = ErrorBody {
            code,
            message,
            details,
            hint,
        };
        Self(Box::new(Refusal {
            status: StatusCode::BAD_REQUEST,
            body,
            header: None,
        }))
    }
}

impl From<InsertError> for ApiError {
    fn from(error: InsertError) -> Self {
        match error {
            InsertError::KeyReused => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "idempotency_key_reused",
                "Diese Anfrage wurde bereits mit anderen Angaben gesendet.",
            )
            .details("Idempotency-Key: zuvor mit anderem Inhalt verwendet"),
            InsertError::Unavailable => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "store_unavailable",
                "Ihre Anfrage kann gerade nicht gespeichert werden. Bitte versuchen Sie es in Kürze erneut.",
            )
            .header(header::RETRY_AFTER, seconds(STORE_RETRY)),
        }
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too_large",
                "Ihre Anfrage ist zu umfangreich.",
            )
            .details(format!("höchstens {MAX_BODY} Bytes")),
            BodyError::TooSlow => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "timeout",
                "Ihre Anfrage ist nicht rechtzeitig angekommen. Bitte versuchen Sie es erneut.",
            ),
            BodyError::Broken => Self::new(
                StatusCode::BAD_REQUEST,
                "broken_body",
                "Die Anfrage ist unvollständig angekommen.",
            ),
        }
    }
}
