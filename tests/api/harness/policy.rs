//! Content security policies: which inline code they allow.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Response;

/// The sources that a directive of the response's policy allows, such as `style-src`.
pub fn sources(response: &Response, directive: &str) -> Vec<String> {
    let policy = response.expect("content-security-policy");
    let found = policy
        .split(';')
        .map(str::trim)
        .find_map(|part| part.strip_prefix(directive)?.strip_prefix(' '));
    let sources = found.unwrap_or_else(|| panic!("no {directive} in {policy}"));
    sources.split(' ').map(str::to_owned).collect()
}

/// The sources that allow the styles of a page: its files and each inline style.
pub fn of_styles(html: &str) -> Vec<String> {
    allowed(html, "<style>", "</style>")
}

/// The sources that allow the scripts of a page: its files and each inline script.
pub fn of_scripts(html: &str) -> Vec<String> {
    allowed(html, "<script>", "</script>")
}

fn allowed(html: &str, start: &str, end: &str) -> Vec<String> {
    let inline = html.split(start).skip(1).map(|rest| {
        let (code, _) = rest.split_once(end).expect("every element ends");
        format!("'sha256-{}'", STANDARD.encode(Sha256::digest(code)))
    });
    ["'self'".to_owned()].into_iter().chain(inline).collect()
}
