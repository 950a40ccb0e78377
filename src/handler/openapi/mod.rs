//! `/openapi.json`: what a program may ask of the server, in `OpenAPI` 3.1.
//!
//! Everything in it that has a rule in the code is made from that rule: limits, patterns and options come from
//! `inquiry::schema`, refusals are the answers themselves.

mod answers;
mod inquiries;
mod reading;

use serde_json::{Map, Value, json};

use super::{HEALTH, INQUIRIES};
use crate::config::origin::Origin;
use crate::inquiry::schema;
use crate::server::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS};

/// Where it stands.
pub const PATH: &str = "/openapi.json";

/// Plain JSON rather than `application/vnd.oai.openapi+json`: every tool reads it, and browsers show it.
pub const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// Version of the interface, which is that of its base path, `/rest/v1`.
const VERSION: &str = "1";

/// The description of the server at this origin.
///
/// # Errors
/// None that can happen: it consists of texts and numbers.
pub fn document(origin: &Origin) -> Result<String, String> {
    let mut paths: Map<String, Value> = reading::paths();
    paths.insert(INQUIRIES.to_owned(), json!({ "post": inquiries::create() }));
    paths.insert(HEALTH.to_owned(), reading::health());
    let description = json!({
        "openapi": "3.1.0",
        "info": { "title": "taubenabwehr", "version": VERSION, "description": introduction() },
        "servers": [{ "url": origin.as_str() }],
        "paths": paths,
        "components": {
            "schemas": {
                "Inquiry": schema::sent(),
                "StoredInquiry": schema::stored(),
                "Error": answers::error_schema(),
            },
            "responses": answers::shared(),
        },
    });
    serde_json::to_string(&description).map_err(|error| error.to_string())
}

fn introduction() -> String {
    let kib = MAX_HEAD_BYTES / 1024;
    format!(
        "What programs may ask of a matching site for pigeon deterrence in Hamburg: sending an inquiry, and reading. No \
         inquiry can be read. A method that is not listed is answered with 405 and `Allow`, a path below `/rest/` that \
         is not listed with 404. A head over {kib} KiB or {MAX_HEAD_FIELDS} fields gets 431; what is no HTTP gets 400 \
         without a body."
    )
}

/// A reference to one of the schemas above.
fn schema_named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
