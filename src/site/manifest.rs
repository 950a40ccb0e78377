//! The manifest that the front-end build writes: the only list of pages.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use crate::site::embedded;
use crate::site::http::headers::Inline;

/// Contents of `manifest.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// All pages that answer 200.
    pub pages: Vec<Page>,
    /// The pages that answer 404.
    pub not_found: NotFound,
    /// The pages rendered for one person. Their templates are not public.
    pub private: PrivatePages,
    /// The pages of the operator's desk.
    pub desk: PrivatePages,
    /// Former paths of articles, mapped to the current ones.
    pub aliases: BTreeMap<String, String>,
    /// The articles, newest first, for the feed.
    pub articles: Vec<Article>,
}

/// A page. Those that answer 404 have no path and are not in the sitemap.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The decoded path, such as `/blog/kategorie/schädlingsbekämpfung`.
    #[serde(default)]
    pub path: String,
    /// Its template in the site folder.
    pub file: String,
    /// Whether search engines may index it. The sitemaps list exactly these pages.
    #[serde(default)]
    pub indexable: bool,
    /// The ISO date of the last change, if known.
    pub lastmod: Option<String>,
    /// CSP sources for its inline scripts and styles.
    pub inline: Inline,
}

/// The pages that answer 404.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotFound {
    /// For any unknown path.
    pub default: Page,
    /// For an unknown article, below `/blog/`.
    pub article: Page,
    /// For an unknown or empty category, below `/blog/kategorie/`.
    pub category: Page,
}

/// Properties shared by private pages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivatePages {
    /// CSP sources for the inline scripts and styles of all of them.
    pub inline: Inline,
}

/// An article, as listed in the feed.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Article {
    /// The path of its page.
    pub path: String,
    /// Its headline.
    pub title: String,
    /// Its summary.
    pub excerpt: String,
    /// The ISO date.
    pub date: String,
    /// The names of its categories.
    pub categories: Vec<String>,
}

impl Manifest {
    /// Parses the embedded manifest.
    ///
    /// # Errors
    /// If the executable was built from a broken site folder, which the tests rule out.
    pub fn embedded() -> io::Result<Self> {
        Ok(serde_json::from_str(&embedded::text("manifest.json")?)?)
    }

    /// The page at a path.
    pub fn page(&self, path: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.path == path)
    }
}
