//! Text that only the program reads, as `build.rs` packed it: templates of pages, mails and the report, the map, the description of
//! the API. It stands apart from the files of the site, so that none of it can be served as one.

use std::borrow::Cow;
use std::io;

use rust_embed::RustEmbed;
use zstd::bulk::Decompressor;

use crate::scratch;

/// The folder `$OUT_DIR/texts`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/texts"]
struct Embedded;

/// Returns a text by its path. The first folder of it holds the dictionary.
///
/// # Errors
/// When there is none, or it is not text.
pub fn text(path: &str) -> io::Result<String> {
    let folder = path.split('/').next().unwrap_or_default();
    let mut decompressor = Decompressor::new()?;
    let mut dictionary = scratch::buffer();
    decompressor.decompress_to_buffer(&bytes(&format!("{folder}/dictionary"))?, &mut dictionary)?;
    decompressor.set_dictionary(&dictionary)?;
    let mut text = scratch::buffer();
    decompressor.decompress_to_buffer(&bytes(path)?, &mut text)?;
    String::from_utf8(text).map_err(io::Error::other)
}

fn bytes(path: &str) -> io::Result<Cow<'static, [u8]>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    Embedded::get(path).map(|file| file.data).ok_or_else(missing)
}
