//! The form as a browser sends it, and the page as it comes back.

use crate::harness::compression::decoded;
use crate::harness::{Document, Request, Response};

pub const PATH: &str = "/fragebogen";

/// A form that is right, as a browser sends it.
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

/// Returns a form that is right except for one field.
pub fn with(name: &str, value: &str) -> Request {
    let fields = RIGHT
        .iter()
        .map(|&(field, right)| (field, if field == name { value } else { right }));
    post(encoded(fields))
}

/// Returns a form that is right.
pub fn right() -> Request {
    post(encoded(RIGHT))
}

/// Checks that a response is the page of the form, and returns it.
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

/// Returns the list of errors: the ids of fields with what is said of them.
pub fn summary(page: &Document) -> Vec<(String, String)> {
    let links = page.all("a").filter_map(|link| {
        let field = link.attribute("href")?.strip_prefix('#')?.to_owned();
        (field != "inhalt").then(|| (field, link.text.clone()))
    });
    links.collect()
}

/// Returns the value of a text field.
pub fn value<'a>(page: &'a Document, name: &str) -> &'a str {
    let input = page
        .all("input")
        .find(|input| input.attribute("name") == Some(name) && input.attribute("type") != Some("hidden"));
    input.unwrap().attribute("value").unwrap()
}

/// Returns the values of what is chosen under a name.
pub fn chosen<'a>(page: &'a Document, name: &str) -> Vec<&'a str> {
    let inputs = page
        .all("input")
        .filter(|input| input.attribute("name") == Some(name) && input.attributes.contains_key("checked"));
    inputs.map(|input| input.attribute("value").unwrap()).collect()
}

/// Returns the address that a stored inquiry leads to.
pub fn thanks(response: &Response) -> String {
    assert_eq!(response.status, 303, "{}", response.text());
    assert!(response.body.is_empty());
    assert_eq!(response.expect("cache-control"), "no-store");
    response.expect("location").to_owned()
}
