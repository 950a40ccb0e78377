//! Label values: fixed sets, so that visitors cannot create new time series.

/// Defines an enum whose variants have names for use in labels.
macro_rules! label {
    ($(#[$documentation:meta])* $name:ident { $($(#[$of_value:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$of_value])* $value,)+
        }

        impl $name {
            /// All variants, in the order of their discriminants.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The name in labels.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }
    };
}

label! {
    /// The kind of a request.
    RequestKind {
        /// A page for visitors.
        Page = "page",
        /// A script, image, feed or sitemap.
        Asset = "asset",
        /// A request made by a page, such as an inquiry.
        Api = "api",
        /// A private page of a visitor, a firm or a subscriber.
        Private = "private",
        /// The health check.
        Health = "health",
        /// A redirect or a missing page.
        Other = "other",
    }
}

label! {
    /// The class of a response's status code.
    StatusClass {
        /// Success.
        Success = "2xx",
        /// A redirect, or not modified.
        Redirection = "3xx",
        /// An error of the client.
        ClientError = "4xx",
        /// An error of the server.
        ServerError = "5xx",
    }
}

label! {
    /// The reason for a refusal.
    Refusal {
        /// The client has sent too many inquiries or too many wrong tokens.
        RateLimit = "rate_limit",
        /// The client has too many open connections; the new one was closed.
        TooManyConnections = "too_many_connections",
        /// The client did not finish the TLS handshake in time; the connection was closed.
        HandshakeTooSlow = "handshake_too_slow",
        /// No request, or no complete head, arrived in time; the connection was closed.
        HeadTooSlow = "head_too_slow",
        /// The client did not read the response in time; the connection was closed.
        ResponseTooSlow = "response_too_slow",
        /// The client cancels more requests than it reads responses; the connection was closed.
        TooManyCancelled = "too_many_cancelled",
        /// The body exceeds the maximum size of an inquiry.
        BodyTooLarge = "body_too_large",
        /// The body did not arrive in time.
        BodyTooSlow = "body_too_slow",
        /// The request came from a page of another site.
        CrossSite = "cross_site",
        /// The client is not logged in at the desk.
        LoggedOut = "logged_out",
        /// The URL is too long.
        AddressTooLong = "address_too_long",
        /// The body has an unsupported content type.
        WrongType = "wrong_type",
        /// The request or its content is invalid.
        Invalid = "invalid",
        /// The idempotency key was used for another inquiry before.
        KeyReused = "key_reused",
        /// The store is unavailable.
        StoreUnavailable = "store_unavailable",
        /// Too many operations of this kind are in progress, for this client or in total.
        Busy = "busy",
    }
}

label! {
    /// The outcome of an inquiry that was not refused.
    InquiryResult {
        /// Stored.
        Accepted = "accepted",
        /// Stored, and suspected to be spam.
        Suspected = "suspected",
        /// Already stored; the previous response was repeated.
        Replayed = "replayed",
    }
}

impl StatusClass {
    /// The class of a status code.
    pub fn of(status: u16) -> Self {
        match status {
            ..300 => Self::Success,
            300..400 => Self::Redirection,
            400..500 => Self::ClientError,
            _ => Self::ServerError,
        }
    }
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
