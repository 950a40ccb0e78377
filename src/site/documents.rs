//! Documents for machines: sitemaps, the Atom feed, robots.txt, the web manifest, the speculation rules, and what programs may ask of
//! the server.

use minijinja::context;
use minijinja::value::{Serde, Value};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::manifest::{Article, Manifest};
use crate::site::http::response::JSON;

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

/// What programs may ask of the server, in `OpenAPI` 3.1, with a placeholder for the site's address. `tests/library/openapi.rs`
/// compares its limits, patterns and errors with those of the code.
pub const OPENAPI: &str = include_str!("openapi.json");

/// One document: where it is served and how it is made.
pub struct Document {
    /// Path it is served at.
    pub path: &'static str,
    /// With charset.
    pub content_type: &'static str,
    /// What is filled with the settings, and with what [`contents`] lists.
    pub template: &'static str,
}

const XML: &str = "application/xml; charset=utf-8";

/// All documents of the site.
pub const DOCUMENTS: [Document; 7] = [
    Document {
        path: "/sitemap.xml",
        content_type: XML,
        template: SITEMAP,
    },
    // Another address of the same list, which links and search engines know.
    Document {
        path: "/sitemap-direct.xml",
        content_type: XML,
        template: SITEMAP,
    },
    Document {
        path: "/blog/feed",
        content_type: "application/atom+xml; charset=utf-8",
        template: include_str!("document_templates/feed.xml"),
    },
    Document {
        path: "/robots.txt",
        content_type: "text/plain; charset=utf-8",
        template: include_str!("document_templates/robots.txt"),
    },
    Document {
        path: "/site.webmanifest",
        content_type: "application/manifest+json; charset=utf-8",
        template: include_str!(concat!(env!("OUT_DIR"), "/site/templates/site.webmanifest")),
    },
    // A header of every page names it (`src/site/http/headers.rs`). The questionnaire may be rendered ahead: its script counts
    // nothing and starts no clock before it is shown. The thank-you page may not, nor what belongs to one person, even if only a
    // link could lead there.
    Document {
        path: "/speculation-rules.json",
        content_type: "application/speculationrules+json; charset=utf-8",
        template: include_str!("document_templates/speculation-rules.json"),
    },
    // Plain JSON rather than `application/vnd.oai.openapi+json`: every tool reads it, and browsers show it.
    Document {
        path: "/openapi.json",
        content_type: JSON,
        template: OPENAPI,
    },
];

/// Lists the pages and the articles for documents.
pub fn contents(manifest: &Manifest) -> Value {
    let pages = manifest.pages.iter().filter(|page| page.indexable);
    let pages = pages.map(|page| {
        context! {
            name => page.path.trim_start_matches('/'),
            path => utf8_percent_encode(&page.path, PATH).to_string(),
            lastmod => &page.lastmod,
        }
    });
    let articles = manifest.articles.iter();
    let updated = articles.clone().map(|article| last_change(manifest, article));
    let entries = articles.map(|article| {
        context! { article => Serde(article), updated => last_change(manifest, article) }
    });
    context! {
        pages => pages.collect::<Vec<_>>(),
        updated => updated.max(),
        entries => entries.collect::<Vec<_>>(),
    }
}

/// Returns the ISO date of an article's last change, as the sitemap has it.
fn last_change<'a>(manifest: &'a Manifest, article: &'a Article) -> &'a str {
    let page = manifest.page(&article.path);
    let lastmod = page.and_then(|page| page.lastmod.as_deref());
    lastmod.unwrap_or(&article.date)
}
