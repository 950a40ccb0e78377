//! The description of everything that is only read.

use serde_json::{Map, Value, json};

use super::answers::{Answers, references};
use crate::site::{self, Described};

/// One kind of page.
struct Page {
    path: &'static str,
    summary: &'static str,
    /// The part of the path that differs, and one that there is.
    parameter: Option<(&'static str, &'static str)>,
    media_types: &'static [&'static str],
}

const HTML: &str = "text/html";

/// All kinds. Which pages there are is what the sitemap lists.
const PAGES: [Page; 4] = [
    Page {
        path: "/",
        summary: "The home page",
        parameter: None,
        media_types: &[HTML],
    },
    Page {
        path: "/{page}",
        summary: "A page, or an icon of the site",
        parameter: Some(("page", "faq")),
        media_types: &[HTML, "image/*"],
    },
    Page {
        path: "/blog/{article}",
        summary: "An article",
        parameter: Some(("article", "taubenabwehr-kosten-hamburg")),
        media_types: &[HTML],
    },
    Page {
        path: "/blog/kategorie/{category}",
        summary: "The articles of a category",
        parameter: Some(("category", "kosten")),
        media_types: &[HTML],
    },
];

/// Documents for machines, and kinds of pages.
pub fn paths() -> Map<String, Value> {
    let description = Described {
        path: super::PATH,
        content_type: super::CONTENT_TYPE,
        summary: "This description",
    };
    let documents = site::documents().chain([description]).map(|document| {
        let answers = from_the_site(&[essence(document.content_type)]);
        let item = readable(document.summary, &[], &answers);
        (document.path.to_owned(), item)
    });
    let pages = PAGES.iter().map(|kind| (kind.path.to_owned(), page(kind)));
    documents.chain(pages).collect()
}

/// Whether inquiries can be stored.
pub fn health() -> Value {
    let text = |what: &str| json!({ "description": what, "content": content(&["text/plain"]) });
    let mut answers = references();
    answers.insert("200".to_owned(), text("Inquiries can be stored."));
    answers.insert("503".to_owned(), text("The store cannot be written."));
    readable("Whether inquiries can be stored", &[], &answers)
}

fn page(kind: &Page) -> Value {
    let mut answers = from_the_site(kind.media_types);
    let Some((name, example)) = kind.parameter else {
        return readable(kind.summary, &[], &answers);
    };
    let location =
        json!({ "description": "A path of this site.", "required": true, "schema": { "type": "string" } });
    answers.insert(
        "301".to_owned(),
        json!({ "description": "Another spelling of a path.", "headers": { "Location": location } }),
    );
    answers.insert(
        "404".to_owned(),
        json!({ "description": "A page that says that there is none.", "content": content(&[HTML]) }),
    );
    let parameter = json!({
        "name": name,
        "in": "path",
        "required": true,
        "schema": { "type": "string" },
        "examples": { "one": { "value": example } },
    });
    readable(kind.summary, &[parameter], &answers)
}

/// What a resource of the site is answered with.
fn from_the_site(media_types: &[&str]) -> Answers {
    let there = json!({
        "description": "There it is.",
        "headers": validator(),
        "content": content(media_types),
    });
    let current = json!({ "description": "The client's copy is current.", "headers": validator() });
    let refused = json!({ "description": "`Accept-Encoding` refuses every form there is." });
    let mut answers = references();
    answers.insert("200".to_owned(), there);
    answers.insert("304".to_owned(), current);
    answers.insert("406".to_owned(), refused);
    answers
}

fn validator() -> Value {
    let etag = json!({
        "description": "Sent back as `If-None-Match` it saves a copy that is current.",
        "required": true,
        "schema": { "type": "string" },
    });
    json!({ "ETag": etag })
}

/// GET and HEAD of one path. The answers to HEAD are the same without their bodies.
fn readable(summary: &str, parameters: &[Value], answers: &Answers) -> Value {
    let mut without_bodies = answers.clone();
    for answer in without_bodies.values_mut().filter_map(Value::as_object_mut) {
        answer.remove("content");
    }
    json!({
        "parameters": parameters,
        "get": { "summary": summary, "responses": answers },
        "head": { "summary": summary, "responses": without_bodies },
    })
}

/// Of JSON no more is said than that it is an object, of text that it is text, of pictures nothing.
fn content(media_types: &[&str]) -> Value {
    let schema = |media_type: &str| {
        if media_type.ends_with("json") {
            json!({ "schema": { "type": "object" } })
        } else if media_type.starts_with("image/") {
            json!({})
        } else {
            json!({ "schema": { "type": "string" } })
        }
    };
    media_types
        .iter()
        .map(|media_type| ((*media_type).to_owned(), schema(media_type)))
        .collect()
}

/// A content type without its parameters.
fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default()
}
