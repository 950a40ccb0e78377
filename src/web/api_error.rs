//! API errors: a status, and JSON with a message in German for the visitor.

use std::borrow::Cow;
use std::time::Duration;

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::body::{BodyError, MAX_BODY};
use crate::base::metrics::Refusal;
use crate::domain::inquiry::ErrorBody;
use crate::site::http::response::{self, Body};
use crate::store::{InsertError, Unavailable, UpdateError};

/// When to retry while the store is unavailable. A full or broken disk does not recover within a second, and visitors should not
/// wait longer than necessary.
const STORE_RETRY: Duration = Duration::from_secs(5);

/// A refused request.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
    /// `Allow`, `Retry-After` or `Refresh`. Boxed to keep results small.
    header: Option<Box<(HeaderName, HeaderValue)>>,
    /// The reason to count, if the status does not imply it.
    refusal: Option<Refusal>,
    /// Whether the client may be guessing tokens.
    is_guess: bool,
}

impl ApiError {
    /// An error with only a message.
    pub(super) fn new(status: StatusCode, code: &'static str, message: &'static str) -> Self {
        Self::of(status, ErrorBody::new(code, message))
    }

    /// An error with any body.
    pub(super) fn of(status: StatusCode, body: ErrorBody) -> Self {
        Self {
            status,
            body,
            header: None,
            refusal: None,
            is_guess: false,
        }
    }

    fn malformed_request(code: &'static str, details: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, "Die Anfrage ist fehlerhaft.").details(details)
    }

    fn details(mut self, details: impl Into<Cow<'static, str>>) -> Self {
        self.body.details = Some(details.into());
        self
    }

    /// Sets when to retry. Rounds up to whole seconds, at least one, so that a client that waits that long is not refused again.
    pub(super) fn retry_after(self, wait: Duration) -> Self {
        let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.header(header::RETRY_AFTER, whole.max(1).into())
    }

