//! The form as a browser sends it, and the resulting page.

use crate::harness::compression::decoded;
use crate::harness::{Document, Request, Response};

pub const PATH: &str = "/fragebogen";

/// The fields of a valid form, as a browser sends it.
pub const RIGHT: [(&str, &str); 13] = [
    ("propertyType", "residential-house"),
    ("postalCode", "20095"),
    ("problems", "nesting"),
    ("problems", "other"),
    ("problemOther", "Federn im Schacht"),
    ("locations", "balcony"),
    ("locationOther", ""),
    ("firstName", "Änne"),
    ("lastName", "Groß"),
    ("email", "aenne@example.org"),
    ("phone", "+49 40 123456-78"),
    ("homepage", ""),
    ("consent", "1"),
];

pub fn encoded<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    body.finish()
}

pub fn post(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", PATH)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(body)
}

/// A valid form with one field changed.
pub fn with(name: &str, value: &str) -> Request {
    let fields = RIGHT
        .iter()
        .map(|&(field, right)| (field, if field == name { value } else { right }));
    post(encoded(fields))
}

/// A valid form.
pub fn right() -> Request {
    post(encoded(RIGHT))
}

/// Asserts that a response is the page with the form, and returns it.
pub fn page(response: &Response, status: u16) -> Document {
    assert_eq!(response.status, status, "{}", response.text());
    assert_eq!(response.expect("content-type"), "text/html; charset=utf-8");
    assert_eq!(response.expect("cache-control"), "no-store");
    let html = String::from_utf8(decoded(response)).unwrap();
    assert!(
        !html.contains("{{") && !html.contains("{%"),
        "an expression is left"
    );
    let page = Document::parse(&html);
    assert!(page.title().starts_with("Fehler: "), "{}", page.title());
    let form = page.only("form");
    assert_eq!(form.attribute("method"), Some("post"));
    assert_eq!(form.attribute("action"), Some(PATH));
    page
}

/// The error summary: the ids of fields with their messages.
pub fn summary(page: &Document) -> Vec<(String, String)> {
    let links = page.all("a").filter_map(|link| {
        let field = link.attribute("href")?.strip_prefix('#')?.to_owned();
        (field != "inhalt").then(|| (field, link.text.clone()))
    });
    links.collect()
}

/// The value of a text field.
pub fn value<'a>(page: &'a Document, name: &str) -> &'a str {
    let mut fields = page.all("input").chain(page.all("textarea"));
    let field = fields
        .find(|field| field.attribute("name") == Some(name) && field.attribute("type") != Some("hidden"))
        .unwrap();
    field.attribute("value").unwrap_or(&field.text)
}

/// The selected values of a field.
pub fn chosen<'a>(page: &'a Document, name: &str) -> Vec<&'a str> {
    let inputs = page
        .all("input")
        .filter(|input| input.attribute("name") == Some(name) && input.attributes.contains_key("checked"));
    inputs.map(|input| input.attribute("value").unwrap()).collect()
}

/// The address that a stored inquiry redirects to.
pub fn thanks(response: &Response) -> String {
    assert_eq!(response.status, 303, "{}", response.text());
    assert!(response.body.is_empty());
    assert_eq!(response.expect("cache-control"), "no-store");
    response.expect("location").to_owned()
}
