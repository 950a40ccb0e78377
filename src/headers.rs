//! The headers that all responses need: caching, content types, and what browsers are told to forbid.

use std::fmt::Write as _;

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

use crate::config::settings::SiteSettings;

/// How long a response may be reused without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// A file whose name holds a hash of its content: for a year, the longest that caches honour.
    Immutable,
    /// A page: caches always ask, and the `ETag` makes that cheap.
    Revalidate,
    /// An icon or a social card under a fixed name: for a day, so that a new release shows soon.
    Day,
    /// A response that must never be kept, such as one about an inquiry.
    Never,
}

impl Cache {
    /// Returns the value of `Cache-Control`.
    pub const fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Revalidate => "no-cache",
            Self::Day => "public, max-age=86400",
            Self::Never => "no-store",
        })
    }
}

/// Browser features that no page of the site uses.
const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
     magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// Where pages tell browsers which links they may load ahead. A header needs no exception in the policy of a page.
const SPECULATION_RULES: &str = "\"/speculation-rules.json\"";

/// The policy of everything but pages: even if a browser is made to show it, nothing in it runs.
const INERT: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The same for drawings, which contain their style sheets: some browsers apply the policy even to pictures in a page.
const INERT_DRAWING: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Host of the tag manager. The policy allows it only if a tag id is set, and the browser asks for it only after consent.
const TAG_HOSTS: &str = " https://www.googletagmanager.com";
/// Hosts that the tag manager's conversion event reports to.
const TAG_REPORT_HOSTS: &str = " https://www.googletagmanager.com https://www.googleadservices.com https://googleads.g.doubleclick.net \
     https://www.google.com https://www.google.de https://*.google-analytics.com";

/// The headers that every response carries, made once at start.
#[derive(Debug, Clone)]
pub struct SecurityHeaders {
    every: HeaderMap,
    policy: HeaderValue,
    private_policy: HeaderValue,
}

impl SecurityHeaders {
    /// Creates the headers for a site with these settings, reached under `origin`.
    pub fn new(settings: &SiteSettings, origin: &str) -> Self {
        let mut every = HeaderMap::new();
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin",
            ),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "same-origin",
            ),
        ] {
            every.insert(name, HeaderValue::from_static(value));
        }
        if origin.starts_with("https://") {
            // Two years, as browsers' preload lists require. Subdomains are for the operator to decide.
            every.insert(
                header::STRICT_TRANSPORT_SECURITY,
                HeaderValue::from_static("max-age=63072000"),
            );
        }
        let policy = |text: String| {
            HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("default-src 'self'"))
        };
        Self {
            every,
            policy: policy(content_security_policy(settings, origin)),
            private_policy: policy(private_policy(origin)),
        }
    }

    /// Returns the headers of a resource of this type.
    pub fn of_resource(&self, content_type: HeaderValue, cache: Cache) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, content_type);
        headers.insert(header::CACHE_CONTROL, cache.value());
        self.add(&mut headers);
        headers
    }

    /// Adds the headers that every response carries. `headers` must already hold the content type.
    pub fn add(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.every {
            headers.insert(name.clone(), value.clone());
        }
        let is_drawing = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"image/svg+xml"));
        let policy = if is_drawing { INERT_DRAWING } else { INERT };
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }

    /// Adds the further headers of a page, and the policy that lets it work.
    pub fn add_for_page(&self, headers: &mut HeaderMap) {
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        headers.insert(
            HeaderName::from_static("speculation-rules"),
            HeaderValue::from_static(SPECULATION_RULES),
        );
        forbid_features(headers);
    }

    /// Adds the further headers of a page that is for one person. `headers` must already hold the content type.
    pub fn add_for_private_page(&self, headers: &mut HeaderMap) {
        self.add(headers);
        forbid_features(headers);
        headers.insert(header::CONTENT_SECURITY_POLICY, self.private_policy.clone());
        headers.insert(header::CACHE_CONTROL, Cache::Never.value());
        // No other site may learn the address, which is a secret. Without any referrer, browsers would send
        // `Origin: null` with its forms.
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        headers.insert(
            HeaderName::from_static("x-robots-tag"),
            HeaderValue::from_static("noindex"),
        );
    }
}

/// Forbids the browser's features that no page uses.
fn forbid_features(headers: &mut HeaderMap) {
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(PERMISSIONS_POLICY),
    );
}

/// The policy of pages that are for one person: no script runs in them, whatever somebody has typed into a form.
fn private_policy(origin: &str) -> String {
    let mut policy = String::from(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'",
    );
    upgrade(&mut policy, origin);
    policy
}

fn content_security_policy(settings: &SiteSettings, origin: &str) -> String {
    let (scripts, reports) = match settings.tags.tag_manager {
        Some(_) => (TAG_HOSTS, TAG_REPORT_HOSTS),
        None => ("", ""),
    };
    let mut policy = String::from("default-src 'none'");
    let _ = write!(
        policy,
        "; script-src 'self'{scripts}; style-src 'self'; img-src 'self' data:{reports}; font-src 'self'; \
         connect-src 'self'{reports}; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    );
    upgrade(&mut policy, origin);
    policy
}

/// Adds that nothing is asked for without TLS, if the site is reached by TLS itself.
fn upgrade(policy: &mut String, origin: &str) {
    if origin.starts_with("https://") {
        policy.push_str("; upgrade-insecure-requests");
    }
}

/// Returns the content type of a file by its name; text has its charset.
pub fn content_type(path: &str) -> HeaderValue {
    // The registered type, which the table of file extensions does not know yet.
    if path.ends_with(".webmanifest") {
        return HeaderValue::from_static("application/manifest+json; charset=utf-8");
    }
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let is_text = guess.type_() == "text"
        || matches!(
            guess.essence_str(),
            "application/javascript" | "application/json" | "image/svg+xml"
        );
    let value = if is_text {
        format!("{guess}; charset=utf-8")
    } else {
        guess.to_string()
    };
    HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
