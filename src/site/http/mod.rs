//! What every response consists of: status, headers and body.

pub mod body_file;
pub mod headers;
pub mod response;
