//! The files that `build.rs` made for visitors, compressed where that makes them smaller, and the manifest.

use std::borrow::Cow;
use std::io;

use bytes::Bytes;
use rust_embed::RustEmbed;

use super::encode::Encoding;

/// The folder `$OUT_DIR/site`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Embedded;

/// Folder of the static files. A path below it is the path that the file is served at.
const FILES: &str = "files";

/// A static file, as the build made it.
pub struct StaticFile {
    /// Path it is served at.
    pub path: String,
    /// The start of a SHA-256, computed by the build: reading every file at start would cost time and memory.
    pub hash: u64,
    /// Its bytes.
    pub content: StaticContent,
}

/// The bytes of a static file.
#[derive(Debug)]
pub enum StaticContent {
    /// Of a kind that does not shrink.
    Incompressible(Bytes),
    /// In the encodings that the build made.
    Encoded(Vec<(Encoding, Bytes)>),
}

/// Iterates over all static files.
pub fn static_files() -> impl Iterator<Item = StaticFile> {
    Embedded::iter().filter_map(|name| {
        if let Some(path) = name.strip_prefix(FILES) {
            let file = Embedded::get(&name)?;
            let hash = hash_prefix(&file.metadata.sha256_hash());
            return Some(StaticFile {
                path: path.to_owned(),
                hash,
                content: StaticContent::Incompressible(into_bytes(file.data)),
            });
        }
        let path = name
            .strip_prefix(Encoding::PACKED.token())?
            .strip_prefix('/')?
            .strip_prefix(FILES)?;
        let hash = hash_prefix(&Embedded::get(&name)?.metadata.sha256_hash());
        let encoded = Encoding::ALL.into_iter().filter_map(|encoding| {
            let file = Embedded::get(&format!("{}/{FILES}{path}", encoding.token()))?;
            Some((encoding, into_bytes(file.data)))
        });
        Some(StaticFile {
            path: path.to_owned(),
            hash,
            content: StaticContent::Encoded(encoded.collect()),
        })
    })
}

/// Returns a file that the build left uncompressed, by its path inside the site folder.
///
/// # Errors
/// When there is none.
pub fn bytes(path: &str) -> io::Result<Cow<'static, [u8]>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    Embedded::get(path).map(|file| file.data).ok_or_else(missing)
}

/// Returns the first 64 bits of a hash, which is enough to tell the versions of one page apart.
pub fn hash_prefix(digest: &[u8]) -> u64 {
    digest.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

/// Wraps embedded bytes without copying them: they live as long as the program.
fn into_bytes(bytes: Cow<'static, [u8]>) -> Bytes {
    match bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }
}
