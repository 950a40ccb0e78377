//! Rules for the sources that neither the compiler nor the linters check.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that meets the unexpected has failed"
)]

mod imports;
mod layers;
mod modules;
mod pages;
mod words;

use std::collections::BTreeMap;

use modules::Tree;

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let tree = Tree::read();
    assert!(tree.files() > 50, "only {} files were found", tree.files());
    let circles = tree.circles();
    assert!(circles.is_empty(), "imports in a circle:\n{}", circles.join("\n"));
}

#[test]
fn circles_are_found_at_every_level_and_through_re_exports() {
    let circles = |files: &[(&str, &str)]| {
        let files: BTreeMap<String, String> = files
            .iter()
            .map(|&(path, text)| (path.to_owned(), text.to_owned()))
            .collect();
        Tree::of(&files).circles()
    };
    let straight = [
        ("lib.rs", "pub mod a; pub mod b;"),
        ("a/mod.rs", "mod c; pub use c::Item;\nuse c::Other;"),
        ("a/c.rs", "use super::Shared;\n#[cfg(test)]\nuse crate::b::Item;"),
        ("b.rs", "use crate::a::Item;"),
    ];
    assert_eq!(circles(&straight), Vec::<String>::new());
    let among_top_modules = [
        ("lib.rs", "pub mod a; pub mod b;"),
        ("a/mod.rs", "mod c;"),
        ("a/c.rs", "use std::fmt;\nuse crate::{b::Item, x};"),
        ("b.rs", "fn f() { crate::a::g() }"),
    ];
    assert_eq!(circles(&among_top_modules), ["a -> b -> a"]);
    let through_a_re_export = [
        ("lib.rs", "pub mod a;"),
        ("a/mod.rs", "mod c; mod d;\npub use d::{Item, Other as Name};"),
        ("a/c.rs", "use super::{Name, e};"),
        ("a/d.rs", "use super::c;"),
    ];
    assert_eq!(circles(&through_a_re_export), ["a::c -> a::d -> a::c"]);
}
