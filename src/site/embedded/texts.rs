//! Text that only the program reads, as `build.rs` packed it: templates of pages, mails and the report, the map, the description of
//! the API. It stands apart from the files of the site, so that none of it can be served as one.

use std::borrow::Cow;
use std::io;

use rust_embed::RustEmbed;
use zstd::bulk::Decompressor;

use super::{folder, scratch};

/// The folder `$OUT_DIR/texts`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/texts"]
struct Embedded;

/// Returns a text by its path. The first folder of it holds the dictionary.
///
/// # Errors
/// When there is none, or it is not text.
pub fn text(path: &str) -> io::Result<String> {
    if let Some(text) = folder::read("texts", path) {
        return String::from_utf8(text).map_err(io::Error::other);
    }
    let folder = path.split('/').next().unwrap_or_default();
    let packed = bytes(path)?;
    let text = if let Ok(dictionary) = bytes(&format!("{folder}/dictionary")) {
        let length = Decompressor::upper_bound(&packed).ok_or(io::ErrorKind::InvalidData)?;
        unpack(&packed, &dictionary, Vec::with_capacity(length))?
    } else {
        let dictionary = bytes(&format!("{folder}/dictionary.zst"))?;
        let dictionary = unpack(&dictionary, &[], scratch::buffer())?;
        unpack(&packed, &dictionary, scratch::buffer())?
    };
    String::from_utf8(text).map_err(io::Error::other)
}

/// Unpacks bytes into a buffer that is large enough for them.
fn unpack(packed: &[u8], dictionary: &[u8], mut buffer: Vec<u8>) -> io::Result<Vec<u8>> {
    Decompressor::with_dictionary(dictionary)?.decompress_to_buffer(packed, &mut buffer)?;
    Ok(buffer)
}

fn bytes(path: &str) -> io::Result<Cow<'static, [u8]>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is missing"));
    Embedded::get(path).map(|file| file.data).ok_or_else(missing)
}
