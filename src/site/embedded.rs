//! The files that `build.rs` made: pages as templates, static files, all compressed that can be.

use std::borrow::Cow;
use std::io;

use bytes::Bytes;
use rust_embed::RustEmbed;

use super::encode::Encoding;

/// The folder `$OUT_DIR/site`, inside the executable in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Embedded;

/// Folder of the static files; below it, a path is the one that a file is served at.
const FILES: &str = "files";

/// A static file, in the forms that the build made.
pub struct StaticFile {
    /// Path it is served at.
    pub path: String,
    /// The start of a SHA-256, made by the build: reading every file at start would cost time and memory.
    pub hash: u64,
    /// Its bytes.
    pub content: Content,
}

/// The bytes of a static file.
pub enum Content {
    /// Of a kind that does not shrink.
    Plain(Bytes),
    /// In the encodings that the build made.
    Encoded(Vec<(Encoding, Bytes)>),
}

/// Every static file.
pub fn static_files() -> impl Iterator<Item = StaticFile> {
    Embedded::iter().filter_map(|name| {
        if let Some(path) = name.strip_prefix(FILES) {
            let file = Embedded::get(&name)?;
            let hash = hash_prefix(&file.metadata.sha256_hash());
            return Some(StaticFile {
                path: path.to_owned(),
                hash,
                content: Content::Plain(into_bytes(file.data)),
            });
        }
        let path = name
            .strip_prefix(Encoding::PACKED.token())?
            .strip_prefix('/')?
            .strip_prefix(FILES)?;
        let hash = hash_prefix(&Embedded::get(&name)?.metadata.sha256_hash());
        let forms = Encoding::ALL.into_iter().filter_map(|encoding| {
            let file = Embedded::get(&format!("{}/{FILES}{path}", encoding.token()))?;
            Some((encoding, into_bytes(file.data)))
        });
        Some(StaticFile {
            path: path.to_owned(),
            hash,
            content: Content::Encoded(forms.collect()),
        })
    })
}

/// A file that the build left as it was, by its path inside the site folder.
///
/// # Errors
/// When there is none.
pub fn bytes(path: &str) -> io::Result<Cow<'static, [u8]>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    Embedded::get(path).map(|file| file.data).ok_or_else(missing)
}

/// The text of a page or a template, by its path inside the site folder.
///
/// # Errors
/// When there is none, or it is no text.
pub fn text(path: &str) -> io::Result<String> {
    let packed = bytes(&format!("{}/{path}", Encoding::PACKED.token()))?;
    String::from_utf8(Encoding::unpack(&packed)?).map_err(io::Error::other)
}

/// 64 bits of a hash: far from any accidental collision between two versions of one page.
pub fn hash_prefix(digest: &[u8]) -> u64 {
    digest.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

/// Embedded bytes live as long as the program and are not copied.
fn into_bytes(bytes: Cow<'static, [u8]>) -> Bytes {
    match bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }
}
