//! Why a private page cannot be shown, or a change not be made.

use std::time::Duration;

use hyper::header;
use hyper::{Response, StatusCode};

use super::page;
use crate::base::metrics::Refusal;
use crate::site::http::response::Body;
use crate::site::templates::context::PlainPage;
use crate::site::templates::{BrokenTemplate, PageKind};
use crate::store::{Unavailable, UpdateError};
use crate::web::api_error::{STORE_RETRY, seconds};
use crate::web::app::App;
use crate::web::body::BodyError;
use crate::web::limits::client_ip::ClientNetwork;

/// Why there is no page, or no change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFailure {
    /// The token is not genuine: somebody may be guessing.
    WrongToken,
    /// The client has made so many changes that it has to wait this long.
    TooMany(Duration),
    /// The token is or was genuine, but there is nothing any more.
    Gone,
    /// The store does not answer.
    Unavailable,
    /// A page of another site has sent the request.
    CrossSite,
    /// The request is not one that the page's form sends.
    Refused(StatusCode),
    /// The page cannot be made; the log says why.
    Broken,
}

impl PageFailure {
    /// Builds the page that says so. Wrong tokens are counted: whoever sends too many learns no more of them.
    pub fn into_response(self, app: &App, client: ClientNetwork) -> Response<Body> {
        let limited = |wait| {
            let status = StatusCode::TOO_MANY_REQUESTS;
            (
                status,
                Some(PageKind::Limited),
                Some(Refusal::RateLimit),
                Some(wait),
            )
        };
        let (status, kind, refusal, wait) = match self {
            Self::WrongToken => match app.token_limit.reserve(client) {
                // Dropped at once: the guess stays counted.
                Ok(_) => (StatusCode::NOT_FOUND, Some(PageKind::Gone), None, None),
                Err(wait) => limited(wait),
            },
            Self::TooMany(wait) => limited(wait),
            Self::Gone => (StatusCode::NOT_FOUND, Some(PageKind::Gone), None, None),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                Some(PageKind::Unavailable),
                Some(Refusal::StoreUnavailable),
                Some(STORE_RETRY),
            ),
            Self::CrossSite => (
                StatusCode::FORBIDDEN,
                Some(PageKind::Refused),
                Some(Refusal::CrossSite),
                None,
            ),
            Self::Refused(status) => (status, Some(PageKind::Refused), None, None),
            Self::Broken => (StatusCode::INTERNAL_SERVER_ERROR, None, None, None),
        };
        let page = kind.and_then(|kind| page::response(app, status, kind, &PlainPage {}).ok());
        let mut response = page.unwrap_or_else(|| page::empty(app, StatusCode::INTERNAL_SERVER_ERROR));
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, seconds(wait));
        }
        if let Some(refusal) = refusal {
            response.extensions_mut().insert(refusal);
        }
        response
    }
}

impl From<BrokenTemplate> for PageFailure {
    fn from(error: BrokenTemplate) -> Self {
        tracing::error!(%error, "a private page cannot be made");
        Self::Broken
    }
}

impl From<Unavailable> for PageFailure {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

impl From<UpdateError> for PageFailure {
    /// A refusal that a page has no words for means that there is nothing to change.
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Refused(_) => Self::Gone,
            UpdateError::Unavailable(_) => Self::Unavailable,
        }
    }
}

impl From<BodyError> for PageFailure {
    fn from(error: BodyError) -> Self {
        Self::Refused(match error {
            BodyError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            BodyError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            BodyError::Broken => StatusCode::BAD_REQUEST,
        })
    }
}
