//! `/openapi.json`: what programs may ask of the server, in `OpenAPI` 3.1. `tests/library/openapi.rs` compares its limits,
//! patterns and errors with those of the code.

use std::io;

use crate::origin::Origin;
use crate::texts;

/// Path of the document.
pub const PATH: &str = "/openapi.json";

/// Plain JSON rather than `application/vnd.oai.openapi+json`: every tool reads it, and browsers show it.
pub const CONTENT_TYPE: &str = crate::response::JSON;

/// Returns the document, with a placeholder for the origin.
///
/// # Errors
/// When the executable lacks it.
pub fn template() -> io::Result<String> {
    texts::text("documents/openapi.json")
}

/// Returns the document for the server at this origin.
///
/// # Errors
/// When the executable lacks it.
pub fn document(origin: &Origin) -> io::Result<String> {
    Ok(template()?.replace("{{origin}}", origin.as_str()))
}
