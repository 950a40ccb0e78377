//! Documents for machines: sitemaps, the Atom feed, robots.txt, the web manifest and the speculation rules.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value, json};

use super::manifest::{Article, Manifest};
use super::source::Common;
use crate::site::embedded;

/// Characters that must be encoded in the path of a URL (slashes stay).
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`');

const SITEMAP: &str = include_str!("document_templates/sitemap.xml");
const FEED: &str = include_str!("document_templates/feed.xml");
const ROBOTS: &str = include_str!("document_templates/robots.txt");
const SPECULATION_RULES: &str = include_str!("document_templates/speculation-rules.json");

/// One document: where it is served and how it is made.
pub struct Document {
    /// Path it is served at.
    pub path: &'static str,
    /// With charset.
    pub content_type: &'static str,
    /// Makes its text for the settings of this start. Fails when a template is broken, which a test rules out.
    pub make: fn(&Common) -> Result<String, String>,
}

const XML: &str = "application/xml; charset=utf-8";

/// All documents of the site.
pub const DOCUMENTS: [Document; 6] = [
    Document {
        path: "/sitemap.xml",
        content_type: XML,
        make: sitemap,
    },
    // Another address of the same list, which links and search engines know.
    Document {
        path: "/sitemap-direct.xml",
        content_type: XML,
        make: sitemap,
    },
    Document {
        path: "/blog/feed",
        content_type: "application/atom+xml; charset=utf-8",
        make: feed,
    },
    Document {
        path: "/robots.txt",
        content_type: "text/plain; charset=utf-8",
        make: robots,
    },
    Document {
        path: "/site.webmanifest",
        content_type: "application/manifest+json; charset=utf-8",
        make: web_manifest,
    },
    // A header of every page names it (`src/site/http/headers.rs`).
    Document {
        path: "/speculation-rules.json",
        content_type: "application/speculationrules+json; charset=utf-8",
        make: speculation_rules,
    },
];

fn sitemap(common: &Common) -> Result<String, String> {
    let pages: Vec<Value> = common
        .manifest
        .pages
        .iter()
        .filter(|page| page.indexable)
        .map(|page| {
            // It is unknown when the operator changed a text.
            let lastmod = page
                .lastmod
                .as_ref()
                .filter(|_| !common.renderer.has_own_text(&page.path));
            json!({ "path": encode_path(&page.path), "lastmod": lastmod })
        })
        .collect();
    common.renderer.fill_with(SITEMAP, json!({ "pages": pages }))
}

fn feed(common: &Common) -> Result<String, String> {
    let manifest = &common.manifest;
    let entries: Vec<Value> = manifest
        .articles
        .iter()
        .map(|article| json!({ "article": article, "updated": last_change(manifest, article) }))
        .collect();
    let updated = manifest
        .articles
        .iter()
        .map(|article| last_change(manifest, article))
        .max()
        .unwrap_or_default();
    common
        .renderer
        .fill_with(FEED, json!({ "updated": updated, "entries": entries }))
}

/// Returns the ISO date of an article's last change, as the sitemap has it.
fn last_change<'a>(manifest: &'a Manifest, article: &'a Article) -> &'a str {
    let page = manifest.pages.iter().find(|page| page.path == article.path);
    let lastmod = page.and_then(|page| page.lastmod.as_deref());
    lastmod.unwrap_or(&article.date)
}

fn robots(common: &Common) -> Result<String, String> {
    common.renderer.fill(ROBOTS)
}

/// The questionnaire may be rendered ahead: its script counts nothing and starts no clock before it is shown. The thank-you
/// page may not, nor what belongs to one person, even if only a link could lead there.
fn speculation_rules(common: &Common) -> Result<String, String> {
    common.renderer.fill(SPECULATION_RULES)
}

fn web_manifest(common: &Common) -> Result<String, String> {
    let template = embedded::text("templates/site.webmanifest").map_err(|error| error.to_string())?;
    common.renderer.fill(&template)
}

/// Encodes a path for a URL.
fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}
