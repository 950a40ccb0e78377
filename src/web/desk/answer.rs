//! The desk's answers and errors.

use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use serde_json::{Value, json};

use crate::domain::ledger::ClosingRefusal;
use crate::domain::referral::Refusal as ChangeRefusal;
use crate::operate::{CallError, Refused};
use crate::site::http::response::{self, Body};
use crate::site::templates::DeskPage;
use crate::web::App;
use crate::web::api_error::ApiError;

/// The start page.
pub const FIRST: &str = "/posteingang";

/// Error code of an action that changed nothing; the page shows the reason.
const UNCHANGED: &str = "unchanged";

/// Content security policy of photos and of pages that commands write. Their style sheet is inline, and no script runs in them.
const WRITTEN: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'",
);

/// An answer of the desk.
#[derive(Debug)]
pub enum DeskAnswer {
    /// A page of the desk.
    Page(StatusCode, DeskPage, Value),
    /// A redirect, with cookies.
    Redirect(String, Vec<String>),
    /// A photo or a command's output: its media type, the name to save it under, if any, and its bytes.
    File(&'static str, Option<String>, Vec<u8>),
    /// A response that is already complete.
    Made(Response<Body>),
}

/// An error for which the page has text, selected by this code.
pub fn known(status: StatusCode, code: &'static str) -> ApiError {
    ApiError::new(status, code, "")
}

/// An error that explains why nothing was changed.
pub fn unchanged(reason: &'static str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, UNCHANGED, reason)
}

impl From<CallError> for ApiError {
    fn from(error: CallError) -> Self {
        if let CallError::Refused(refused) = error {
            return unchanged(reason(refused));
        }
        tracing::error!(%error, "the desk cannot reach the store");
        Self::store_unavailable()
    }
}

/// Builds an address, with a query if there are any pairs.
pub fn address<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    match query.extend_pairs(pairs).finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// The reason in German why nothing was changed. Commands print it in English.
fn of_change(refusal: ChangeRefusal) -> &'static str {
    match refusal {
        ChangeRefusal::Unknown => "Diese Anfrage gibt es nicht mehr.",
        ChangeRefusal::Damaged => "Die Anfrage ist beschädigt; lassen Sie den Befehl check laufen.",
        ChangeRefusal::Withdrawn => "Die Anfrage ist zurückgezogen.",
        ChangeRefusal::TooLate => "Es haben schon genug Betriebe angenommen.",
        ChangeRefusal::TooManyAsked => {
            "Für diese Anfrage sind schon so viele Betriebe gefragt, wie eine Anfrage haben kann."
        }
        ChangeRefusal::Changed => "Der Text hat sich geändert, seit Sie ihn gelesen haben.",
        ChangeRefusal::OtherPrice => "Der Preis hat sich inzwischen geändert.",
        ChangeRefusal::Answered => "Der Betrieb hat schon geantwortet.",
        ChangeRefusal::TooLong => "Der Text ist länger als 2.000 Zeichen.",
        ChangeRefusal::Held => "Die Anfrage wird zurückgehalten; geben Sie sie zuerst frei.",
        ChangeRefusal::UnknownFirm => "Diesen Betrieb kennt die Konfiguration nicht.",
        ChangeRefusal::Unreachable => {
            "Der Betrieb ist nicht zu erreichen: Sein Mailserver lehnt die Adresse ab. Berichtigen Sie sie in der Konfiguration."
        }
        ChangeRefusal::AskedBefore => "Der Betrieb ist schon gefragt.",
        ChangeRefusal::NotHeld => "Die Anfrage wird nicht zurückgehalten.",
        ChangeRefusal::NotAccepted => "Der Betrieb hat die Anfrage nicht angenommen.",
        ChangeRefusal::NoReview => "Die Person hat ihre Bewertung zurückgenommen.",
        ChangeRefusal::NoConsent => "Die Person hat der Veröffentlichung nicht zugestimmt.",
        ChangeRefusal::NotFailed => "Diese Zustellung wartet nicht und ist nicht gescheitert.",
    }
}

fn reason(refused: Refused) -> &'static str {
    match refused {
        Refused::Change(refusal) => of_change(refusal),
        Refused::Closing(ClosingRefusal::NotOver(_)) => "Der Monat ist noch nicht vorbei.",
        Refused::Unknown(_) => of_change(ChangeRefusal::Unknown),
    }
}

/// Builds the response to a request for `path`.
pub fn response(app: &App, path: &str, answered: Result<DeskAnswer, ApiError>) -> Response<Body> {
    answered.map_or_else(|error| refused(app, path, &error), |answer| made(app, answer))
}

fn refused(app: &App, path: &str, error: &ApiError) -> Response<Body> {
    let body = error.body();
    let back = match body.code {
        UNCHANGED => back(path),
        _ => FIRST.to_owned(),
    };
    let data = json!({ "kind": body.code, "reason": body.message, "back": back });
    let mut response = made(app, DeskAnswer::Page(error.status(), DeskPage::Message, data));
    error.complete(&mut response);
    response
}

/// The page from which the unsuccessful action was sent.
fn back(path: &str) -> String {
    match *path.split('/').skip(1).collect::<Vec<_>>() {
        ["anfragen", _, "loeschen"] => path.to_owned(),
        ["anfragen", id, _] => format!("/anfragen/{id}"),
        ["abrechnung", month, _] => format!("/abrechnung?month={month}"),
        [list, ..] => format!("/{list}"),
        [] => FIRST.to_owned(),
    }
}

fn made(app: &App, answer: DeskAnswer) -> Response<Body> {
    let site = app.site();
    let is_written = matches!(answer, DeskAnswer::File(..));
    let mut response = match answer {
        DeskAnswer::Made(response) => return response,
        DeskAnswer::Page(status, page, data) => match site.templates().desk(page, &data) {
            Ok(html) => response::with_type(status, "text/html; charset=utf-8", html),
            Err(error) => {
                tracing::error!(%error, "a page of the desk cannot be made");
                response::empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new())
            }
        },
        DeskAnswer::Redirect(path, cookies) => {
            let mut response = response::redirect(StatusCode::SEE_OTHER, &path, None);
            // Session tokens are ASCII, so this cannot fail.
            let cookies = cookies
                .into_iter()
                .map(HeaderValue::try_from)
                .filter_map(Result::ok);
            let cookies = cookies.map(|cookie| (header::SET_COOKIE, cookie));
            response.headers_mut().extend(cookies);
            response
        }
        DeskAnswer::File(media_type, name, bytes) => {
            let name = name.map(|name| HeaderValue::try_from(format!("attachment; filename=\"{name}\"")));
            let name = name.and_then(Result::ok);
            let mut response = response::with_type(StatusCode::OK, media_type, bytes);
            response
                .headers_mut()
                .extend(name.map(|name| (header::CONTENT_DISPOSITION, name)));
            response
        }
    };
    // Pages are for the operator only, and cannot be framed.
    let headers = response.headers_mut();
    app.security_headers
        .add_for_private_page(headers, site.desk_inline(), false);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if is_written {
        headers.insert(header::CONTENT_SECURITY_POLICY, WRITTEN);
    }
    response
}
