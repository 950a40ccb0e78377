//! What `build.rs` has put into the executable: below `files` what visitors get, in the codings that the build made, and beside
//! it what only the program reads, such as the manifest and templates of pages and mails.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use bytes::Bytes;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::encoding::Encoding;

/// The folder `$OUT_DIR/site`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Embedded;

/// Folder of the static files. A path below it is the path that the file is served at.
const FILES: &str = "files";

/// Names a folder from which a debug build takes the site in place of what is embedded, each file as it is, so that a change of
/// a page needs no compiler (`scripts/dev`). A release knows no such folder.
const DEV_FOLDER: &str = "TAUBENABWEHR_DEV_FOLDER";

/// A static file, as the build made it.
#[derive(Debug)]
pub struct StaticFile {
    /// Path it is served at.
    pub path: String,
    /// The start of a SHA-256, computed by the build: reading every file at start would cost time and memory.
    pub hash: u64,
    /// Its bytes in each of [`Encoding::ALL`] in which the build has put it here. It is always there as it is.
    bodies: [Option<Bytes>; Encoding::ALL.len()],
}

impl StaticFile {
    /// Returns the codings in which it may be sent.
    pub fn encodings(&self) -> &'static [Encoding] {
        match self.body(Encoding::Gzip) {
            Some(_) => &Encoding::ALL,
            None => &[Encoding::Identity],
        }
    }

    /// Returns its bytes in this coding, if the build made it.
    pub fn body(&self, coding: Encoding) -> Option<&Bytes> {
        self.bodies.get(coding as usize)?.as_ref()
    }
}

/// Returns all static files.
pub fn static_files() -> Vec<StaticFile> {
    match dev_folder() {
        Some(site) => files_in(&site.join(FILES)),
        None => embedded_files().collect(),
    }
}

/// Returns a text that only the program reads, by its path, such as `manifest.json` or `pages/faq.html`.
///
/// # Errors
/// When there is none, or it is not text.
pub fn text(path: &str) -> io::Result<String> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    if let Some(site) = dev_folder()
        && let Ok(text) = fs::read_to_string(site.join(path))
    {
        return Ok(text);
    }
    let bytes = Embedded::get(path).ok_or_else(missing)?.data;
    String::from_utf8(bytes.into_owned()).map_err(io::Error::other)
}

/// Returns the first 64 bits of a hash, which is enough to tell the versions of one page apart.
pub fn hash_prefix(digest: &[u8]) -> u64 {
    digest.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

fn dev_folder() -> Option<PathBuf> {
    if !cfg!(debug_assertions) {
        return None;
    }
    env::var_os(DEV_FOLDER).map(PathBuf::from)
}

/// Returns the files of a folder and those below it, as they are.
fn files_in(root: &Path) -> Vec<StaticFile> {
    let entries = WalkDir::new(root).into_iter().flatten();
    let files = entries.filter_map(|entry| {
        // There are no bytes of a folder.
        let bytes = fs::read(entry.path()).ok()?;
        let name = entry.path().strip_prefix(root).ok()?;
        Some(StaticFile {
            path: format!("/{}", name.to_string_lossy()),
            hash: hash_prefix(&Sha256::digest(&bytes)),
            bodies: [None, None, Some(bytes.into())],
        })
    });
    files.collect()
}

/// Iterates over the static files of the executable.
fn embedded_files() -> impl Iterator<Item = StaticFile> {
    Embedded::iter().filter_map(|name| {
        let path = name.strip_prefix(FILES)?;
        let file = Embedded::get(&name)?;
        let hash = hash_prefix(&file.metadata.sha256_hash());
        let compressed = |encoding: Encoding| {
            let file = Embedded::get(&format!("{}/{name}", encoding.token()))?;
            Some(Bytes::from_owner(file.data))
        };
        Some(StaticFile {
            path: path.to_owned(),
            hash,
            bodies: [
                compressed(Encoding::Brotli),
                compressed(Encoding::Gzip),
                Some(Bytes::from_owner(file.data)),
            ],
        })
    })
}
