//! Why a private page cannot be shown, or a change not be made.

use hyper::{Response, StatusCode};

use super::page;
use crate::site::http::response::Body;
use crate::site::templates::{PageKind, context};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::limits::client_ip::ClientNetwork;

/// Why there is no page, or no change.
#[derive(Debug)]
pub enum PageFailure {
    /// The token is not genuine: somebody may be guessing.
    WrongToken,
    /// The token is or was genuine, but there is nothing any more.
    Gone,
    /// Whatever the API would refuse a request for.
    Refused(ApiError),
}

impl PageFailure {
    /// Builds the page that says so. Wrong tokens are counted: whoever sends too many learns no more of them.
    pub fn into_response(self, app: &App, client: ClientNetwork) -> Response<Body> {
        let error = match self {
            Self::Refused(error) => error,
            Self::Gone => ApiError::not_found(),
            Self::WrongToken => match app.token_limit.reserve(client) {
                // Dropped at once: the guess stays counted.
                Ok(_) => ApiError::not_found(),
                Err(wait) => ApiError::rate_limited(wait),
            },
        };
        let kind = match error.status() {
            StatusCode::NOT_FOUND => Some(PageKind::Gone),
            StatusCode::TOO_MANY_REQUESTS => Some(PageKind::Limited),
            StatusCode::SERVICE_UNAVAILABLE => Some(PageKind::Unavailable),
            StatusCode::INTERNAL_SERVER_ERROR => None,
            _ => Some(PageKind::Refused),
        };
        let page = kind.and_then(|kind| page::response(app, error.status(), kind, &context! {}).ok());
        let mut response = page.unwrap_or_else(|| page::empty(app, StatusCode::INTERNAL_SERVER_ERROR));
        error.complete(&mut response);
        response
    }
}

impl<E: Into<ApiError>> From<E> for PageFailure {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}
