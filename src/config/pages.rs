//! `[pages]` of `--site FILE`: legal pages, and the terms for firms, from the operator's own Markdown.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::toml_file::{FileError, TomlDocument};
use super::values::Line;
use crate::base::files::regular_file;

/// Maximum length of a page's Markdown in bytes: ten times the longest built-in text.
const MAX_LENGTH: u64 = 256 << 10;

/// A page with a text that the operator can replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the addresses of the pages")]
pub enum LegalPage {
    Agb,
    Datenschutz,
    Impressum,
    Barrierefreiheit,
    #[serde(rename = "fuer_betriebe")]
    FuerBetriebe,
}

impl LegalPage {
    /// The key of the file and of templates. For all but one it is the page's path without the slash.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agb => "agb",
            Self::Datenschutz => "datenschutz",
            Self::Impressum => "impressum",
            Self::Barrierefreiheit => "barrierefreiheit",
            Self::FuerBetriebe => "fuer_betriebe",
        }
    }
}

/// The Markdown of the operator's own pages.
pub type OwnTexts = BTreeMap<LegalPage, Arc<str>>;

/// The files of the texts, relative to the settings file.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct PageFiles(BTreeMap<LegalPage, Line>);

impl PageFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// When a file is missing, too long, empty, or not UTF-8; the error names the key and the file.
    pub(super) fn read(&self, document: &TomlDocument) -> Result<OwnTexts, FileError> {
        let mut texts = OwnTexts::new();
        for (&page, file) in &self.0 {
            let path = document.resolve(Path::new(&**file));
            let wrong = |reason: &str| {
                let key = format!("pages.{}", page.name());
                document.wrong(&key, &format!("`{key}` names {}: {reason}", path.display()))
            };
            let text = regular_file::read_text(&path, MAX_LENGTH).map_err(|error| match error.kind() {
                ErrorKind::FileTooLarge => wrong(&format!("it has more than {} KiB", MAX_LENGTH >> 10)),
                _ => wrong(&error.to_string()),
            })?;
            let text = text.trim_start_matches('\u{feff}');
            let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
            if text.chars().all(is_blank) {
                return Err(wrong(
                    "it is empty; leave out the key to keep the text of the site",
                ));
            }
            texts.insert(page, text.into());
        }
        Ok(texts)
    }
}