    /// Sets the header sent along with the body.
    pub(super) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some(Box::new((name, value)));
        self
    }

    /// Sets the reason to count, where the status does not imply it.
    pub(super) fn refusal(mut self, reason: Refusal) -> Self {
        self.refusal = Some(reason);
        self
    }

    /// 400: the target does not have the form of its method.
    pub fn bad_target() -> Self {
        Self::malformed_request("bad_request", "Request-Target")
    }

    /// 400: `Host` is missing, repeated or invalid.
    pub fn bad_host() -> Self {
        Self::malformed_request("bad_request", "Host")
    }

    /// 414: the target has more than `most` bytes.
    pub fn target_too_long(most: usize) -> Self {
        let message = "Diese Adresse ist zu lang.";
        Self::new(StatusCode::URI_TOO_LONG, "uri_too_long", message)
            .details(format!("höchstens {most} Bytes"))
    }

    /// 400: the idempotency key is invalid.
    pub fn bad_idempotency_key() -> Self {
        let details = "Idempotency-Key: 1 bis 255 sichtbare ASCII-Zeichen";
        Self::malformed_request("invalid_idempotency_key", details)
    }

    /// 400: one of the questionnaire's headers is invalid.
    pub fn bad_form_header() -> Self {
        let details =
            "Form-Consent: eine Zahl; Form-Additions: höchstens 2.000 Zeichen, prozentkodiertes UTF-8";
        Self::malformed_request("invalid_form_header", details)
    }

    /// 400: `select` names an unknown column.
    pub fn unknown_column() -> Self {
        Self::malformed_request("unknown_column", "select: unbekannte Spalte")
    }

    /// 400: the body does not have the expected form.
    pub fn malformed(field: &'static str) -> Self {
        Self::malformed_request("malformed", field)
    }

    /// 403: sent from another site.
    pub fn cross_site() -> Self {
        let message = "Anfragen sind nur von dieser Website aus möglich.";
        Self::new(StatusCode::FORBIDDEN, "cross_site", message).refusal(Refusal::CrossSite)
    }

    /// 404: nothing exists at this path.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "Diese Adresse gibt es nicht.")
    }

    /// 404: the token of a private page is not genuine.
    pub fn wrong_token() -> Self {
        Self {
            is_guess: true,
            ..Self::not_found()
        }
    }

    /// 405, with the allowed methods.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let message = "Diese Methode ist hier nicht erlaubt.";
        Self {
            header: Some(Box::new((header::ALLOW, HeaderValue::from_static(allow)))),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
        }
    }

    /// 415: the body is not JSON.
    pub fn not_json() -> Self {
        Self::unsupported_type("Die Anfrage muss als JSON gesendet werden.")
            .details("Content-Type: application/json")
    }

    /// 415: the body is not of the form's media type.
    pub fn not_form() -> Self {
        Self::unsupported_type("Ihr Browser hat das Formular nicht so gesendet, wie wir es erwarten.")
    }

    fn unsupported_type(message: &'static str) -> Self {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "unsupported_media_type", message)
    }

    /// 400: the body is not a UTF-8 form.
    pub fn unreadable_form() -> Self {
        let message = "Die Anfrage konnte nicht gelesen werden.";
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// 429: the client has sent too many requests.
    pub fn rate_limited(wait: Duration) -> Self {
        let message = "Sie haben in kurzer Zeit mehrere Anfragen gesendet. Bitte versuchen Sie es in einer Minute noch einmal.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
            .refusal(Refusal::RateLimit)
            .retry_after(wait)
    }

    /// 429: too many pages are waiting to be read by this client, or by all.
    pub fn busy() -> Self {
        let message = "Die Seite kann gerade nicht angezeigt werden. Bitte laden Sie sie in Kürze erneut.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
            .refusal(Refusal::Busy)
            .retry_after(STORE_RETRY)
    }

    /// 500: a page of the desk cannot be rendered; the log has the reason.
    pub fn broken() -> Self {
        let message = "Die Seite kann gerade nicht angezeigt werden.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", message)
    }

    /// 503: the store cannot take an inquiry, or does not answer.
    pub fn store_unavailable() -> Self {
        Self::unavailable(
            "Ihre Anfrage kann gerade nicht gespeichert werden. Bitte versuchen Sie es in Kürze erneut.",
        )
    }

    /// 503: the store cannot take a subscription.
    pub fn subscription_unavailable() -> Self {
        Self::unavailable(
            "Ihre Anmeldung kann gerade nicht gespeichert werden. Bitte versuchen Sie es in Kürze erneut.",
        )
    }

    fn unavailable(message: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store_unavailable", message)
            .refusal(Refusal::StoreUnavailable)
            .retry_after(STORE_RETRY)
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the token was not genuine, so that the client may be guessing.
    pub fn is_guess(&self) -> bool {
        self.is_guess
    }

    /// Adds to a page what the JSON response has besides its body: its header, and the reason to count.
    pub fn complete(&self, page: &mut Response<Body>) {
        page.headers_mut().extend(self.header.as_deref().cloned());
        if let Some(refusal) = self.refusal {
            page.extensions_mut().insert(refusal);
        }
    }

    /// The body of the response.
    pub fn body(&self) -> &ErrorBody {
        &self.body
    }

    /// Builds the JSON response.
    pub fn into_response(self) -> Response<Body> {
        // Serializing a structure of strings cannot fail.
        let json = serde_json::to_vec(&self.body).unwrap_or_default();
        let mut response = response::with_type(self.status, response::JSON, json);
        self.complete(&mut response);
        response
    }
}

impl From<ErrorBody> for ApiError {
    fn from(error: ErrorBody) -> Self {
        Self::of(StatusCode::BAD_REQUEST, error)
    }
}

impl From<InsertError> for ApiError {
    fn from(error: InsertError) -> Self {
        match error {
            InsertError::KeyReused => {
                let message = "Diese Anfrage wurde bereits mit anderen Angaben gesendet.";
                Self::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "idempotency_key_reused",
                    message,
                )
                .details("Idempotency-Key: zuvor mit anderem Inhalt verwendet")
            }
            InsertError::Unavailable(error) => error.into(),
        }
    }
}

impl From<Unavailable> for ApiError {
    fn from(_: Unavailable) -> Self {
        Self::store_unavailable()
    }
}

impl From<UpdateError> for ApiError {
    /// A refusal for which a page has no text means that there is nothing to change.
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Refused(_) => Self::not_found(),
            UpdateError::Unavailable(error) => error.into(),
        }
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => {
                let message = "Ihre Anfrage ist zu umfangreich.";
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
                    .details(format!("höchstens {MAX_BODY} Bytes"))
            }
            BodyError::TooSlow => {
                let message = "Ihre Anfrage ist nicht rechtzeitig angekommen. Bitte versuchen Sie es erneut.";
                Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", message)
            }
            BodyError::Broken => {
                let message = "Die Anfrage ist unvollständig angekommen.";
                Self::new(StatusCode::BAD_REQUEST, "broken_body", message)
            }
        }
    }
}
