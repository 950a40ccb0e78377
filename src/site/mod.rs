//! The site as it is served: every page, file, redirect and sitemap, known from the start and made when first asked for.

mod documents;
pub(crate) mod embedded;
mod encoding;
mod filled;
pub mod http;
mod manifest;
mod negotiate;
pub mod openapi;
mod own_text;
mod page_data;
pub mod private_path;
mod promises;
mod redirects;
pub mod reload;
mod resource;
mod reviews;
mod source;
mod template;
pub mod templates;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::Arc;

use hyper::{HeaderMap, Response, StatusCode};
use percent_encoding::percent_decode_str;

use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::domain::inquiry::{Form, Preselection};
use crate::site::http::headers::{Cache, Inline, SecurityHeaders};
use crate::site::http::response::{Body, TEXT};
use manifest::{Manifest, MissingPage};
pub use own_text::OwnText;
pub use page_data::{FormData, PageData, ThanksData};
pub use promises::{Promises, SiteSource};
pub use resource::Resource;
pub use reviews::PublishedReviews;
use source::{Common, HASHED, Source};
use template::Renderer;

/// The path of the home page, which shows reviews. Other pages have at most a link to them.
pub const HOME: &str = "/";
const QUESTIONNAIRE: &str = "/fragebogen";
const ARTICLES: &str = "/blog/";
const CATEGORIES: &str = "/blog/kategorie/";

/// Everything a GET can be answered with.
#[derive(Clone)]
pub struct Site {
    resources: HashMap<String, Arc<Resource>>,
    /// The questionnaire, for links that choose something in advance.
    preselected: Vec<(Preselection, Arc<Resource>)>,
    missing: Arc<Resource>,
    missing_article: Arc<Resource>,
    missing_category: Arc<Resource>,
    missing_file: Arc<Resource>,
    common: Arc<Common>,
}

/// Why the site cannot be prepared: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the site inside this executable is broken ({0}); build it again")]
pub struct BrokenSite(#[from] io::Error);

impl Site {
    /// Prepares the embedded site for these settings.
    ///
    /// # Errors
    /// When the embedded files do not fit together.
    pub fn prepare(
        settings: &SiteSettings,
        origin: &Origin,
        promises: &Promises,
        security_headers: &SecurityHeaders,
    ) -> Result<Self, BrokenSite> {
        let common = Arc::new(Common {
            renderer: Renderer::new(settings, origin, promises),
            manifest: Manifest::embedded()?,
            security_headers: security_headers.clone(),
        });
        let found = |source| Resource::new(StatusCode::OK, source, &common);
        let missing = |source| Resource::new(StatusCode::NOT_FOUND, source, &common);
        let missing_page =
            |page: &MissingPage| missing(page_source(&page.file, &page.inline, PageData::default()));
        let manifest = &common.manifest;
        let files = embedded::static_files()
            .into_iter()
            .map(|file| (file.path.clone(), Source::File(file)));
        let pages = manifest.pages.iter().map(|page| {
            let source = page_source(&page.file, &page.inline, PageData::default());
            (page.path.clone(), source)
        });
        let documents = documents::DOCUMENTS.into_iter().map(|document| {
            let source = Source::Text {
                content_type: document.content_type,
                cache: Cache::Revalidate,
                make: document.make,
            };
            (document.path.to_owned(), source)
        });
        let openapi = (openapi::PATH.to_owned(), openapi::DOCUMENT);
        let sources = files.chain(pages).chain(documents).chain([openapi]);
        let questionnaire = manifest.pages.iter().find(|page| page.path == QUESTIONNAIRE);
        let preselected = questionnaire.into_iter().flat_map(|page| {
            let found = &found;
            Preselection::all().map(move |preselection| {
                let data = PageData {
                    form: FormData::new(&Form::preselected(preselection)),
                    ..PageData::default()
                };
                (preselection, found(page_source(&page.file, &page.inline, data)))
            })
        });
        Ok(Self {
            resources: sources.map(|(path, source)| (path, found(source))).collect(),
            preselected: preselected.collect(),
            missing: missing_page(&manifest.not_found.default),
            missing_article: missing_page(&manifest.not_found.article),
            missing_category: missing_page(&manifest.not_found.category),
            missing_file: missing(Source::Text {
                content_type: TEXT,
                cache: Cache::Never,
                make: |_| Ok("Nicht gefunden.\n".to_owned()),
            }),
            common: Arc::clone(&common),
        })
    }

    /// Returns the site with other reviews on the home page. Everything else is the same, and stays compressed.
    #[must_use]
    pub fn with_reviews(&self, reviews: Option<&PublishedReviews>) -> Self {
        let pages = &self.common.manifest.pages;
        let home = pages.iter().find(|page| page.path == HOME).map(|page| {
            let data = PageData {
                reviews: reviews.cloned(),
                ..PageData::default()
            };
            let source = page_source(&page.file, &page.inline, data);
            (
                HOME.to_owned(),
                Resource::new(StatusCode::OK, source, &self.common),
            )
        });
        let mut site = self.clone();
        site.resources.extend(home);
        site
    }

    /// Returns the resource that answers 200 at this path (percent-encoded, as requested).
    pub fn find(&self, path: &str) -> Option<&Arc<Resource>> {
        self.find_named(path).map(|(_, resource)| resource)
    }

    /// As [`Self::find`], with the path in its only spelling.
    pub fn find_named(&self, path: &str) -> Option<(&str, &Arc<Resource>)> {
        let found = self.resources.get_key_value(path);
        let (path, resource) = found.or_else(|| self.resources.get_key_value(decode(path)?.as_ref()))?;
        Some((path, resource))
    }

    /// Returns the questionnaire in which this is chosen; `None` if it is nothing.
    pub fn preselected(&self, preselection: Preselection) -> Option<&Arc<Resource>> {
        let mut pages = self.preselected.iter();
        let page = pages.find(|(chosen, _)| *chosen == preselection);
        page.map(|(_, page)| page)
    }

    /// Fills the page at a path for one visitor. It is never kept anywhere.
    pub async fn filled(
        &self,
        path: &str,
        status: StatusCode,
        data: PageData,
        request: &HeaderMap,
    ) -> Response<Body> {
        filled::respond(&self.common, path, status, data, request).await
    }

    /// Returns the inline scripts and styles of private pages.
    pub fn private_inline(&self) -> &Inline {
        &self.common.manifest.private.inline
    }

    /// Returns the inline scripts and styles of the desk's pages.
    pub fn desk_inline(&self) -> &Inline {
        &self.common.manifest.desk.inline
    }

    /// Returns the path that this one is redirected to.
    pub fn redirect(&self, path: &str) -> Option<String> {
        redirects::target(
            path,
            |path| self.find(path).is_some(),
            &self.common.manifest.aliases,
        )
    }

    /// Returns the page that says that nothing is here.
    pub fn missing(&self, path: &str) -> &Arc<Resource> {
        // A missing script or style sheet must not be answered with a page, which a browser would try to run.
        if path.starts_with(HASHED) {
            return &self.missing_file;
        }
        match (path.strip_prefix(CATEGORIES), path.strip_prefix(ARTICLES)) {
            (Some(name), _) if is_segment(name) => &self.missing_category,
            (None, Some(id)) if is_segment(id) => &self.missing_article,
            _ => &self.missing,
        }
    }
}

/// Iterates over the paths of the documents for machines, with their content types.
pub fn documents() -> impl Iterator<Item = (&'static str, &'static str)> {
    documents::DOCUMENTS
        .into_iter()
        .map(|document| (document.path, document.content_type))
}

impl fmt::Debug for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Site")
    }
}

