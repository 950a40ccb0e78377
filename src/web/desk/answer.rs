//! What the desk answers, and why it may not.

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use serde_json::{Value, json};

use crate::base::metrics::Refusal;
use crate::domain::ledger::ClosingRefusal;
use crate::domain::referral::Refusal as ChangeRefusal;
use crate::operate::report::ReportError;
use crate::operate::{CallError, Refused};
use crate::site::http::headers::Inline;
use crate::site::http::response::{self, Body};
use crate::site::templates::DeskPage;
use crate::store::Unavailable;
use crate::web::App;
use crate::web::limits::client_ip::ClientNetwork;

/// The first page.
pub const FIRST: &str = "/posteingang";

/// The policy of photos and of pages that commands write: they hold their style sheet, and nothing runs in them.
const WRITTEN: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'",
);

/// How long a client waits that has tried too many codes.
const TRY_AGAIN: HeaderValue = HeaderValue::from_static("60");

/// The methods that the desk knows.
const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");

/// An answer.
#[derive(Debug)]
pub enum DeskAnswer {
    /// A page of the desk.
    Page(StatusCode, DeskPage, Value),
    /// Another address, with cookies.
    Redirect(String, Vec<String>),
    /// A photo, or what a command writes: its media type, the name of the file to keep it in, if any, and its bytes.
    File(&'static str, Option<String>, Vec<u8>),
    /// An answer of the site.
    Made(Response<Body>),
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such page, inquiry or firm.
    Missing,
    /// There is no session.
    LoggedOut,
    /// The code does not work.
    WrongCode,
    /// The client has tried too many codes.
    TooManyCodes,
    /// The request names another host.
    WrongHost,
    /// Another site has sent it, or it is no form of the desk.
    Refused,
    /// The method is none that the desk knows.
    Method,
    /// The store does not answer.
    Unavailable,
    /// The page cannot be made; the log says why.
    Broken,
    /// Nothing was changed, for a reason; and where the browser came from.
    Unchanged(&'static str, String),
}

impl Problem {
    /// Returns the status, the name by which the page tells it, and the reason that is counted, where there is one.
    fn describe(&self) -> (StatusCode, &'static str, Option<Refusal>) {
        match self {
            Self::Missing => (StatusCode::NOT_FOUND, "missing", None),
            Self::LoggedOut => (StatusCode::FORBIDDEN, "logged_out", Some(Refusal::LoggedOut)),
            Self::WrongCode => (StatusCode::NOT_FOUND, "wrong_code", None),
            Self::TooManyCodes => (StatusCode::TOO_MANY_REQUESTS, "limited", Some(Refusal::RateLimit)),
            Self::WrongHost => (StatusCode::MISDIRECTED_REQUEST, "wrong_host", None),
            Self::Refused => (StatusCode::FORBIDDEN, "refused", Some(Refusal::CrossSite)),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "refused", None),
            Self::Unavailable => {
                let refusal = Some(Refusal::StoreUnavailable);
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", refusal)
            }
            Self::Broken => (StatusCode::INTERNAL_SERVER_ERROR, "unavailable", None),
            Self::Unchanged(..) => (StatusCode::CONFLICT, "unchanged", None),
        }
    }

    /// Says why a call changed nothing; `back` leads back to where the browser came from.
    pub fn of_call(error: CallError, back: &str) -> Self {
        match error {
            CallError::Refused(refused) => Self::Unchanged(reason(refused), back.to_owned()),
            error => error.into(),
        }
    }
}

impl From<Unavailable> for Problem {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        tracing::error!(%error, "the desk cannot reach the store");
        Self::Unavailable
    }
}

impl From<ReportError> for Problem {
    fn from(error: ReportError) -> Self {
        tracing::error!(%error, "the desk cannot do what it was asked for");
        Self::Unavailable
    }
}

/// Says in German why nothing was changed. Commands say the same in English.
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

/// Builds the response. Wrong codes are counted: whoever tries too many learns no more of them.
pub fn response(app: &App, client: ClientNetwork, answered: Result<DeskAnswer, Problem>) -> Response<Body> {
    let problem = match answered {
        Ok(answer) => return made(app, answer),
        Err(Problem::WrongCode) => {
            tracing::warn!("a wrong code was tried at the desk");
            // Dropped at once: the guess stays counted.
            let reserved = app.token_limit.reserve(client);
            reserved.map_or(Problem::TooManyCodes, |_| Problem::WrongCode)
        }
        Err(problem) => problem,
    };
    let (status, kind, refusal) = problem.describe();
    let (reason, back) = match problem {
        Problem::Unchanged(reason, back) => (Some(reason), back),
        _ => (None, FIRST.to_owned()),
    };
    let data = json!({ "kind": kind, "reason": reason, "back": back });
    let mut response = made(app, DeskAnswer::Page(status, DeskPage::Message, data));
    let headers = response.headers_mut();
    if status == StatusCode::TOO_MANY_REQUESTS {
        headers.insert(header::RETRY_AFTER, TRY_AGAIN);
    } else if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, ALLOWED);
    }
    if let Some(refusal) = refusal {
        response.extensions_mut().insert(refusal);
    }
    response
}

fn made(app: &App, answer: DeskAnswer) -> Response<Body> {
    let site = app.site();
    let none = Inline::default();
    let (mut response, inline) = match answer {
        DeskAnswer::Made(response) => return response,
        DeskAnswer::Page(status, page, data) => match app.templates.desk(page, &data) {
            Ok(html) => (
                response::with_type(status, "text/html; charset=utf-8", html),
                site.desk_inline(),
            ),
            Err(error) => {
                tracing::error!(%error, "a page of the desk cannot be made");
                let empty = response::empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new());
                (empty, &none)
            }
        },
        DeskAnswer::Redirect(path, cookies) => {
            let mut response = response::redirect(StatusCode::SEE_OTHER, &path, None);
            for cookie in cookies {
                // What a session is known by is plain text.
                if let Ok(cookie) = HeaderValue::try_from(cookie) {
                    response.headers_mut().append(header::SET_COOKIE, cookie);
                }
            }
            (response, &none)
        }
        DeskAnswer::File(media_type, name, bytes) => {
            let mut response = response::with_type(StatusCode::OK, media_type, bytes);
            protect(app, &mut response, &none);
            let headers = response.headers_mut();
            let name = name.map(|name| HeaderValue::try_from(format!("attachment; filename=\"{name}\"")));
            if let Some(Ok(name)) = name {
                headers.insert(header::CONTENT_DISPOSITION, name);
            }
            headers.insert(header::CONTENT_SECURITY_POLICY, WRITTEN);
            return response;
        }
    };
    protect(app, &mut response, inline);
    response
}

/// Adds the headers of a page that is for one person, and may stand in no other.
fn protect(app: &App, response: &mut Response<Body>, inline: &Inline) {
    let headers = response.headers_mut();
    app.security_headers.add_for_private_page(headers, inline, false);
    headers.insert(
        HeaderName::from_static("x-frame-options"),
        HeaderValue::from_static("DENY"),
    );
}
