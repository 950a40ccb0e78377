//! Common response headers: caching, content types and security policies.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};
use serde::Deserialize;

use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;

/// How long a response may be reused without revalidation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// A file with a content hash in its name: one year, the longest that caches honour.
    Immutable,
    /// A page: always revalidated, which the `ETag` makes cheap.
    Revalidate,
    /// A page prefetched by this browser: long enough for a pointer to rest on a link.
    Minute,
    /// An icon or a social card under a fixed name: a day, so that a new release shows soon.
    Day,
    /// A response that must never be stored, such as one about an inquiry.
    Never,
}

impl Cache {
    /// The value of `Cache-Control`.
    pub const fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Revalidate => "no-cache",
            Self::Minute => "private, max-age=60",
            Self::Day => "public, max-age=86400",
            Self::Never => "no-store",
        })
    }
}

/// The headers of every response, encrypted or not.
const EVERY: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (OPENER_POLICY, "same-origin"),
    (RESOURCE_POLICY, "same-origin"),
];
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Two years, as the browsers' preload lists require. Including subdomains is up to the operator.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Makes browsers request all subresources over TLS.
const UPGRADE: &str = "; upgrade-insecure-requests";

/// Adds the headers that are only valid over TLS, whatever the public address is.
pub fn add_for_encrypted(headers: &mut HeaderMap) {
    headers.insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
}

/// Removes the headers that are only valid over TLS: a plain page would request its files where nothing is listening yet.
pub fn remove_for_plain(headers: &mut HeaderMap) {
    headers.remove(header::STRICT_TRANSPORT_SECURITY);
    if let Some(policy) = headers.get_mut(header::CONTENT_SECURITY_POLICY)
        && let Some(rest) = policy.to_str().ok().and_then(|text| text.strip_suffix(UPGRADE))
        && let Ok(rest) = HeaderValue::from_str(rest)
    {
        *policy = rest;
    }
}

/// Browser features that no page uses.
const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
     magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// Tells browsers which links they may preload. A header, unlike an inline script, needs no exception in the policy.
const SPECULATION_RULES: &str = "\"/speculation-rules.json\"";

/// The policy of everything but pages: nothing runs, even if a browser is made to render it.
const INERT: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The same for SVG images, which contain their style sheets (some browsers apply the policy even to images in a page), and for
/// photos.
const INERT_DRAWING: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The tag manager's host. It is allowed only if a tag id is configured, and loaded only after consent.
const TAG_HOSTS: &str = " https://www.googletagmanager.com";
/// Hosts that the tag manager's conversion event reports to.
const TAG_REPORT_HOSTS: &str = " https://www.googletagmanager.com https://www.googleadservices.com https://googleads.g.doubleclick.net \
     https://www.google.com https://www.google.de https://*.google-analytics.com";

/// CSP sources (`sha256-…`) for a page's inline scripts and styles, computed by the build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inline {
    /// Contents of `<style>`.
    pub styles: Vec<String>,
    /// Contents of `<script>`.
    pub scripts: Vec<String>,
}

/// The security headers, depending on the site's settings.
#[derive(Debug, Clone)]
pub struct SecurityHeaders {
    is_secure: bool,
    has_tags: bool,
}

impl SecurityHeaders {
    /// Creates the headers for a site with these settings, served at `origin`.
    pub fn new(settings: &SiteSettings, origin: &Origin) -> Self {
        Self {
            is_secure: origin.is_https(),
            has_tags: settings.tags.tag_manager.is_some(),
        }
    }

