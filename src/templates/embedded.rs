//! The templates that `build.rs` made, compressed. They stand apart from the site's files, so that none can be served.

use std::io::Read;

use flate2::read::GzDecoder;
use rust_embed::RustEmbed;

use super::broken_template::BrokenTemplate;

/// The folder `$OUT_DIR/private`, embedded in debug builds too.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/private"]
struct Embedded;

/// Returns the text of a file.
pub fn text(name: &str) -> Result<String, BrokenTemplate> {
    let broken = |reason: String| BrokenTemplate {
        name: name.to_owned(),
        reason,
    };
    let packed = Embedded::get(&format!("gzip/{name}")).ok_or_else(|| broken("it is missing".to_owned()))?;
    let mut text = String::new();
    GzDecoder::new(&*packed.data)
        .read_to_string(&mut text)
        .map_err(|error| broken(error.to_string()))?;
    Ok(text)
}
