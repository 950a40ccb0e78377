//! The cookie of a session. It holds nothing but what the session is known by.

use hyper::HeaderMap;
use hyper::header;

use crate::store::DESK_SESSION_TIME;

/// Ends a session.
pub const LOGOUT: &str = "/abmelden";

/// Its name. Over TLS a prefix has browsers keep it for this host and path alone.
const NAME: &str = "taubenabwehr-desk";
const SECURE_NAME: &str = "__Host-taubenabwehr-desk";

/// Returns what the session of a request is known by; `None` without the cookie.
pub fn of(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    let (_, value) = cookies.find(|(name, _)| *name == SECURE_NAME || *name == NAME)?;
    Some(value)
}

/// Returns the header that begins a session.
pub fn begun(session: &str, is_secure: bool) -> String {
    cookie(session, DESK_SESSION_TIME.as_secs(), is_secure)
}

/// Returns the headers that end it, however it was begun.
pub fn ended() -> [String; 2] {
    [true, false].map(|is_secure| cookie("", 0, is_secure))
}

fn cookie(value: &str, max_age: i64, is_secure: bool) -> String {
    let (name, secure) = if is_secure {
        (SECURE_NAME, "; Secure")
    } else {
        (NAME, "")
    };
    format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Strict{secure}")
}