    /// The headers of a resource with this content type.
    pub fn of_resource(&self, content_type: HeaderValue, cache: Cache) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, content_type);
        headers.insert(header::CACHE_CONTROL, cache.value());
        self.add(&mut headers);
        headers
    }

    /// Adds the headers of every response. `headers` must already contain the content type.
    pub fn add(&self, headers: &mut HeaderMap) {
        for (name, value) in EVERY {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if self.is_secure {
            add_for_encrypted(headers);
        }
        let is_drawing = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"image/svg+xml"));
        let policy = if is_drawing { INERT_DRAWING } else { INERT };
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }

    /// The headers of a public page, with a policy that allows its scripts and styles.
    pub fn of_page(&self, inline: &Inline) -> HeaderMap {
        let mut headers = self.of_resource(content_type("page.html"), Cache::Revalidate);
        let (tags, reports) = if self.has_tags {
            (TAG_HOSTS, TAG_REPORT_HOSTS)
        } else {
            ("", "")
        };
        let inline_scripts = sources(&inline.scripts);
        let scripts = format!(
            "script-src 'self'{inline_scripts}{tags}; connect-src 'self'{reports}; manifest-src 'self'; "
        );
        self.add_policy(&mut headers, &scripts, inline, reports);
        headers.insert(
            HeaderName::from_static("speculation-rules"),
            HeaderValue::from_static(SPECULATION_RULES),
        );
        headers
    }

    /// Adds the headers of a private page. `headers` must already contain the content type. No script runs in it, whatever someone
    /// has typed into a form, except the site's own on pages with the photo form (`sends_photos`), which previews and uploads
    /// photos.
    pub fn add_for_private_page(&self, headers: &mut HeaderMap, inline: &Inline, sends_photos: bool) {
        self.add(headers);
        let (scripts, pictures) = if sends_photos {
            ("script-src 'self'; connect-src 'self'; ", " blob:")
        } else {
            ("", "")
        };
        self.add_policy(headers, scripts, inline, pictures);
        hide(headers);
    }

    /// Adds the headers of a private image. `headers` must already contain the content type.
    pub fn add_for_private_picture(&self, headers: &mut HeaderMap) {
        self.add(headers);
        // Browsers style an image that is opened on its own to fit the screen.
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(INERT_DRAWING),
        );
        hide(headers);
    }

    /// Adds a page's policy, which allows these scripts, and these images in addition to the site's own.
    fn add_policy(&self, headers: &mut HeaderMap, scripts: &str, inline: &Inline, pictures: &str) {
        let styles = sources(&inline.styles);
        // Never request plain HTTP from an HTTPS site.
        let upgrade = if self.is_secure { UPGRADE } else { "" };
        let policy = HeaderValue::try_from(format!(
            "default-src 'none'; {scripts}style-src 'self'{styles}; img-src 'self' data:{pictures}; font-src 'self'; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'{upgrade}"
        ));
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            policy.unwrap_or(HeaderValue::from_static("default-src 'self'")),
        );
        headers.insert(
            HeaderName::from_static("permissions-policy"),
            HeaderValue::from_static(PERMISSIONS_POLICY),
        );
    }
}

/// Prevents a page with a visitor's input or a secret link from being stored, indexed, or leaked by referrers.
pub fn hide(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, Cache::Never.value());
    // The address is a secret that other sites must not see. With `no-referrer`, browsers would send `Origin: null` with the page's
    // forms.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(
        HeaderName::from_static("x-robots-tag"),
        HeaderValue::from_static("noindex"),
    );
}

/// Formats hashes as CSP sources, each preceded by a space.
fn sources(hashes: &[String]) -> String {
    hashes.iter().flat_map(|hash| [" '", hash, "'"]).collect()
}

/// The content type of a file, by its name.
pub fn content_type(path: &str) -> HeaderValue {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let is_text = kind.type_() == mime_guess::mime::TEXT
        || kind
            .suffix()
            .is_some_and(|suffix| suffix == mime_guess::mime::XML)
        || matches!(kind.essence_str(), "application/javascript" | "application/json");
    let charset = if is_text { "; charset=utf-8" } else { "" };
    let value = HeaderValue::try_from(format!("{}{charset}", kind.essence_str()));
    value.unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
