//! The desk's responses and errors.

use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use super::Work;
use crate::domain::referral::Refusal as ChangeRefusal;
use crate::operate::{CallError, Refused};
use crate::site::http::response::{self, Body};
use crate::site::templates::DeskPage;
use crate::web::api_error::ApiError;

/// The start page.
pub const FIRST: &str = "/posteingang";

/// Error code of an action that changed nothing; the page shows the reason.
const UNCHANGED: &str = "unchanged";

/// Error code of an action on something that has changed since it was read; it is shown again.
pub const CHANGED: &str = "changed";

/// Content security policy of photos and of pages that commands write. Their style sheet is inline, and no script runs in them.
const WRITTEN: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'",
);

/// The reasons in German by the names of refusals.
const REASONS: &str = include_str!("refusals.txt");

/// The media type of Excel workbooks.
pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// An error for a file that cannot be written; the log says why.
pub fn broken(error: impl std::fmt::Display) -> ApiError {
    tracing::error!(%error, "the desk cannot write a file");
    ApiError::broken()
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
        match error {
            CallError::Refused(Refused::Change(ChangeRefusal::Changed)) => {
                known(StatusCode::CONFLICT, CHANGED)
            }
            CallError::Refused(refused) => unchanged(reason(refused)),
            error => {
                tracing::error!(%error, "the desk cannot reach the store");
                Self::store_unavailable()
            }
        }
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
fn reason(refused: Refused) -> &'static str {
    let name: &str = match refused {
        Refused::Unknown(_) => ChangeRefusal::Unknown.into(),
        Refused::Change(refusal) => refusal.into(),
        Refused::Ledger(refusal) => refusal.into(),
    };
    let reason = REASONS
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    reason.unwrap_or("Das ist jetzt nicht möglich.")
}

impl Work {
    /// Renders a page.
    pub fn page(&self, page: DeskPage, data: &Value) -> Response<Body> {
        let rendered = self.app.site().templates().desk(page, data);
        self.complete(response::html(StatusCode::OK, rendered))
    }

    /// Renders a page with a form, which may have been sent with wrong answers.
    pub fn returned(&self, page: DeskPage, data: &Value, is_wrong: bool) -> Response<Body> {
        let mut response = self.page(page, data);
        if is_wrong {
            *response.status_mut() = StatusCode::BAD_REQUEST;
        }
        response
    }

    /// Redirects to an address with a query, so that reloading the page does not repeat the action.
    pub fn see<'a>(&self, path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> Response<Body> {
        let address = address(path, query);
        self.complete(response::redirect(StatusCode::SEE_OTHER, &address, None))
    }

    /// Sends a photo or a command's output, to be saved under `name` if there is one.
    pub fn file(&self, media_type: &'static str, name: Option<String>, bytes: Vec<u8>) -> Response<Body> {
        let name = name.map(|name| HeaderValue::try_from(format!("attachment; filename=\"{name}\"")));
        let name = name.and_then(Result::ok);
        let mut response = self.complete(response::with_type(StatusCode::OK, media_type, bytes));
        let headers = response.headers_mut();
        headers.extend(name.map(|name| (header::CONTENT_DISPOSITION, name)));
        headers.insert(header::CONTENT_SECURITY_POLICY, WRITTEN);
        response
    }

    /// Shows why a request for `path` was refused.
    pub fn refused(&self, path: &str, error: &ApiError) -> Response<Body> {
        let body = error.body();
        let back = match body.code {
            UNCHANGED => back(path),
            _ => FIRST.to_owned(),
        };
        let data = json!({
            "kind": body.code,
            "reason": body.message,
            "back": back,
            "can_mail": self.can_mail_link(),
        });
        let mut response = self.page(DeskPage::Message, &data);
        *response.status_mut() = error.status();
        error.complete(&mut response);
        response
    }

    /// Adds the headers of all pages, which are for the operator only and cannot be framed.
    fn complete(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        let (security_headers, site) = (&self.app.security_headers, self.app.site());
        security_headers.add_for_private_page(headers, &site.manifest.desk.inline, false);
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        response
    }
}

/// The page from which the unsuccessful action was sent.
pub fn back(path: &str) -> String {
    match *path.split('/').skip(1).collect::<Vec<_>>() {
        ["anfragen", _, "loeschen" | "person"] => path.to_owned(),
        ["anfragen", id, _] => format!("/anfragen/{id}"),
        ["abrechnung", month, _] => format!("/abrechnung?month={month}"),
        [list, ..] => format!("/{list}"),
        [] => FIRST.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantNames;

    use super::*;
    use crate::domain::ledger::LedgerRefusal;

    #[test]
    fn each_refusal_has_a_reason() {
        let names = ChangeRefusal::VARIANTS.iter().chain(LedgerRefusal::VARIANTS);
        for name in names {
            assert!(
                REASONS.lines().any(|line| line.starts_with(&format!("{name}="))),
                "{name}"
            );
        }
    }
}
