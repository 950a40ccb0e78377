//! What every response consists of: status, headers and body.

pub mod headers;
pub mod response;
