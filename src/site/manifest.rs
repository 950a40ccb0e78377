//! The manifest that the front-end build writes for the server: the only list of pages.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use crate::site::embedded;
use crate::site::http::headers::Inline;

/// `manifest.json` of the site folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Every page that answers 200.
    pub pages: Vec<Page>,
    /// The pages that answer 404.
    pub not_found: NotFound,
    /// The pages that are filled for one person. Their templates are not part of the site.
    pub private: PrivatePages,
    /// The pages of the operator's desk, in the same form.
    pub desk: PrivatePages,
    /// Former paths of articles, with their present ones.
    pub aliases: BTreeMap<String, String>,
    /// The articles, newest first, for the feed.
    pub articles: Vec<Article>,
}

/// One page. Those that answer 404 have neither path nor place in a sitemap.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Decoded path, such as `/blog/kategorie/schädlingsbekämpfung`.
    #[serde(default)]
    pub path: String,
    /// Template inside the site folder.
    pub file: String,
    /// Whether search engines may list it. The sitemaps contain exactly these pages.
    #[serde(default)]
    pub indexable: bool,
    /// ISO date of the last change, if known.
    pub lastmod: Option<String>,
    /// Its inline scripts and styles.
    pub inline: Inline,
}

/// The pages that say that nothing is here.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotFound {
    /// Any unknown route.
    pub default: Page,
    /// An unknown article, below `/blog/`.
    pub article: Page,
    /// An unknown or empty category, below `/blog/kategorie/`.
    pub category: Page,
}

/// What private pages have in common.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivatePages {
    /// The inline scripts and styles of each.
    pub inline: Inline,
}

/// An article, as the feed describes it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Article {
    /// Path of its page.
    pub path: String,
    /// Its headline.
    pub title: String,
    /// Its summary.
    pub excerpt: String,
    /// ISO date.
    pub date: String,
    /// Team that signs it.
    pub author: String,
    /// Names of its categories.
    pub categories: Vec<String>,
}

impl Manifest {
    /// Reads the embedded manifest.
    ///
    /// # Errors
    /// When the executable was built from a broken site folder; the tests keep that from happening.
    pub fn embedded() -> io::Result<Self> {
        Ok(serde_json::from_str(&embedded::text("manifest.json")?)?)
    }

    /// Returns the page at a path.
    pub fn page(&self, path: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.path == path)
    }
}
