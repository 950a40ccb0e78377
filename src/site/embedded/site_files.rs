//! The files that `build.rs` made for visitors, compressed where that makes them smaller, and the manifest.

use std::borrow::Cow;
use std::path::Path;
use std::{fs, io};

use bytes::Bytes;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::encoding::Encoding;
use super::folder;

/// The folder `$OUT_DIR/site`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Embedded;

/// What lists the pages.
const MANIFEST: &str = "manifest.json";

/// Folder of the static files. A path below it is the path that the file is served at.
const FILES: &str = "files";

/// A static file, as the build made it.
pub struct StaticFile {
    /// Path it is served at.
    pub path: String,
    /// The start of a SHA-256, computed by the build: reading every file at start would cost time and memory.
    pub hash: u64,
    /// Its bytes in the codings that the build made, or as they are alone (`None`) if they do not shrink.
    bodies: Vec<(Option<Encoding>, Bytes)>,
}

impl StaticFile {
    /// Returns whether it is of a kind that does not shrink.
    pub fn is_incompressible(&self) -> bool {
        self.body(None).is_some()
    }

    /// Returns its bytes in this coding, if the build made it.
    pub fn body(&self, coding: Option<Encoding>) -> Option<&Bytes> {
        let found = self.bodies.iter().find(|(candidate, _)| *candidate == coding);
        found.map(|(_, bytes)| bytes)
    }
}

/// Returns all static files.
pub fn static_files() -> Vec<StaticFile> {
    match folder::named("site") {
        Some(site) => files_in(&site.join(FILES)),
        None => embedded_files().collect(),
    }
}

/// Returns the static files of a folder, as they are.
fn files_in(folder: &Path) -> Vec<StaticFile> {
    let names = folder::files(folder).unwrap_or_default();
    let file = |name: String| {
        let bytes = Bytes::from(fs::read(folder.join(&name)).ok()?);
        Some(StaticFile {
            path: format!("/{name}"),
            hash: hash_prefix(&Sha256::digest(&bytes)),
            bodies: vec![(None, bytes)],
        })
    };
    names.into_iter().filter_map(file).collect()
}

/// Iterates over the static files of the executable.
fn embedded_files() -> impl Iterator<Item = StaticFile> {
    Embedded::iter().filter_map(|name| {
        // What shrinks is listed by one of its codings.
        let packed = name.strip_prefix(Encoding::PACKED.token());
        let (path, codings) = match packed.and_then(|name| name.strip_prefix('/')) {
            Some(name) => (name.strip_prefix(FILES)?, Encoding::ALL.map(Some).to_vec()),
            None => (name.strip_prefix(FILES)?, vec![None]),
        };
        let bodies = codings.into_iter().filter_map(|coding| {
            let folder = coding.map_or_else(String::new, |encoding| format!("{}/", encoding.token()));
            let file = Embedded::get(&format!("{folder}{FILES}{path}"))?;
            Some((coding, into_bytes(file.data)))
        });
        Some(StaticFile {
            path: path.to_owned(),
            hash: hash_prefix(&Embedded::get(&name)?.metadata.sha256_hash()),
            bodies: bodies.collect(),
        })
    })
}

/// Returns the manifest, which the build left uncompressed.
///
/// # Errors
/// When there is none.
pub fn manifest() -> io::Result<Cow<'static, [u8]>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "manifest.json is missing");
    if let Some(manifest) = folder::read("site", MANIFEST) {
        return Ok(manifest.into());
    }
    Embedded::get(MANIFEST).map(|file| file.data).ok_or_else(missing)
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
