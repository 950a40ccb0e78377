//! Label values: fixed sets, so that visitors cannot create new time series.

use strum::{Display, VariantArray};

/// The kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RequestKind {
    /// A page for visitors.
    Page,
    /// A script, image, feed or sitemap.
    Asset,
    /// A request made by a page, such as an inquiry.
    Api,
    /// A private page of a visitor, a firm or a subscriber.
    Private,
    /// The health check.
    Health,
    /// A redirect or a missing page.
    Other,
}

/// The classes of status codes.
pub const STATUS_CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// The class of a status code.
pub fn status_class(status: u16) -> &'static str {
    let [success, redirection, client_error, server_error] = STATUS_CLASSES;
    match status {
        ..300 => success,
        300..400 => redirection,
        400..500 => client_error,
        _ => server_error,
    }
}

/// The reason for a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// The client has sent too many inquiries or too many wrong tokens.
    RateLimit,
    /// The client has too many open connections; the new one was closed.
    TooManyConnections,
    /// The client did not finish the TLS handshake in time; the connection was closed.
    HandshakeTooSlow,
    /// No request, or no complete head, arrived in time; the connection was closed.
    HeadTooSlow,
    /// The client did not read the response in time; the connection was closed.
    ResponseTooSlow,
    /// The client cancels more requests than it reads responses; the connection was closed.
    TooManyCancelled,
    /// The body exceeds the maximum size of an inquiry.
    BodyTooLarge,
    /// The body did not arrive in time.
    BodyTooSlow,
    /// The request came from a page of another site.
    CrossSite,
    /// The client is not logged in at the desk.
    LoggedOut,
    /// The URL is too long.
    AddressTooLong,
    /// The body has an unsupported content type.
    WrongType,
    /// The request or its content is invalid.
    Invalid,
    /// The idempotency key was used for another inquiry before.
    KeyReused,
    /// The store is unavailable.
    StoreUnavailable,
    /// Too many operations of this kind are in progress, for this client or in total.
    Busy,
}

/// The outcome of an inquiry that was not refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum InquiryResult {
    /// Stored.
    Accepted,
    /// Stored, and suspected to be spam.
    Suspected,
    /// Already stored; the previous response was repeated.
    Replayed,
}

impl Refusal {
    /// The reason implied by a status code. Where a status can have several reasons, the code that refuses the request sets one in
    /// the extensions of the response.
    pub fn of(status: u16) -> Option<Self> {
        Some(match status {
            400 => Self::Invalid,
            408 => Self::BodyTooSlow,
            413 => Self::BodyTooLarge,
            414 => Self::AddressTooLong,
            415 => Self::WrongType,
            422 => Self::KeyReused,
            _ => return None,
        })
    }
}
