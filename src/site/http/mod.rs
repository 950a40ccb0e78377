//! HTTP responses: status, headers and body.

pub mod headers;
pub mod response;
