//! Reads posted bodies, and checks that they come from our own pages (`docs/behaviour.md`, "HTTP").

use std::borrow::Cow;
use std::str::FromStr;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::api_error::ApiError;
use super::app::{App, RequestContext};
use super::body::BodyError;
use super::https::Encrypted;
use super::target;
use crate::base::text::origin::{Origin, without_default_port};

/// Media type of a form without files.
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Reads a JSON body.
///
/// # Errors
/// When another site sent it, it is not declared as JSON, or it cannot be read.
pub async fn json(request: &mut RequestContext<'_>) -> Result<Bytes, ApiError> {
    // Always read the body first: a client that is still sending could miss an earlier response.
    let body = request.body.read().await;
    let bytes = own(request.app, request.parts, body)?;
    if !is_of_type(&request.parts.headers, "application/json") {
        return Err(ApiError::not_json());
    }
    Ok(bytes)
}

/// Accepts a body as a form of our own pages.
///
/// # Errors
/// When another site sent it, it is not declared as a form, or it could not be read.
pub fn form(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Bytes, ApiError> {
    let body = own(app, parts, body)?;
    // Programs do not declare a type for an empty body: treat it as a form without fields.
    let is_nothing = body.is_empty() && !parts.headers.contains_key(header::CONTENT_TYPE);
    if !is_nothing && !is_of_type(&parts.headers, URLENCODED) {
        return Err(ApiError::not_form());
    }
    Ok(body)
}

fn own(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Bytes, ApiError> {
    if !is_own_site(app, parts) {
        return Err(ApiError::cross_site());
    }
    Ok(body?)
}

fn is_of_type(headers: &HeaderMap, expected: &str) -> bool {
    let is_identity = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    is_identity && media_type(headers).eq_ignore_ascii_case(expected)
}

/// The media type of a body, without parameters.
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}

/// Whether the request may make changes: it has no `Origin` (a command-line client), or its `Origin` is the requested or the
/// public host, and the browser does not call it cross-site. At the desk, the scheme must also match. At the site it cannot,
/// since a proxy in front may serve TLS under names unknown here.
pub fn is_own_site(app: &App, parts: &Parts) -> bool {
    let is_encrypted = parts.extensions.get::<Encrypted>().is_some();
    let encryption = app.handler.is_some().then_some(is_encrypted);
    is_own(&parts.headers, target::host(parts), &app.origin, encryption)
}

/// `encryption` is whether the request came over TLS, or `None` if that says nothing about the browser's connection.
fn is_own(headers: &HeaderMap, host: Option<&str>, public: &Origin, encryption: Option<bool>) -> bool {
    let is_from = |kind| target::says(headers, "sec-fetch-site", kind);
    if is_from("cross-site") {
        return false;
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        // Programs do not send `Sec-Fetch-Site`, and browsers that do also send `Origin` with each POST.
        (None, _) => return !is_from("same-site"),
        (Some(origin), None) => origin.to_str().ok().and_then(|text| Origin::parse(text).ok()),
        _ => None,
    };
    origin.is_some_and(|origin| {
        let is_https = origin.is_https();
        let scheme = if is_https { "https" } else { "http" };
        let is_host = |host| without_default_port(host, scheme).eq_ignore_ascii_case(origin.authority());
        let is_public = encryption.is_none() || is_https == public.is_https();
        let is_direct = encryption.is_none_or(|is_encrypted| is_https == is_encrypted);
        (is_public && origin.authority() == public.authority()) || (is_direct && host.is_some_and(is_host))
    })
}

/// The fields of a form or a query.
#[derive(Debug)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses URL-encoded fields.
    pub fn of(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    /// Parses the query of a request.
    pub fn of_query(parts: &Parts) -> Self {
        Self::of(parts.uri.query().unwrap_or_default().as_bytes())
    }

    /// All fields, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        self.0.iter().map(|(name, value)| (name.into(), value.into()))
    }

    /// The first value of a name, unchanged.
    pub fn typed(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The first value of a name, trimmed. `None` if that leaves nothing.
    pub fn value(&self, name: &str) -> Option<&str> {
        Some(self.typed(name)?.trim()).filter(|value| !value.is_empty())
    }

    /// Parses the first value of a name. `None` if it is missing or invalid.
    pub fn parsed<T: FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// Whether `value` is among the values of `name`.
    pub fn has(&self, (name, value): (&str, &str)) -> bool {
        self.0.iter().any(|pair| pair.0 == name && pair.1 == value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(fields: &[(&'static str, &str)]) -> bool {
        allowed_by(fields, None)
    }

    fn allowed_by(fields: &[(&'static str, &str)], encryption: Option<bool>) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap());
        let public = Origin::parse("https://www.example.de").unwrap();
        is_own(&headers, host, &public, encryption)
    }

    #[test]
    fn only_our_own_pages_and_programs_may_post() {
        let host = ("host", "127.0.0.1:8080");
        assert!(allowed(&[host]));
        assert!(allowed(&[
            host,
            ("origin", "http://127.0.0.1:8080"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(allowed(&[host, ("origin", "https://www.example.de")]));
        assert!(allowed(&[host, ("origin", "https://WWW.example.de:443")]));
        assert!(allowed(&[
            ("host", "example.org"),
            ("origin", "http://example.org:80")
        ]));
        assert!(!allowed(&[host, ("origin", "null")]));
        assert!(!allowed(&[host, ("origin", "https://evil.example")]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de.evil.example")
        ]));
        assert!(!allowed(&[host, ("origin", "http://127.0.0.1:8081")]));
        assert!(!allowed(&[host, ("sec-fetch-site", "cross-site")]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de"),
            ("sec-fetch-site", "cross-site")
        ]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de"),
            ("origin", "https://evil.example")
        ]));
        assert!(!allowed(&[host, ("origin", "")]));
        assert!(!allowed(&[host, ("origin", "ftp://127.0.0.1:8080")]));
        assert!(!allowed(&[host, ("sec-fetch-site", "same-site")]));
        assert!(allowed(&[host, ("sec-fetch-site", "none")]));
    }

    #[test]
    fn at_the_desk_the_scheme_is_the_same_too() {
        let host = ("host", "127.0.0.1:8090");
        let by = |origin, is_encrypted| allowed_by(&[host, ("origin", origin)], Some(is_encrypted));
        assert!(by("http://127.0.0.1:8090", false) && by("https://127.0.0.1:8090", true));
        assert!(!by("https://127.0.0.1:8090", false) && !by("http://127.0.0.1:8090", true));
        // A proxy has the desk's address and terminates TLS.
        assert!(by("https://www.example.de", false) && !by("http://www.example.de", false));
    }
}
