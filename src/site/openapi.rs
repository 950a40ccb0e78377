//! `/openapi.json`: what programs may ask of the server, in `OpenAPI` 3.1. `tests/library/openapi.rs` compares its limits,
//! patterns and errors with those of the code.

use super::source::Source;
use crate::site::http::headers::Cache;
use crate::site::http::response::JSON;

/// Path of the document.
pub(super) const PATH: &str = "/openapi.json";

/// The document for the server at the site's address. Plain JSON rather than `application/vnd.oai.openapi+json`: every tool
/// reads it, and browsers show it.
pub(super) const DOCUMENT: Source = Source::Text {
    content_type: JSON,
    cache: Cache::Revalidate,
    make: |common| Ok(TEMPLATE.replace("{{origin}}", common.renderer.origin())),
};

/// The document, with a placeholder for the origin.
pub const TEMPLATE: &str = include_str!("openapi.json");