fn page_source(file: &str, inline: &Inline, data: PageData) -> Source {
    Source::Page {
        file: file.to_owned(),
        inline: inline.clone(),
        data: Box::new(data),
    }
}

fn is_segment(text: &str) -> bool {
    !text.is_empty() && !text.contains('/')
}

fn decode(path: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(path).decode_utf8().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    pub(in crate::site) fn prepare(settings: &SiteSettings) -> Site {
        let origin = Origin::parse("https://www.example.de").unwrap();
        let security_headers = SecurityHeaders::new(settings, origin.as_str());
        Site::prepare(settings, &origin, &Promises::default(), &security_headers).unwrap()
    }

    #[test]
    fn every_template_can_be_filled_with_and_without_settings() {
        let folder = std::env::temp_dir().join(format!("taubenabwehr-settings-{}", std::process::id()));
        std::fs::write(&folder, "").unwrap();
        let empty = SiteSettings::read(Path::new(&folder)).unwrap();
        std::fs::remove_file(&folder).unwrap();
        for settings in [SiteSettings::embedded().unwrap(), empty] {
            let site = prepare(&settings);
            for (path, resource) in &site.resources {
                let body = resource.body();
                assert!(!body.is_empty(), "{path} is empty");
                // Scripts may hold such brackets, pictures are no text.
                if let (false, Ok(text)) = (path.starts_with(HASHED), std::str::from_utf8(&body)) {
                    assert!(
                        !text.contains("{{") && !text.contains("{%"),
                        "{path} still holds an expression"
                    );
                }
            }
        }
    }

    #[test]
    fn missing_pages_differ_by_place() {
        let site = prepare(&SiteSettings::embedded().unwrap());
        assert!(Arc::ptr_eq(site.missing("/nix"), &site.missing));
        assert!(Arc::ptr_eq(site.missing("/blog/nix"), &site.missing_article));
        assert!(Arc::ptr_eq(
            site.missing("/blog/kategorie/nix"),
            &site.missing_category
        ));
        assert!(Arc::ptr_eq(
            site.missing("/blog/kategorie/nix/nix"),
            &site.missing
        ));
        assert!(Arc::ptr_eq(site.missing("/assets/nix.js"), &site.missing_file));
        assert!(
            site.find("/blog/kategorie/sch%C3%A4dlingsbek%C3%A4mpfung")
                .is_some()
        );
    }
}
