//! `/openapi.json`: what programs may ask of the server, in `OpenAPI` 3.1. `tests/library/openapi.rs` compares its limits,
//! patterns and errors with those of the code.

use crate::origin::Origin;

/// Path of the document.
pub const PATH: &str = "/openapi.json";

/// Plain JSON rather than `application/vnd.oai.openapi+json`: every tool reads it, and browsers show it.
pub const CONTENT_TYPE: &str = crate::response::JSON;

/// The document, with a placeholder for the origin.
pub const TEMPLATE: &str = include_str!("openapi.json");

/// Returns the document for the server at this origin.
pub fn document(origin: &Origin) -> String {
    TEMPLATE.replace("{{origin}}", origin.as_str())
}
