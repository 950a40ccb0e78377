//! The modules of the crate and their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::imports::paths;
use crate::pages::sources_of;

static RE_EXPORT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*pub(?:\([^)]*\))? use ([^;]+);").unwrap());

/// Path of a module from the crate root, which is empty.
type Module = Vec<String>;

/// All modules with their sources.
pub struct Tree {
    modules: BTreeMap<Module, String>,
}

impl Tree {
    /// Reads all modules of the library.
    pub fn read() -> Self {
        let mut files = sources_of("src");
        files.remove("main.rs");
        Self::of(&files)
    }

    /// The modules in a set of files, keyed by path below `src`.
    pub fn of(files: &BTreeMap<String, String>) -> Self {
        let modules = files.iter().filter_map(|(path, text)| {
            let name = path.strip_suffix(".rs")?;
            let name = name.strip_suffix("/mod").unwrap_or(name);
            let module = if name == "lib" {
                Module::new()
            } else {
                name.split('/').map(str::to_owned).collect()
            };
            Some((module, text.clone()))
        });
        Self {
            modules: modules.collect(),
        }
    }

    pub fn files(&self) -> usize {
        self.modules.len()
    }

    /// One line for each import cycle among sibling modules. A module includes its descendants. Imports between a parent and its
    /// children are not cycles.
    pub fn circles(&self) -> Vec<String> {
        let mut siblings: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (module, text) in &self.modules {
            for path in paths(text, &self.children(module)) {
                let Some(target) = self.resolve(module, &path, 0) else {
                    continue;
                };
                let shared = module
                    .iter()
                    .zip(&target)
                    .take_while(|(one, other)| one == other)
                    .count();
                if let (Some(from), Some(to)) = (module.get(shared), target.get(shared)) {
                    let edges = siblings.entry(module[..shared].to_vec()).or_default();
                    edges.entry(from.clone()).or_default().insert(to.clone());
                }
            }
        }
        let circles = siblings.iter().flat_map(|(parent, edges)| {
            let named = |name: &String| {
                [parent.as_slice(), std::slice::from_ref(name)]
                    .concat()
                    .join("::")
            };
            circles_of(edges)
                .into_iter()
                .map(move |circle| circle.iter().map(named).collect::<Vec<_>>().join(" -> "))
        });
        circles.collect()
    }

    fn children(&self, module: &Module) -> Vec<String> {
        let below = self
            .modules
            .keys()
            .filter(|other| other.len() == module.len() + 1);
        below
            .filter(|other| other.starts_with(module))
            .filter_map(|other| other.last().cloned())
            .collect()
    }

    /// The module that defines the item of a path, following re-exports.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut at = from.clone();
        let mut names = path.iter().peekable();
        while let Some(name) = names.peek() {
            match name.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()?),
                "self" => {}
                _ => break,
            }
            names.next();
        }
        for name in names {
            let child = [at.as_slice(), std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&child) {
                at = child;
                continue;
            }
            // Limits chains of re-exports, which are short in this crate.
            let exported = self.re_export(&at, name).filter(|_| depth < 4);
            return match exported {
                Some(path) => self.resolve(&at, &path, depth + 1),
                None => Some(at),
            };
        }
        Some(at)
    }

    /// The path from which a module re-exports a name.
    fn re_export(&self, module: &Module, name: &str) -> Option<Vec<String>> {
        let text = self.modules.get(module)?;
        let children = self.children(module);
        RE_EXPORT.captures_iter(text).find_map(|found| {
            let line = format!("use {};", &found[1]);
            let original = renamed(&line, name).unwrap_or(name);
            let mut paths = paths(&line, &children).into_iter();
            paths.find(|path| path.last().is_some_and(|last| last == original))
        })
    }
}

/// The original name of an item that a `use` line re-exports as `name`.
fn renamed<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.by_ref().collect();
    let found = words
        .windows(3)
        .find(|window| window[1] == "as" && window[2] == name)?;
    found.first().copied()
}

/// One cycle through each node that lies on one, without duplicates.
fn circles_of(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let mut circles: Vec<Vec<String>> = Vec::new();
    for start in edges.keys() {
        if circles.iter().any(|circle| circle.contains(start)) {
            continue;
        }
        let mut ways = vec![vec![start.clone()]];
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop() {
            let next = way.last().and_then(|last| edges.get(last));
            for name in next.into_iter().flatten() {
                let longer = [way.as_slice(), std::slice::from_ref(name)].concat();
                if name == start {
                    circles.push(longer);
                    ways.clear();
                    break;
                }
                if seen.insert(name.clone()) {
                    ways.push(longer);
                }
            }
        }
    }
    circles
}
