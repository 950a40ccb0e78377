//! Making the resources of a site at start.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, StatusCode};

use super::embedded::{self, Content, StaticFile};
use super::manifest::Manifest;
use super::resource::{Fill, Resource};
use super::sitemap::{self, Document};
use super::template::Renderer;
use crate::headers::{self, Cache, Defences};

/// Files below this path have a hash of their content in the name.
pub const HASHED: &str = "/assets/";

/// What every resource is made with.
pub struct Preparation<'a> {
    renderer: Arc<Renderer>,
    defences: &'a Defences,
    page_headers: Arc<HeaderMap>,
}

impl<'a> Preparation<'a> {
    /// With the settings of this start.
    pub fn new(renderer: Renderer, defences: &'a Defences) -> Self {
        let mut preparation = Self {
            renderer: Arc::new(renderer),
            defences,
            page_headers: Arc::default(),
        };
        let mut headers = preparation.headers(headers::content_type("page.html"), Cache::Revalidate);
        defences.add_for_page(&mut headers);
        preparation.page_headers = Arc::new(headers);
        preparation
    }

    fn headers(&self, content_type: HeaderValue, cache: Cache) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, content_type);
        headers.insert(header::CACHE_CONTROL, cache.value());
        self.defences.add(&mut headers);
        headers
    }

    /// A page out of its template.
    pub fn page(&self, file: &str, status: StatusCode) -> Resource {
        let (file, renderer) = (file.to_owned(), Arc::clone(&self.renderer));
        let text = Fill::new(move || {
            let template = embedded::text(&file).map_err(|error| error.to_string())?;
            renderer
                .fill(&template)
                .map_err(|error| format!("{file}: {error}"))
        });
        Resource::made(status, Arc::clone(&self.page_headers), text)
    }

    /// Documents that follow from the manifest and the settings: sitemaps, feed, robots.txt, web manifest.
    pub fn add_documents(&self, manifest: &Arc<Manifest>, resources: &mut HashMap<String, Resource>) {
        for Document {
            path,
            content_type,
            make,
        } in sitemap::DOCUMENTS
        {
            let headers = Arc::new(self.headers(HeaderValue::from_static(content_type), Cache::Revalidate));
            let (manifest, renderer) = (Arc::clone(manifest), Arc::clone(&self.renderer));
            let fill = Fill::new(move || make(&manifest, &renderer));
            resources.insert(path.to_owned(), Resource::made(StatusCode::OK, headers, fill));
        }
    }

    /// Static files, in the forms that the build made.
    pub fn add_files(&self, resources: &mut HashMap<String, Resource>) {
        for StaticFile { path, hash, content } in embedded::static_files() {
            let cache = if path.starts_with(HASHED) {
                Cache::Immutable
            } else {
                Cache::Day
            };
            let headers = self.headers(headers::content_type(&path), cache);
            let resource = match content {
                Content::Plain(bytes) => Resource::plain(headers, bytes, hash),
                Content::Encoded(forms) => Resource::encoded(headers, forms, hash),
            };
            resources.insert(path, resource);
        }
    }

    /// The answer for a hashed file that is not there (any more).
    pub fn missing_file(&self) -> Resource {
        let headers = self.headers(headers::content_type("missing.txt"), Cache::Never);
        Resource::text(StatusCode::NOT_FOUND, headers, "Nicht gefunden.\n".to_owned())
    }
}
