//! What `build.rs` has put into the executable, and the codings in which it stands there.

pub mod encoding;
mod folder;
mod site_files;
mod texts;

pub use site_files::{StaticFile, hash_prefix, manifest, static_files};
pub use texts::text;
