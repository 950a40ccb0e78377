//! Machine-readable documents: sitemaps, the Atom feed, robots.txt, the web manifest, the speculation rules, and the API
//! description.

use minijinja::context;
use minijinja::value::{Serde, Value};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::manifest::{Article, Manifest};
use crate::site::http::response::JSON;

/// Characters that are percent-encoded in URL paths (slashes are not).
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

/// The API description in `OpenAPI` 3.1, with a placeholder for the site's address. `tests/library/openapi.rs` checks its limits,
/// patterns and errors against the code.
pub const OPENAPI: &str = include_str!("openapi.json");

/// A document: its path and its template.
pub struct Document {
    /// The path that serves it.
    pub path: &'static str,
    /// Including the charset.
    pub content_type: &'static str,
    /// Filled with the settings and [`contents`].
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
    // A former address of the sitemap that links and search engines still use.
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
        template: include_str!(concat!(env!("OUT_DIR"), "/site-made/templates/site.webmanifest")),
    },
    // Referenced by a header of every page (`src/site/http/headers.rs`). The questionnaire may be prerendered: its script counts
    // nothing and starts no timer before it is shown. The thank-you page and personal pages must not be, even if only a link could
    // lead there.
    Document {
        path: "/speculation-rules.json",
        content_type: "application/speculationrules+json; charset=utf-8",
        template: include_str!("document_templates/speculation-rules.json"),
    },
    // Plain JSON rather than `application/vnd.oai.openapi+json`: every tool reads it, and browsers display it.
    Document {
        path: "/openapi.json",
        content_type: JSON,
        template: OPENAPI,
    },
];

/// The pages and articles, as template data for documents.
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

/// The ISO date of an article's last change, as in the sitemap.
fn last_change<'a>(manifest: &'a Manifest, article: &'a Article) -> &'a str {
    let page = manifest.page(&article.path);
    let lastmod = page.and_then(|page| page.lastmod.as_deref());
    lastmod.unwrap_or(&article.date)
}
