//! The assets that `build.rs` embeds: public files and their precompressed copies, and internal ones such as the manifest and the
//! templates of pages and mails.

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

/// The folder of the static files. Paths below it are URL paths.
const FILES: &str = "files";

/// Bytes read and decompressed at once.
const BUFFER: usize = 16 * 1024;

/// Environment variable with a folder that debug builds read instead of the embedded assets, uncompressed, so that page changes
/// need no recompilation (`scripts/dev`). Release builds ignore it.
const DEV_FOLDER: &str = "TAUBENABWEHR_DEV_FOLDER";

/// A static file as built.
#[derive(Debug)]
pub struct StaticFile {
    /// The path that serves it.
    pub path: String,
    /// Prefix of its SHA-256, computed at build time: hashing every file at startup would cost time and memory.
    pub hash: u64,
    /// Its bytes by index into [`Encoding::ALL`]; the identity is always present.
    bodies: [Option<Bytes>; Encoding::ALL.len()],
}

impl StaticFile {
    /// The available encodings.
    pub fn encodings(&self) -> &'static [Encoding] {
        match self.body(Encoding::Gzip) {
            Some(_) => &Encoding::ALL,
            None => &[Encoding::Identity],
        }
    }

    /// The bytes in this encoding, if available.
    pub fn body(&self, coding: Encoding) -> Option<&Bytes> {
        self.bodies.get(coding as usize)?.as_ref()
    }
}

/// All static files.
pub fn static_files() -> Vec<StaticFile> {
    match dev_folder() {
        Some(site) => files_in(&site.join(FILES)),
        None => embedded_files().collect(),
    }
}

/// Reads an internal text file by path, such as `manifest.json` or `pages/faq.html`.
///
/// # Errors
/// If it does not exist, or is not UTF-8.
pub fn text(path: &str) -> io::Result<String> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    if let Some(site) = dev_folder()
        && let Ok(text) = fs::read_to_string(site.join(path))
    {
        return Ok(text);
    }
    let compressed = Embedded::get(path).ok_or_else(missing)?.data;
    io::read_to_string(brotli::Decompressor::new(&*compressed, BUFFER))
}

/// The first 64 bits of a hash, enough to distinguish versions of a page.
pub fn hash_prefix(digest: &[u8]) -> u64 {
    digest.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

fn dev_folder() -> Option<PathBuf> {
    if !cfg!(debug_assertions) {
        return None;
    }
    env::var_os(DEV_FOLDER).map(PathBuf::from)
}

/// The files below a folder, uncompressed.
fn files_in(root: &Path) -> Vec<StaticFile> {
    let entries = WalkDir::new(root).into_iter().flatten();
    let files = entries.filter_map(|entry| {
        // Reading a folder fails, which skips it.
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

/// The static files embedded in the executable.
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
