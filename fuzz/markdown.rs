//! Fuzz target: the operator's own page texts (`[pages]` of `--site`).

use std::collections::HashSet;

use taubenabwehr::site::own_text;

use crate::harness as fuzz;

const TOKENS: &[&str] = &[
    "# ",
    "## ",
    "> ",
    "* ",
    "1. ",
    "- ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\0",
    "`",
    "```\n",
    "~~",
    "**",
    "_",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "](javascript:x)",
    "](JaVa&#115;cript:x)",
    "](//x)",
    "](data:x)",
    "](<",
    ">)",
    "[a]: ",
    "\"",
    "'",
    "<",
    ">",
    "</div>",
    "<script>",
    "<img src=x onerror=y>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "&#1;",
    "&colon;",
    "&lt;",
    "{{ site.name }}",
    "{% raw %}",
    "{#",
    "|",
    "|-|",
    "\\",
    "https://a.b",
    "<a@b.c>",
    "<javascript:x>",
    "==",
    "{#id .c x=y}",
    "\u{a0}",
    "\u{202e}",
    "\u{feff}",
];

/// The elements that a text may consist of, and the maximum depth: the limit plus the inside of a table.
const ELEMENTS: [&str; 32] = [
    "p",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "ul",
    "ol",
    "li",
    "pre",
    "code",
    "em",
    "strong",
    "del",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "div",
    "br",
    "hr",
    "ul",
    "ol",
    "li",
    "p",
    "p",
    "p",
    "p",
];
const VOID: [&str; 2] = ["br", "hr"];
const MAX_DEPTH: usize = 64;

#[test]
fn bytes() {
    fuzz::bytes("markdown", 1000, TOKENS, check);
}

/// Checks the HTML that a text is rendered to.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let html = own_text::render(&text).get_attr("html").unwrap().to_string();
    let mut open: Vec<&str> = Vec::new();
    let mut ids = HashSet::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag
            .split_once('>')
            .unwrap_or_else(|| panic!("a tag has no end: {tag}"));
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
            continue;
        }
        let tag = tag.trim_end_matches(['/', ' ']);
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name), "<{tag}>");
        if !VOID.contains(&name) {
            open.push(name);
        }
        assert!(open.len() <= MAX_DEPTH, "{}", open.len());
        assert_attributes(name, attributes, &mut ids);
    }
    assert!(open.is_empty(), "{open:?}");
}

fn assert_attributes(name: &str, attributes: &str, ids: &mut HashSet<String>) {
    if name == "div" {
        assert_eq!(
            attributes,
            "class=\"table-scroll\" role=\"region\" aria-label=\"Tabelle\" tabindex=\"0\" data-enhancement=\"table\""
        );
        return;
    }
    let mut rest = attributes;
    while !rest.is_empty() {
        let (key, after) = rest
            .split_once("=\"")
            .unwrap_or_else(|| panic!("<{name} {attributes}>"));
        let (value, after) = after
            .split_once('"')
            .unwrap_or_else(|| panic!("<{name} {attributes}>"));
        match (name, key.trim()) {
            ("a", "href") => assert_leads_to_a_page(value),
            ("a", "title") => {}
            ("ol", "start") => assert!(value.parse::<u64>().is_ok(), "{value}"),
            (_, "id") => {
                assert!(value.starts_with("text-"), "{value}");
                assert!(ids.insert(value.to_owned()), "{value} is there twice");
            }
            _ => panic!("<{name} {attributes}>"),
        }
        rest = after;
    }
}

/// Asserts that an address, as a browser reads it, is a path or has an allowed scheme.
fn assert_leads_to_a_page(address: &str) {
    let seen: String = address.chars().filter(|c| !c.is_control()).collect();
    let seen = seen.trim_start().to_lowercase();
    assert!(!seen.starts_with("//") && !seen.contains('\\'), "{address}");
    let scheme = seen
        .split(['/', '?', '#'])
        .next()
        .unwrap_or_default()
        .split_once(':');
    assert!(
        scheme.is_none_or(|(scheme, _)| ["https", "http", "mailto", "tel"].contains(&scheme)),
        "{address}"
    );
}
