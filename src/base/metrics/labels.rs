//! The values of labels: fixed sets, whatever visitors send.

/// Defines an enumeration whose values have names in labels.
macro_rules! label {
    ($(#[$documentation:meta])* $name:ident { $($(#[$of_value:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$of_value])* $value,)+
        }

        impl $name {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns its name.
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
        /// A script, picture, feed or sitemap.
        Asset = "asset",
        /// Requests of pages, mostly inquiries.
        Api = "api",
        /// A private page of a visitor, a firm or a subscriber.
        Private = "private",
        /// The health check.
        Health = "health",
        /// Redirects and missing pages.
        Other = "other",
    }
}

label! {
    /// The class of a response's status.
    StatusClass {
        /// It worked.
        Success = "2xx",
        /// A redirect, or not modified.
        Redirection = "3xx",
        /// The client's fault.
        ClientError = "4xx",
        /// The server's fault.
        ServerError = "5xx",
    }
}

label! {
    /// Why something was refused.
    Refusal {
        /// The client has sent too many inquiries, or too many wrong tokens.
        RateLimit = "rate_limit",
        /// The client has too many connections; this one was closed.
        TooManyConnections = "too_many_connections",
        /// A client that connects over TLS did not finish the handshake in time; its connection was closed.
        HandshakeTooSlow = "handshake_too_slow",
        /// A connection was closed because no request, or no complete head, arrived in time.
        HeadTooSlow = "head_too_slow",
        /// A connection was closed because its client did not read the response in time.
        ResponseTooSlow = "response_too_slow",
        /// A connection was closed because its client cancels more requests than it reads responses.
        TooManyCancelled = "too_many_cancelled",
        /// The body is larger than any inquiry.
        BodyTooLarge = "body_too_large",
        /// The body did not arrive in time.
        BodyTooSlow = "body_too_slow",
        /// A page of another site sent it.
        CrossSite = "cross_site",
        /// The client has no session at the desk.
        LoggedOut = "logged_out",
        /// The address is too long.
        AddressTooLong = "address_too_long",
        /// The body has another type.
        WrongType = "wrong_type",
        /// The request or its content is not valid.
        Invalid = "invalid",
        /// The idempotency key was used with another inquiry before.
        KeyReused = "key_reused",
        /// The store cannot be used now.
        StoreUnavailable = "store_unavailable",
        /// Too much of that kind is in progress, for this client or for all.
        Busy = "busy",
    }
}

label! {
    /// The result of an inquiry that was not refused.
    InquiryResult {
        /// It was stored.
        Accepted = "accepted",
        /// It was stored, and is suspected spam.
        Suspected = "suspected",
        /// It had been stored before, and was answered again.
        Replayed = "replayed",
    }
}

impl StatusClass {
    /// Returns the class of a status.
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
    /// Returns the reason of a status that has only one. Where there are several, the refusing code sets it among the extensions of the
    /// response.
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
