//! A template that cannot be filled.

/// Why a template cannot be filled: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the template {name} inside this executable is broken ({reason}); build it again")]
pub struct BrokenTemplate {
    /// Its file.
    pub(super) name: String,
    /// What the library says.
    pub(super) reason: String,
}
