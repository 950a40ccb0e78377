//! Text that only the program reads: templates of pages, mails and the report, the map, the description of the API. It stands
//! apart from the files of the site, so that none of it can be served as one.

use std::io;

use rust_embed::RustEmbed;

use super::encoding::Encoding;
use super::folder;

/// The folder `$OUT_DIR/texts`, embedded in debug builds too; each file is compressed.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/texts"]
struct Embedded;

/// Returns a text by its path.
///
/// # Errors
/// When there is none, or it is not text.
pub fn text(path: &str) -> io::Result<String> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    let bytes = match folder::read("texts", path) {
        Some(bytes) => bytes,
        None => Encoding::PACKED.unpack(&Embedded::get(path).ok_or_else(missing)?.data)?,
    };
    String::from_utf8(bytes).map_err(io::Error::other)
}
