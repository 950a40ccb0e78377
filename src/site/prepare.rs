//! Preparing the resources of a site at start.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::header::HeaderValue;
use hyper::{HeaderMap, StatusCode};

use super::embedded::{self, StaticContent, StaticFile};
use super::filled::FilledPages;
use super::manifest::Manifest;
use super::page_data::PageData;
use super::resource::{LazyText, Resource};
use super::sitemap::{self, Document};
use super::template::Renderer;
use crate::headers::{self, Cache, SecurityHeaders};

/// Creates a document for machines.
pub fn document(security_headers: &SecurityHeaders, content_type: &'static str, text: LazyText) -> Resource {
    let headers = security_headers.of_resource(HeaderValue::from_static(content_type), Cache::Revalidate);
    Resource::lazy(StatusCode::OK, Arc::new(headers), text)
}

/// Files below this path have a hash of their content in their name.
pub const HASHED: &str = "/assets/";

/// The parts that all resources are made from.
pub struct Preparation<'a> {
    renderer: Arc<Renderer>,
    security_headers: &'a SecurityHeaders,
    page_headers: Arc<HeaderMap>,
}

impl<'a> Preparation<'a> {
    /// Prepares for the settings of this start.
    pub fn new(renderer: Renderer, security_headers: &'a SecurityHeaders) -> Self {
        let mut preparation = Self {
            renderer: Arc::new(renderer),
            security_headers,
            page_headers: Arc::default(),
        };
        let mut headers = security_headers.of_resource(headers::content_type("page.html"), Cache::Revalidate);
        security_headers.add_for_page(&mut headers);
        preparation.page_headers = Arc::new(headers);
        preparation
    }

    /// Creates a page from its template.
    pub fn page(&self, file: &str, status: StatusCode) -> Resource {
        self.page_with(file, status, PageData::default())
    }

    /// Creates a page from its template and what stands in it from the start.
    pub fn page_with(&self, file: &str, status: StatusCode, data: PageData) -> Resource {
        let (file, renderer) = (file.to_owned(), Arc::clone(&self.renderer));
        let text = LazyText::new(move || {
            let template = embedded::text(&file).map_err(|error| error.to_string())?;
            renderer
                .fill_page(&template, &data)
                .map_err(|error| format!("{file}: {error}"))
        });
        Resource::lazy(status, Arc::clone(&self.page_headers), text)
    }

    /// Prepares the pages that are filled for one visitor.
    pub fn filled_pages(&self, manifest: &Arc<Manifest>) -> FilledPages {
        let headers = self
            .security_headers
            .of_filled_page(headers::content_type("page.html"));
        FilledPages::new(Arc::clone(&self.renderer), Arc::clone(manifest), headers)
    }

    /// Adds the documents that follow from the manifest and the settings: sitemaps, feed, robots.txt, web manifest.
    pub fn add_documents(&self, manifest: &Arc<Manifest>, resources: &mut HashMap<String, Resource>) {
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
                document(self.security_headers, content_type, text),
            );
        }
    }

    /// Adds the static files.
    pub fn add_files(&self, resources: &mut HashMap<String, Resource>) {
        for StaticFile { path, hash, content } in embedded::static_files() {
            let cache = if path.starts_with(HASHED) {
                Cache::Immutable
            } else {
                Cache::Day
            };
            let headers = self
                .security_headers
                .of_resource(headers::content_type(&path), cache);
            let resource = match content {
                StaticContent::Incompressible(bytes) => Resource::incompressible(headers, bytes, hash),
                StaticContent::Encoded(encoded) => Resource::encoded(headers, encoded, hash),
            };
            resources.insert(path, resource);
        }
    }

    /// Creates the response for a hashed file that does not exist (any more).
    pub fn missing_file(&self) -> Resource {
        let headers = self
            .security_headers
            .of_resource(headers::content_type("missing.txt"), Cache::Never);
        Resource::text(StatusCode::NOT_FOUND, headers, "Nicht gefunden.\n".to_owned())
    }
}
