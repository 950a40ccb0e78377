//! Pages that are filled for one visitor: a form that was not taken, the thanks for one that was.

use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

use super::negotiate;
use super::page_data::PageData;
use super::resource;
use super::source::{Common, Source};
use crate::site::encoding::{Effort, Encoding};
use crate::site::http::headers;
use crate::site::http::response::{self, Body};

/// Fills the page at a path. It is compressed: it holds a visitor's own words, and no secret that another site could find
/// out by its length.
pub async fn respond(
    common: &Arc<Common>,
    path: &str,
    status: StatusCode,
    data: PageData,
    request: &HeaderMap,
) -> Response<Body> {
    let Some(page) = common.manifest.pages.iter().find(|page| page.path == path) else {
        return response::empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new());
    };
    let content_type = headers::content_type("page.html");
    let mut headers = common.security_headers.of_filled_page(content_type, &page.inline);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // A client that has sent a form and accepts none of the codings gets the bytes as they are.
    let encoding = negotiate::coding(request, &Encoding::ALL).unwrap_or_default();
    let source = Source::Page {
        file: page.file.clone(),
        inline: page.inline.clone(),
        data: Box::new(data),
    };
    let common = Arc::clone(common);
    let made = resource::make(move || make(&source, &common, encoding)).await;
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

fn make(source: &Source, common: &Common, encoding: Option<Encoding>) -> Result<Bytes, String> {
    let (html, _) = source.make(common)?;
    let body = match encoding {
        Some(encoding) => encoding
            .encode(&html, Effort::Quick)
            .map_err(|error| error.to_string())?,
        // Without the room that it had for growing: it may be kept until a slow client has taken it.
        None => html.to_vec(),
    };
    Ok(Bytes::from(body.into_boxed_slice()))
}
