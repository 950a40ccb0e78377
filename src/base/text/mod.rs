//! Short texts with rules, shared by all parts of the program.

pub mod ascii_host;
pub mod berlin;
pub mod mail_address;
pub mod origin;
pub mod phone;

/// Why a text is not what it should be: what was expected, in words for the person who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub &'static str);
