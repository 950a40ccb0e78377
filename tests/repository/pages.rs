//! Checks the guides against the sources: the files, folders and constants that they mention must exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The folders that start a path in a guide.
const TOP: &str = "src|ui|content|tests|fuzz|benches|scripts|docs|packaging";

#[test]
fn the_files_that_guides_name_are_there() {
    // `ui/generated` is built; `<id>` and `*` are placeholders.
    let path = Regex::new(&format!(
        r"`((?:{TOP})/[^`\s]*|build\.rs|Cargo\.toml)(?: [^`]*)?`"
    ))
    .unwrap();
    let is_made = Regex::new(r"^ui/generated|[<*…]").unwrap();
    let mut wrong = Vec::new();
    for (guide, line, text) in lines() {
        for found in path.captures_iter(&text) {
            if !is_made.is_match(&found[1]) && !root().join(&found[1]).exists() {
                wrong.push(format!("{guide}:{line}: {}", &found[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
}

#[test]
fn the_constants_that_a_guide_names_behind_a_file_are_in_it() {
    let file = Regex::new(r"\]\(((?:src|ui)/[^)]*)\): ((?:`[A-Z_]+`(?:, )?)+)").unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (guide, line, text) in lines() {
        for found in file.captures_iter(&text) {
            let source = fs::read_to_string(root().join(&found[1])).unwrap_or_default();
            for name in found[2].split(", ").map(|name| name.trim_matches('`')) {
                checked += 1;
                if !source.contains(&format!("const {name}:")) {
                    wrong.push(format!("{guide}:{line}: {name} in {}", &found[1]));
                }
            }
        }
    }
    assert!(checked > 10, "only {checked} constants were found");
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
}

#[test]
fn links_of_a_guide_lead_to_files_and_headings() {
    let link = Regex::new(r"\]\(([^)\s:]+)\)").unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (guide, line, text) in lines() {
        for found in link.captures_iter(&text) {
            let (path, heading) = found[1].split_once('#').unwrap_or((&found[1], ""));
            let target = match path {
                "" => root().join(&guide),
                path => root().join(&guide).with_file_name("").join(path),
            };
            let is_there = match heading {
                "" => target.exists(),
                heading => headings(&target).any(|known| known == heading),
            };
            checked += 1;
            if !is_there {
                wrong.push(format!("{guide}:{line}: {}", &found[1]));
            }
        }
    }
    assert!(checked > 10, "only {checked} links were found");
    assert!(wrong.is_empty(), "lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn the_sections_that_comments_name_are_there() {
    let sections: Vec<_> = headings(&root().join("docs/behaviour.md")).collect();
    let named = Regex::new(r#"`docs/behaviour\.md`, "([^"]+)"#).unwrap();
    let comment = Regex::new(r"\n\s*(?://[/!]?|\*|#)").unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for path in files(&["src", "tests", "fuzz", "ui/src"], &["rs", "ts", "tsx"]) {
        let text = fs::read_to_string(&path).unwrap();
        for found in named.captures_iter(&comment.replace_all(&text, "")) {
            checked += 1;
            if !sections.contains(&slug(&found[1])) {
                wrong.push(format!("{}: {}", path.display(), &found[1]));
            }
        }
    }
    assert!(checked > 10, "only {checked} references were found");
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
}

/// The link anchors of a page's headings.
fn headings(page: &Path) -> impl Iterator<Item = String> + use<> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let headings: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim().to_owned())
        .collect();
    headings.into_iter().map(|heading| slug(&heading))
}

/// The link anchor of a heading: in lower case, with hyphens, without punctuation.
fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' ');
    let kept: String = heading.to_lowercase().chars().filter(kept).collect();
    kept.replace(' ', "-")
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All lines of all guides, each with the guide's name and the line number from 1.
fn lines() -> Vec<(String, usize, String)> {
    let of = |guide: PathBuf| {
        let text = fs::read_to_string(&guide).unwrap();
        let name = guide.strip_prefix(root()).unwrap().display().to_string();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        (1..)
            .zip(lines)
            .map(move |(number, line)| (name.clone(), number, line))
    };
    let mut guides = files(&["docs"], &["md"]);
    guides.extend(["README.md", "SECURITY.md"].map(|name| root().join(name)));
    guides.into_iter().flat_map(of).collect()
}

/// All files below folders with one of the given endings.
pub fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<_> = folders.iter().map(|name| root().join(name)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|wanted| ending == *wanted) {
                files.push(path);
            }
        }
    }
    files
}

/// The text of each Rust file by its path below a folder.
pub fn sources_of(folder: &str) -> BTreeMap<String, String> {
    let top = root().join(folder);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&top).unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(&path).unwrap())
    };
    files(&[folder], &["rs"]).into_iter().map(read).collect()
}
