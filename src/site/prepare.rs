//! Making the resources of a site at start.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::header::HeaderValue;
use hyper::{HeaderMap, StatusCode};

use super::embedded::{self, Content, StaticFile};
use super::manifest::Manifest;
use super::resource::{Fill, Resource};
use super::sitemap::{self, Document};
use super::template::Renderer;
use crate::headers::{self, Cache, Defences};

/// A document for machines.
pub fn document(defences: &Defences, content_type: &'static str, fill: Fill) -> Resource {
    let headers = defences.of_resource(HeaderValue::from_static(content_type), Cache::Revalidate);
    Resource::made(StatusCode::OK, Arc::new(headers), fill)
}

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
        let mut headers = defences.of_resource(headers::content_type("page.html"), Cache::Revalidate);
        defences.add_for_page(&mut headers);
        preparation.page_headers = Arc::new(headers);
        preparation
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
            ..
        } in sitemap::DOCUMENTS
        {
            let (manifest, renderer) = (Arc::clone(manifest), Arc::clone(&self.renderer));
            let fill = Fill::new(move || make(&manifest, &renderer));
            resources.insert(path.to_owned(), document(self.defences, content_type, fill));
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
            let headers = self.defences.of_resource(headers::content_type(&path), cache);
            let resource = match content {
                Content::Plain(bytes) => Resource::plain(headers, bytes, hash),
                Content::Encoded(forms) => Resource::encoded(headers, forms, hash),
            };
            resources.insert(path, resource);
        }
    }

    /// The answer for a hashed file that is not there (any more).
    pub fn missing_file(&self) -> Resource {
        let headers = self
            .defences
            .of_resource(headers::content_type("missing.txt"), Cache::Never);
        Resource::text(StatusCode::NOT_FOUND, headers, "Nicht gefunden.\n".to_owned())
    }
}
