//! The body of every error of the API, in the shape that `PostgREST` clients expect. A page that
//! renders an error shows the same message.

use std::borrow::Cow;

use serde::Serialize;

/// What a client learns about an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    /// A stable name for programs.
    pub code: &'static str,
    /// German, for the visitor.
    pub message: Cow<'static, str>,
    /// German, one more sentence for the visitor.
    pub details: Option<Cow<'static, str>>,
    /// English, for the client's author.
    pub hint: Option<Cow<'static, str>>,
}

impl ErrorBody {
    /// Creates an error with a message alone.
    pub fn new(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            hint: None,
        }
    }
}
