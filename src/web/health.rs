//! `GET /healthz`: whether inquiries can be stored.

use std::time::Duration;

use hyper::{Response, StatusCode};

use super::app::App;
use crate::base::metrics::Refusal;
use crate::site::http::headers::Cache;
use crate::site::http::response::{self, Body};

/// Where it answers.
pub const PATH: &str = "/healthz";

/// Time for the store to answer; shorter than `taubenabwehr healthcheck` waits.
const STORE_TIME: Duration = Duration::from_secs(4);

/// Answers 200 only while the store can be written; in demo mode, always.
pub async fn respond(app: &App) -> Response<Body> {
    let is_healthy = match &app.store {
        // A disk that hangs is as bad as one that fails.
        Some(store) => tokio::time::timeout(STORE_TIME, store.check_writable())
            .await
            .unwrap_or(false),
        None => true,
    };
    let response = if is_healthy {
        response::with_type(StatusCode::OK, response::TEXT, "ok\n")
    } else {
        let text = "the store cannot be written\n";
        let mut response = response::with_type(StatusCode::SERVICE_UNAVAILABLE, response::TEXT, text);
        response.extensions_mut().insert(Refusal::StoreUnavailable);
        response
    };
    app.complete(response, Cache::Never)
}
