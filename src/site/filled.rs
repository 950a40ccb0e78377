//! Pages that are filled for one visitor: a form that was not taken, the thanks for one that was.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

use super::background;
use super::encode::{Effort, Encoding};
use super::manifest::{Manifest, Page};
use super::negotiate::{self, Negotiated};
use super::page_data::PageData;
use super::template::Renderer;
use crate::headers::{self, SecurityHeaders};
use crate::response::{self, Body};
use crate::texts;

/// What such pages are made of. Nothing of them is kept.
pub struct FilledPages {
    renderer: Arc<Renderer>,
    manifest: Arc<Manifest>,
    security_headers: Arc<SecurityHeaders>,
}

impl FilledPages {
    /// Prepares for the settings of this start.
    pub fn new(
        renderer: Arc<Renderer>,
        manifest: Arc<Manifest>,
        security_headers: Arc<SecurityHeaders>,
    ) -> Self {
        Self {
            renderer,
            manifest,
            security_headers,
        }
    }

    /// Fills the page at a path. It is compressed: it holds a visitor's own words, and no secret that another site could find
    /// out by its length.
    pub async fn respond(
        &self,
        path: &str,
        status: StatusCode,
        data: PageData,
        request: &HeaderMap,
    ) -> Response<Body> {
        let page = self.manifest.pages.iter().find(|page| page.path == path);
        let Some(page) = page else {
            return response::empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new());
        };
        let mut headers = self.headers(page);
        let encoding = match negotiate::encoding(request, &Encoding::ALL) {
            Negotiated::Encoded(encoding) => Some(encoding),
            // Whoever has sent a form and wants none of these gets what everybody can read.
            Negotiated::Identity | Negotiated::NotAcceptable => None,
        };
        let (renderer, file) = (Arc::clone(&self.renderer), page.file.clone());
        let made = background::soon(move || make(&renderer, &file, &data, encoding)).await;
        match made {
            Some(Ok(body)) => {
                if let Some(encoding) = encoding {
                    let token = HeaderValue::from_static(encoding.token());
                    headers.insert(header::CONTENT_ENCODING, token);
                }
                response::response(status, headers, body)
            }
            Some(Err(error)) => {
                // Cannot happen: a test fills each.
                tracing::error!(error, path, "a page cannot be made");
                response::empty(StatusCode::INTERNAL_SERVER_ERROR, headers)
            }
            None => response::empty(StatusCode::INTERNAL_SERVER_ERROR, headers),
        }
    }

    fn headers(&self, page: &Page) -> HeaderMap {
        let content_type = headers::content_type("page.html");
        let mut headers = self.security_headers.of_filled_page(content_type, &page.inline);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers
    }
}

fn make(
    renderer: &Renderer,
    file: &str,
    data: &PageData,
    encoding: Option<Encoding>,
) -> Result<Bytes, String> {
    let template = texts::text(file).map_err(|error| error.to_string())?;
    let html = renderer.fill_page(&template, data)?;
    let Some(encoding) = encoding else {
        // Without the room that it had for growing: it may be kept until a slow client has taken it.
        return Ok(Bytes::from(html.into_bytes().into_boxed_slice()));
    };
    let encoded = encoding.encode(html.as_bytes(), Effort::Quick);
    let encoded = encoded.map(Vec::into_boxed_slice).map(Bytes::from);
    encoded.map_err(|error| error.to_string())
}

impl fmt::Debug for FilledPages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FilledPages")
    }
}
