//! Content security policies: which inline code they allow.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Response;

/// Returns the sources that a directive of the response's policy allows, such as `style-src`.
pub fn sources(response: &Response, directive: &str) -> Vec<String> {
    let policy = response.expect("content-security-policy");
    let found = policy
        .split(';')
        .map(str::trim)
        .find_map(|part| part.strip_prefix(directive)?.strip_prefix(' '));
    let sources = found.unwrap_or_else(|| panic!("no {directive} in {policy}"));
    sources.split(' ').map(str::to_owned).collect()
}

/// Returns the sources that allow the styles of a page: its files, and each inline style.
pub fn of_styles(html: &str) -> Vec<String> {
    let inline = html.split("<style>").skip(1).map(|rest| {
        let (style, _) = rest.split_once("</style>").expect("every style ends");
        format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style)))
    });
    ["'self'".to_owned()].into_iter().chain(inline).collect()
}
