//! The public site: every page, file, redirect and sitemap. All are known at startup and rendered on first request.

mod documents;
pub(crate) mod embedded;
mod encoding;
mod german;
pub mod http;
mod manifest;
pub mod own_text;
mod page_data;
pub mod private_path;
mod promises;
mod redirects;
pub mod reload;
mod resource;
mod reviews;
pub mod templates;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use hyper::header::HeaderValue;
use hyper::{HeaderMap, Response, StatusCode};
use minijinja::value::Value;
use percent_encoding::percent_decode_str;

use crate::domain::inquiry::{Form, Preselection};
use crate::site::http::headers::{self, Cache, SecurityHeaders};
use crate::site::http::response::{self, Body, TEXT};
pub use documents::{DOCUMENTS, Document, OPENAPI};
use encoding::Effort;
use manifest::{Manifest, Page};
pub use page_data::{FormData, PageData, ThanksData};
pub use promises::{Promises, SiteSource};
pub use resource::Resource;
use resource::Source;
use templates::Templates;

/// The home page, which shows reviews. Other pages link to them at most.
pub const HOME: &str = "/";
const QUESTIONNAIRE: &str = "/fragebogen";
const ARTICLES: &str = "/blog/";
const CATEGORIES: &str = "/blog/kategorie/";

/// Files below this path have a content hash in their name.
const HASHED: &str = "/assets/";

/// Everything that the site serves to GET requests.
#[derive(Debug, Clone)]
pub struct Site {
    resources: HashMap<String, Arc<Resource>>,
    /// The questionnaire with an option preselected by the link.
    preselected: Vec<(Preselection, Arc<Resource>)>,
    missing: Arc<Resource>,
    missing_article: Arc<Resource>,
    missing_category: Arc<Resource>,
    missing_file: Arc<Resource>,
    /// The pages as the front-end build lists them.
    pub manifest: Arc<Manifest>,
    templates: Arc<Templates>,
    security_headers: SecurityHeaders,
}

/// Why the site cannot be prepared: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the site inside this executable is broken ({0}); build it again")]
pub struct BrokenSite(#[from] io::Error);

impl Site {
    /// Prepares the embedded site with its promises and the published reviews.
    pub fn prepare(
        source: &SiteSource,
        manifest: &Arc<Manifest>,
        promises: &Promises,
        reviews: Option<&Value>,
    ) -> Self {
        let promises = Promises {
            testimonials: promises.testimonials || reviews.is_some(),
            ..promises.clone()
        };
        let templates = Arc::new(Templates::new(&source.settings, &source.origin, &promises));
        let headers = SecurityHeaders::new(&source.settings, &source.origin);
        let contents = documents::contents(manifest);
        let resource =
            |status, headers, source| Resource::new(status, headers, source, Effort::Best, &templates);
        let page = |status, page: &Page, form| {
            let data = PageData {
                form,
                reviews: reviews.cloned(),
                ..PageData::default()
            };
            let source = Source::Page(page.file.clone(), Box::new(data));
            resource(status, headers.of_page(&page.inline), source)
        };
        let document = |status, content_type, cache, template| {
            let headers = headers.of_resource(HeaderValue::from_static(content_type), cache);
            resource(status, headers, Source::Document(template, contents.clone()))
        };
        let missing = |missing| page(StatusCode::NOT_FOUND, missing, FormData::default());

        let files = embedded::static_files().into_iter().map(|file| {
            let is_hashed = file.path.starts_with(HASHED);
            let cache = if is_hashed { Cache::Immutable } else { Cache::Day };
            let headers = headers.of_resource(headers::content_type(&file.path), cache);
            let path = file.path.clone();
            (path, resource(StatusCode::OK, headers, Source::File(file)))
        });
        let pages = manifest.pages.iter().map(|found| {
            let path = found.path.clone();
            (path, page(StatusCode::OK, found, FormData::default()))
        });
        let documents = DOCUMENTS.into_iter().map(|found| {
            let content_type = found.content_type;
            let made = document(StatusCode::OK, content_type, Cache::Revalidate, found.template);
            (found.path.to_owned(), made)
        });
        let preselected = manifest.page(QUESTIONNAIRE).into_iter().flat_map(|found| {
            Preselection::all().map(move |preselection| {
                let form = FormData::new(&Form::preselected(preselection));
                (preselection, page(StatusCode::OK, found, form))
            })
        });
        Self {
            resources: files.chain(pages).chain(documents).collect(),
            preselected: preselected.collect(),
            missing: missing(&manifest.not_found.default),
            missing_article: missing(&manifest.not_found.article),
            missing_category: missing(&manifest.not_found.category),
            // Templates drop one trailing newline.
            missing_file: document(StatusCode::NOT_FOUND, TEXT, Cache::Never, "Nicht gefunden.\n\n"),
            manifest: Arc::clone(manifest),
            templates: Arc::clone(&templates),
            security_headers: headers,
        }
    }

    /// The templates, filled with this site's promises.
    pub fn templates(&self) -> &Arc<Templates> {
        &self.templates
    }

    /// The resource that answers 200 at a path (percent-encoded, as requested).
    pub fn find(&self, path: &str) -> Option<&Arc<Resource>> {
        self.find_named(path).map(|(_, resource)| resource)
    }

    /// Like [`Self::find`], with the canonical spelling of the path.
    pub fn find_named(&self, path: &str) -> Option<(&str, &Arc<Resource>)> {
        let found = self.resources.get_key_value(path);
        let decoded = || percent_decode_str(path).decode_utf8().ok();
        let (path, resource) = found.or_else(|| self.resources.get_key_value(decoded()?.as_ref()))?;
        Some((path, resource))
    }

    /// The questionnaire with this preselection, if it exists.
    pub fn preselected(&self, preselection: Preselection) -> Option<&Arc<Resource>> {
        let mut pages = self.preselected.iter();
        let page = pages.find(|(chosen, _)| *chosen == preselection);
        page.map(|(_, page)| page)
    }

    /// Renders the page at a path for one visitor; never cached.
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
        let mut headers = self.security_headers.of_page(&page.inline);
        headers::hide(&mut headers);
        let source = Source::Page(page.file.clone(), Box::new(data));
        let page = Resource::new(status, headers, source, Effort::Quick, &self.templates);
        page.respond(request).await
    }

    /// The redirect target of a path, if any.
    pub fn redirect(&self, path: &str) -> Option<String> {
        redirects::target(path, |path| self.find(path).is_some(), &self.manifest.aliases)
    }

    /// The 404 response for a path.
    pub fn missing(&self, path: &str) -> &Arc<Resource> {
        // Not an HTML page, which a browser would try to run as a script or style sheet.
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::base::text::origin::Origin;
    use crate::config::settings::SiteSettings;

    fn prepare(settings: &SiteSettings) -> Site {
        let origin = Origin::parse("https://www.example.de").unwrap();
        let source = SiteSource {
            settings: settings.clone(),
            origin,
            is_demo: false,
        };
        let manifest = Arc::new(Manifest::embedded().unwrap());
        Site::prepare(&source, &manifest, &Promises::default(), None)
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
                // Scripts may contain such brackets, and images are not text.
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
