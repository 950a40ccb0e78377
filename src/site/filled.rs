//! Pages that are filled for one visitor: a form that was not taken, the thanks for one that was.

use std::sync::Arc;

use hyper::{HeaderMap, Response, StatusCode};

use super::embedded;
use super::manifest::Manifest;
use super::page_data::PageData;
use super::resource::Resource;
use super::template::Renderer;
use crate::response::{self, Body};

/// What such pages are made of. Nothing of them is kept.
pub struct FilledPages {
    renderer: Arc<Renderer>,
    manifest: Arc<Manifest>,
    headers: HeaderMap,
}

impl FilledPages {
    /// Prepares for the settings of this start.
    pub fn new(renderer: Arc<Renderer>, manifest: Arc<Manifest>, headers: HeaderMap) -> Self {
        Self {
            renderer,
            manifest,
            headers,
        }
    }

    /// Fills the page at a path.
    pub fn respond(
        &self,
        path: &str,
        status: StatusCode,
        data: &PageData,
        request: &HeaderMap,
    ) -> Response<Body> {
        match self.fill(path, data) {
            Ok(html) => Resource::text(status, self.headers.clone(), html).respond(request),
            Err(error) => {
                // Cannot happen: a test fills each.
                tracing::error!(error, path, "a page cannot be made");
                response::empty(StatusCode::INTERNAL_SERVER_ERROR, self.headers.clone())
            }
        }
    }

    fn fill(&self, path: &str, data: &PageData) -> Result<String, String> {
        let page = self.manifest.pages.iter().find(|page| page.path == path);
        let page = page.ok_or_else(|| format!("there is no page {path}"))?;
        let template = embedded::text(&page.file).map_err(|error| error.to_string())?;
        self.renderer.fill_page(&template, data)
    }
}

impl std::fmt::Debug for FilledPages {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("FilledPages")
    }
}
