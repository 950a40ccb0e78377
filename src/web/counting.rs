//! Counts visits and inquiries (`docs/behaviour.md`, "Counts and the report"), without any data about the visitor.

use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Response, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::api_error::ApiError;
use super::app::{App, RequestContext};
use super::posted;
use super::target::says;
use crate::operate::funnel::{Counted, STEPS};
use crate::site::http::response::{self, Body};

/// A report from the questionnaire.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reached {
    step: u8,
}

/// A report that a prefetched page is shown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    path: String,
}

/// Counts a page view. `path` is the canonical path of the page.
pub fn page(app: &App, parts: &Parts, path: &str, status: StatusCode) {
    let is_shown = matches!(status, StatusCode::OK | StatusCode::NOT_MODIFIED);
    if is_shown && parts.method == Method::GET && is_navigation(&parts.headers) && !objects(&parts.headers) {
        app.funnel.count(Counted::Page(path));
    }
}

/// How to count an inquiry from the questionnaire or from a program. `None` if its sender objects.
pub fn inquiry(headers: &HeaderMap, is_questionnaire: bool) -> Option<Counted<'static>> {
    let counted = if is_questionnaire {
        Counted::Inquiry
    } else {
        Counted::OtherInquiry
    };
    (!objects(headers)).then_some(counted)
}

/// Counts a prefetched page once it is shown, since a visitor did not cause its request.
///
/// # Errors
/// When there is no such page, or another site sent the report.
pub async fn shown(mut request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let shown: Option<Shown> = told(&mut request).await?;
    let site = request.app.site();
    let found = shown.as_ref().and_then(|shown| site.find_named(&shown.path));
    let (path, _) = found
        .filter(|(_, resource)| resource.is_page())
        .ok_or_else(|| ApiError::malformed("path"))?;
    Ok(count(&request, Counted::Page(path)))
}

/// Counts a step of the questionnaire.
///
/// # Errors
/// When there is no such step, or another site sent the report.
pub async fn step(mut request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let reached: Option<Reached> = told(&mut request).await?;
    let reached = reached.filter(|reached| usize::from(reached.step) < STEPS);
    let Reached { step } = reached.ok_or_else(|| ApiError::malformed("step"))?;
    Ok(count(&request, Counted::Step(step)))
}

/// Reads a report about a visit. `None` if it is invalid.
async fn told<T: DeserializeOwned>(request: &mut RequestContext<'_>) -> Result<Option<T>, ApiError> {
    let bytes = posted::json(request).await?;
    Ok(serde_json::from_slice(&bytes).ok())
}

/// Counts a report, unless the visitor objects or the client sends more than visitors do. The response is always the same, so that
/// it does not reveal the limit.
fn count(request: &RequestContext<'_>, counted: Counted<'_>) -> Response<Body> {
    let app = request.app;
    // The reservation stays counted when dropped.
    if !objects(&request.parts.headers) && app.beacon_limit.reserve(request.client).is_ok() {
        app.funnel.count(counted);
    }
    response::empty(StatusCode::NO_CONTENT, HeaderMap::new())
}

/// Whether a visitor views the page, rather than a script or a cache prefetching it.
fn is_navigation(headers: &HeaderMap) -> bool {
    if headers.contains_key("sec-purpose") || is_fetched_ahead(headers) || says(headers, "x-moz", "prefetch")
    {
        return false;
    }
    if headers.contains_key("sec-fetch-mode") {
        // Some browsers and proxies omit the destination. Assume a tab.
        let is_document =
            says(headers, "sec-fetch-dest", "document") || !headers.contains_key("sec-fetch-dest");
        return says(headers, "sec-fetch-mode", "navigate") && is_document;
    }
    // Browsers before 2023 send at least `Accept`.
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}

/// Whether a script prefetches the page before a click.
pub fn is_fetched_ahead(headers: &HeaderMap) -> bool {
    says(headers, "purpose", "prefetch")
}

/// Whether the visitor objects to being counted.
fn objects(headers: &HeaderMap) -> bool {
    says(headers, "sec-gpc", "1") || says(headers, "dnt", "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &str)]) -> HeaderMap {
        let fields = fields.iter();
        let fields = fields.map(|(name, value)| {
            (
                hyper::header::HeaderName::from_static(name),
                value.parse().unwrap(),
            )
        });
        fields.collect()
    }

    #[test]
    fn only_what_somebody_looks_at_is_a_navigation() {
        let (navigate, document) = (("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"));
        let html = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        for (fields, expected) in [
            (&[navigate, document][..], true),
            (&[navigate, document, html], true),
            (&[navigate], true),
            (&[html], true),
            (&[], false),
            (&[("sec-fetch-mode", "cors"), html], false),
            (&[("accept", "*/*")], false),
            (
                &[("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty"), html],
                false,
            ),
            (&[navigate, ("sec-fetch-dest", "iframe")], false),
            (
                &[navigate, document, ("sec-purpose", "prefetch;prerender")],
                false,
            ),
            (&[html, ("purpose", "prefetch")], false),
            (&[html, ("x-moz", "prefetch")], false),
        ] {
            assert_eq!(is_navigation(&headers(fields)), expected, "{fields:?}");
        }
    }

    #[test]
    fn who_objects_is_not_counted() {
        assert!(objects(&headers(&[("sec-gpc", "1")])));
        assert!(objects(&headers(&[("dnt", "1")])));
        assert!(!objects(&headers(&[("dnt", "0"), ("sec-gpc", "0")])));
    }
}
