//! What a resource is made from, and what all resources of a site have in common.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};
use sha2::{Digest, Sha256};

use super::manifest::Manifest;
use super::page_data::PageData;
use super::template::Renderer;
use crate::site::embedded::{self, StaticFile, hash_prefix};
use crate::site::encoding::Encoding;
use crate::site::http::headers::{self, Cache, Inline, SecurityHeaders};

/// Files below this path have a hash of their content in their name.
pub const HASHED: &str = "/assets/";

/// What the resources of one site have in common.
pub struct Common {
    /// Fills templates with the settings.
    pub renderer: Renderer,
    /// The list of pages.
    pub manifest: Manifest,
    /// Headers that every response carries.
    pub security_headers: SecurityHeaders,
}

/// What a resource is made from.
pub enum Source {
    /// A page: its template, the scripts and styles that its policy allows, and its data beside the settings.
    Page {
        /// The template.
        file: String,
        /// Its inline scripts and styles.
        inline: Inline,
        /// What it is filled with.
        data: Box<PageData>,
    },
    /// A text for machines, which is made again in the same way.
    Text {
        /// With charset.
        content_type: &'static str,
        /// How long it may be reused.
        cache: Cache,
        /// Makes it.
        make: fn(&Common) -> Result<String, String>,
    },
    /// A file, as the build made it.
    File(StaticFile),
}

impl Source {
    /// Returns the codings in which it may be sent.
    pub fn encodings(&self) -> &'static [Encoding] {
        match self {
            Self::File(file) if file.is_incompressible() => &[],
            Self::Page { .. } | Self::Text { .. } | Self::File(_) => &Encoding::ALL,
        }
    }

    /// Returns the headers that it is sent with in any coding.
    pub fn headers(&self, common: &Common) -> HeaderMap {
        let security_headers = &common.security_headers;
        let mut headers = match self {
            Self::Page { inline, .. } => {
                let content_type = headers::content_type("page.html");
                let mut headers = security_headers.of_resource(content_type, Cache::Revalidate);
                security_headers.add_for_page(&mut headers, inline);
                headers
            }
            Self::Text {
                content_type, cache, ..
            } => security_headers.of_resource(HeaderValue::from_static(content_type), *cache),
            Self::File(StaticFile { path, .. }) => {
                let cache = if path.starts_with(HASHED) {
                    Cache::Immutable
                } else {
                    Cache::Day
                };
                security_headers.of_resource(headers::content_type(path), cache)
            }
        };
        if !self.encodings().is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        headers
    }

    /// Returns the bytes in this coding (`None`: as they are) with their hash, if they need not be made.
    pub fn ready(&self, coding: Option<Encoding>) -> Option<(Bytes, u64)> {
        match self {
            Self::File(file) => Some((file.body(coding)?.clone(), file.hash)),
            Self::Page { .. } | Self::Text { .. } => None,
        }
    }

    /// Makes the bytes as they are, with their hash.
    ///
    /// # Errors
    /// Never, as tests show: they fill every template, and unpack every file.
    pub fn make(&self, common: &Common) -> Result<(Bytes, u64), String> {
        let text = match self {
            Self::Page { file, data, .. } => {
                let template = embedded::text(file).map_err(|error| error.to_string())?;
                let filled = common.renderer.fill_page(&template, data);
                filled.map_err(|error| format!("{file}: {error}"))?
            }
            Self::Text { make, .. } => make(common)?,
            Self::File(file) => {
                let packed = file.body(Some(Encoding::PACKED)).ok_or("it is not there")?;
                let bytes = Encoding::PACKED
                    .unpack(packed)
                    .map_err(|error| error.to_string())?;
                return Ok((bytes.into(), file.hash));
            }
        };
        let hash = hash_prefix(&Sha256::digest(&text));
        Ok((text.into(), hash))
    }
}
