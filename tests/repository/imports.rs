//! The paths in a source file that lead into this crate.

use std::sync::LazyLock;

use regex::Regex;

static USE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);").unwrap());
static INLINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:crate|super)(?:::\w+)+").unwrap());

/// All paths in a text that start with `crate`, `super` or `self`, and those in `use` lines that start with the name of a child
/// module, with groups expanded. Ignores everything after `#[cfg(test)]`.
pub fn paths(text: &str, children: &[String]) -> Vec<Vec<String>> {
    let code = without_comments(text);
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for path in USE.captures_iter(code) {
        expand(Vec::new(), &path[1], &mut found);
    }
    for path in INLINE.find_iter(&USE.replace_all(code, "")) {
        found.push(path.as_str().split("::").map(str::to_owned).collect());
    }
    found.retain(|path| {
        let first = path[0].as_str();
        matches!(first, "crate" | "super" | "self") || children.iter().any(|child| child == first)
    });
    found
}

fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Expands a `use` tree: `a::{b, c::D as E}` contains `a::b` and `a::c::D`.
fn expand(mut path: Vec<String>, tree: &str, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head, Some(rest.trim_end().strip_suffix('}').unwrap_or(rest))),
        None => (tree, None),
    };
    let head = head.split(" as ").next().unwrap_or_default();
    let names = head.split("::").map(str::trim).filter(|name| !name.is_empty());
    path.extend(names.map(str::to_owned));
    match group {
        None if !path.is_empty() => found.push(path),
        None => {}
        Some(group) => {
            for part in split_at_commas(group) {
                expand(path.clone(), part, found);
            }
        }
    }
}

/// Splits a group at its top-level commas.
fn split_at_commas(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}
