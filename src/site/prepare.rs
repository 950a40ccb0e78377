//! Preparing the resources of a site at start: what each is made of. Nothing is made yet.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::StatusCode;
use hyper::header::HeaderValue;

use super::embedded;
use super::filled::FilledPages;
use super::manifest::Manifest;
use super::page_data::PageData;
use super::resource::{Kind, MakeHeaders, Resource};
use super::sitemap::{self, Document};
use super::source::{LazyText, Source};
use super::template::Renderer;
use crate::headers::{self, Cache, Inline, SecurityHeaders};
use crate::response;
use crate::texts;

/// Files below this path have a hash of their content in their name.
pub const HASHED: &str = "/assets/";

/// Creates a document for machines.
pub fn document(
    security_headers: &Arc<SecurityHeaders>,
    content_type: &'static str,
    text: LazyText,
) -> Arc<Resource> {
    let security_headers = Arc::clone(security_headers);
    let headers: MakeHeaders = Box::new(move || {
        security_headers.of_resource(HeaderValue::from_static(content_type), Cache::Revalidate)
    });
    Resource::new(StatusCode::OK, Kind::Other, headers, Source::Text(text))
}

/// The parts that all resources are made from.
pub struct Preparation {
    renderer: Arc<Renderer>,
    security_headers: Arc<SecurityHeaders>,
}

impl Preparation {
    /// Prepares for the settings of this start.
    pub fn new(renderer: Renderer, security_headers: Arc<SecurityHeaders>) -> Self {
        Self {
            renderer: Arc::new(renderer),
            security_headers,
        }
    }

    /// Creates a page from its template.
    pub fn page(&self, file: &str, inline: &Inline, status: StatusCode) -> Arc<Resource> {
        self.page_with(file, inline, status, PageData::default())
    }

    /// Creates a page from its template and what stands in it from the start.
    pub fn page_with(
        &self,
        file: &str,
        inline: &Inline,
        status: StatusCode,
        data: PageData,
    ) -> Arc<Resource> {
        let (file, renderer) = (file.to_owned(), Arc::clone(&self.renderer));
        let text = LazyText::new(move || {
            let template = texts::text(&file).map_err(|error| error.to_string())?;
            renderer
                .fill_page(&template, &data)
                .map_err(|error| format!("{file}: {error}"))
        });
        let (security_headers, inline) = (Arc::clone(&self.security_headers), inline.clone());
        let headers: MakeHeaders = Box::new(move || {
            let content_type = headers::content_type("page.html");
            let mut headers = security_headers.of_resource(content_type, Cache::Revalidate);
            security_headers.add_for_page(&mut headers, &inline);
            headers
        });
        Resource::new(status, Kind::Page, headers, Source::Text(text))
    }

    /// Prepares the pages that are filled for one visitor.
    pub fn filled_pages(&self, manifest: &Arc<Manifest>) -> FilledPages {
        let security_headers = Arc::clone(&self.security_headers);
        FilledPages::new(Arc::clone(&self.renderer), Arc::clone(manifest), security_headers)
    }

    /// Adds the documents that follow from the manifest and the settings: sitemaps, feed, robots.txt, web manifest.
    pub fn add_documents(&self, manifest: &Arc<Manifest>, resources: &mut HashMap<String, Arc<Resource>>) {
        for Document {
            path,
            content_type,
            make,
            ..
        } in sitemap::DOCUMENTS
        {
            let (manifest, renderer) = (Arc::clone(manifest), Arc::clone(&self.renderer));
            let text = LazyText::new(move || make(&manifest, &renderer));
            resources.insert(
                path.to_owned(),
                document(&self.security_headers, content_type, text),
            );
        }
    }

    /// Adds the static files.
    pub fn add_files(&self, resources: &mut HashMap<String, Arc<Resource>>) {
        for file in embedded::static_files() {
            let cache = if file.path.starts_with(HASHED) {
                Cache::Immutable
            } else {
                Cache::Day
            };
            let path = file.path.clone();
            let headers = self.headers_of(path.clone(), cache);
            let resource = Resource::new(StatusCode::OK, Kind::Other, headers, file.into());
            resources.insert(path, resource);
        }
    }

    /// Creates the response for a hashed file that does not exist (any more).
    pub fn missing_file(&self) -> Arc<Resource> {
        let security_headers = Arc::clone(&self.security_headers);
        let headers: MakeHeaders = Box::new(move || {
            security_headers.of_resource(HeaderValue::from_static(response::TEXT), Cache::Never)
        });
        let text = LazyText::new(|| Ok("Nicht gefunden.\n".to_owned()));
        Resource::new(StatusCode::NOT_FOUND, Kind::Other, headers, Source::Text(text))
    }

    fn headers_of(&self, path: String, cache: Cache) -> MakeHeaders {
        let security_headers = Arc::clone(&self.security_headers);
        Box::new(move || security_headers.of_resource(headers::content_type(&path), cache))
    }
}
