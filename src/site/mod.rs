//! The site as it is served: every page, file, redirect and sitemap, known from the start and made when first asked for.

mod documents;
pub(crate) mod embedded;
mod encoding;
mod german;
pub mod http;
mod manifest;
mod negotiate;
mod own_text;
mod page_data;
pub mod private_path;
mod promises;
mod redirects;
pub mod reload;
mod resource;
mod reviews;
pub mod templates;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use hyper::header::HeaderValue;
use hyper::{HeaderMap, Response, StatusCode};
use minijinja::value::Value;
use percent_encoding::percent_decode_str;

use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::domain::inquiry::{Form, Preselection};
use crate::site::http::headers::{self, Cache, Inline, SecurityHeaders};
use crate::site::http::response::{self, Body, TEXT};
pub use documents::{DOCUMENTS, Document, OPENAPI};
use embedded::StaticFile;
use manifest::{Manifest, MissingPage};
pub use own_text::OwnText;
pub use page_data::{FormData, PageData, ThanksData};
pub use promises::{Promises, SiteSource};
pub use resource::Resource;
use resource::Source;
pub use reviews::PublishedReviews;
use templates::Templates;

/// The path of the home page, which shows reviews. Other pages have at most a link to them.
pub const HOME: &str = "/";
const QUESTIONNAIRE: &str = "/fragebogen";
const ARTICLES: &str = "/blog/";
const CATEGORIES: &str = "/blog/kategorie/";

/// Files below this path have a hash of their content in their name.
const HASHED: &str = "/assets/";

/// Everything a GET can be answered with.
#[derive(Debug, Clone)]
pub struct Site {
    resources: HashMap<String, Arc<Resource>>,
    /// The questionnaire, for links that choose something in advance.
    preselected: Vec<(Preselection, Arc<Resource>)>,
    missing: Arc<Resource>,
    missing_article: Arc<Resource>,
    missing_category: Arc<Resource>,
    missing_file: Arc<Resource>,
    manifest: Arc<Manifest>,
    maker: Maker,
}

/// What resources are made with.
#[derive(Debug, Clone)]
struct Maker {
    templates: Arc<Templates>,
    security_headers: SecurityHeaders,
}

/// Why the site cannot be prepared: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the site inside this executable is broken ({0}); build it again")]
pub struct BrokenSite(#[from] io::Error);

impl Maker {
    fn page(&self, status: StatusCode, file: &str, inline: &Inline, data: PageData) -> Arc<Resource> {
        let headers = self.security_headers.of_page(inline);
        let source = Source::Page(file.to_owned(), Box::new(data));
        Resource::new(status, headers, source, &self.templates)
    }

    fn missing(&self, page: &MissingPage) -> Arc<Resource> {
        self.page(
            StatusCode::NOT_FOUND,
            &page.file,
            &page.inline,
            PageData::default(),
        )
    }

    fn file(&self, file: StaticFile) -> Arc<Resource> {
        let cache = if file.path.starts_with(HASHED) {
            Cache::Immutable
        } else {
            Cache::Day
        };
        let content_type = headers::content_type(&file.path);
        let headers = self.security_headers.of_resource(content_type, cache);
        Resource::new(StatusCode::OK, headers, Source::File(file), &self.templates)
    }

    fn document(
        &self,
        status: StatusCode,
        content_type: &'static str,
        cache: Cache,
        source: Source,
    ) -> Arc<Resource> {
        let content_type = HeaderValue::from_static(content_type);
        let headers = self.security_headers.of_resource(content_type, cache);
        Resource::new(status, headers, source, &self.templates)
    }
}

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
        let manifest = Arc::new(Manifest::embedded()?);
        let maker = Maker {
            templates: Arc::new(Templates::new(settings, origin, promises)),
            security_headers: security_headers.clone(),
        };
        let found = |page: &manifest::Page, data| maker.page(StatusCode::OK, &page.file, &page.inline, data);
        let files = embedded::static_files()
            .into_iter()
            .map(|file| (file.path.clone(), maker.file(file)));
        let pages = manifest.pages.iter();
        let pages = pages.map(|page| (page.path.clone(), found(page, PageData::default())));
        let documents = DOCUMENTS.into_iter().map(|document| {
            let source = Source::Document(document.template, (document.data)(&manifest));
            let made = maker.document(StatusCode::OK, document.content_type, Cache::Revalidate, source);
            (document.path.to_owned(), made)
        });
        let preselected = manifest.page(QUESTIONNAIRE).into_iter().flat_map(|page| {
            Preselection::all().map(move |preselection| {
                let data = PageData {
                    form: FormData::new(&Form::preselected(preselection)),
                    ..PageData::default()
                };
                (preselection, found(page, data))
            })
        });
        // Of two line breaks at its end, a template leaves one.
        let not_found = Source::Document("Nicht gefunden.\n\n", Value::from(()));
        Ok(Self {
            resources: files.chain(pages).chain(documents).collect(),
            preselected: preselected.collect(),
            missing: maker.missing(&manifest.not_found.default),
            missing_article: maker.missing(&manifest.not_found.article),
            missing_category: maker.missing(&manifest.not_found.category),
            missing_file: maker.document(StatusCode::NOT_FOUND, TEXT, Cache::Never, not_found),
            manifest: Arc::clone(&manifest),
            maker: maker.clone(),
        })
    }

    /// Returns the site with other reviews on the home page. Everything else is the same, and stays compressed.
    #[must_use]
    pub fn with_reviews(&self, reviews: Option<&PublishedReviews>) -> Self {
        let home = self.manifest.page(HOME).map(|page| {
            let data = PageData {
                reviews: reviews.cloned(),
                ..PageData::default()
            };
            let made = self.maker.page(StatusCode::OK, &page.file, &page.inline, data);
            (HOME.to_owned(), made)
        });
        let mut site = self.clone();
        site.resources.extend(home);
        site
    }

    /// Returns what fills the templates, with the promises of this site.
    pub fn templates(&self) -> &Arc<Templates> {
        &self.maker.templates
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
        let Some(page) = self.manifest.page(path) else {
            return response::empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new());
        };
        let headers = self.maker.security_headers.of_filled_page(&page.inline);
        let page = (page.file.clone(), data);
        resource::respond_once(self.templates(), page, (status, headers), request).await
    }

    /// Returns the inline scripts and styles of private pages.
    pub fn private_inline(&self) -> &Inline {
        &self.manifest.private.inline
    }

    /// Returns the inline scripts and styles of the desk's pages.
    pub fn desk_inline(&self) -> &Inline {
        &self.manifest.desk.inline
    }

    /// Returns the path that this one is redirected to.
    pub fn redirect(&self, path: &str) -> Option<String> {
        redirects::target(path, |path| self.find(path).is_some(), &self.manifest.aliases)
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
