//! The configuration file: flags of `serve`, and settings for handling inquiries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::firms::{self, CommissionTable, FirmTable};
use super::flags;
use super::handling::{Handling, Matching, Retention};
use super::mail::MailTable;
use super::notify::NotifyTable;
use super::secret;
use super::settings::SiteSettings;
use super::toml_file::{FileError, TomlDocument, TomlKind};
use crate::config::args::FlagDefaults;
use crate::domain::commission::{Percent, Terms};
use crate::domain::matching::Firm;

/// The keys that are not flags of `serve`.
const TABLES: [&str; 6] = ["mail", "notify", "matching", "firm", "commission", "retention"];

/// A validated configuration file. The files it references, such as secrets, are read by [`Self::handling`].
#[derive(Debug, Clone)]
pub struct ConfigFile {
    document: TomlDocument,
    /// The flags it sets.
    pub defaults: FlagDefaults,
    mail: Option<MailTable>,
    notify: NotifyTable,
    /// How firms are asked.
    pub matching: Matching,
    /// The firms, in the order of the file.
    pub firms: Vec<Firm>,
    retention: Retention,
    /// The commission of firms without their own terms.
    commission: Option<Terms>,
    /// The VAT rate on commission.
    pub vat: Percent,
}

/// The tables of the file. All other keys are flags.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Tables {
    mail: Option<MailTable>,
    notify: NotifyTable,
    matching: Matching,
    firm: Vec<FirmTable>,
    commission: Option<CommissionTable>,
    retention: Retention,
}

impl ConfigFile {
    /// Reads and validates a file.
    ///
    /// # Errors
    /// When the file cannot be read, a key is unknown, a value is invalid, or a key requires another one that is missing.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::check(TomlDocument::read(TomlKind::CONFIG, path)?)
    }

    /// Validates the text of a file; `path` is for error messages.
    ///
    /// # Errors
    /// When a key is unknown, a value is invalid, or a key requires another one that is missing.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        Self::check(TomlDocument::new(TomlKind::CONFIG, path, text.to_owned()))
    }

    fn check(document: TomlDocument) -> Result<Self, FileError> {
        let tables: Tables = document.parse()?;
        let common = tables.commission.map(CommissionTable::terms);
        let firms = firms::firms(tables.firm, common, &document)?;
        if tables.mail.is_none() {
            if !firms.is_empty() {
                return Err(document.wrong("firm.0", "`[[firm]]` needs `[mail]`: firms are asked by mail"));
            }
            if !tables.notify.mail.is_empty() {
                let message = "`notify.mail` needs `[mail]`, which says how mail leaves";
                return Err(document.wrong("notify.mail", message));
            }
        }
        let defaults = flags::read(&document, &TABLES)?;
        Ok(Self {
            defaults,
            mail: tables.mail,
            notify: tables.notify,
            matching: tables.matching,
            firms,
            retention: tables.retention,
            commission: common,
            vat: tables.commission.map_or(Percent::USUAL_VAT, |table| table.vat()),
            document,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.document.path()
    }

    /// Reads the site settings at a path. If this file sets the path and reading fails, the error points to the line that sets it.
    ///
    /// # Errors
    /// When the settings cannot be read or are invalid.
    pub fn read_site(&self, path: &Path) -> Result<SiteSettings, FileError> {
        SiteSettings::read(path).map_err(|error| match &error {
            FileError::Read { source, .. } if self.site() == Some(path) => {
                let message = format!("`site` names {}, which cannot be read: {source}", path.display());
                self.document.wrong("site", &message)
            }
            _ => error,
        })
    }

    /// The path that this file sets.
    fn site(&self) -> Option<&Path> {
        Some(Path::new(self.defaults.get("site")?.first()?))
    }

    /// The paths of the files with secrets that the tables name.
    pub fn secret_files(&self) -> impl Iterator<Item = PathBuf> {
        let password = self.mail.as_ref().and_then(|mail| mail.password_file.as_ref());
        let paths = password.into_iter().chain(&self.notify.webhook_secret_file);
        paths.map(|path| self.document.resolve(path))
    }

    /// Reads the referenced files and returns how to handle inquiries.
    ///
    /// # Errors
    /// When a referenced file cannot be used.
    pub fn handling(&self) -> Result<Handling, FileError> {
        const STORE_PASSWORD: &str = "store_password_file";
        // Check it now: when the server opens the store, an error could no longer name the line.
        for path in self.defaults.get(STORE_PASSWORD).into_iter().flatten() {
            secret::read(STORE_PASSWORD, &self.document, Path::new(path))?;
        }
        let mail = self.mail.as_ref();
        Ok(Handling {
            mail: mail.map(|mail| mail.load(&self.document)).transpose()?,
            notify: self.notify.load(&self.document)?,
            matching: self.matching,
            firms: self.firms.clone(),
            retention: self.retention,
            commission: self.commission,
            vat: Some(self.vat),
        })
    }

    /// The flags that differ between this file and the file as it is now.
    pub fn changed_flags<'a>(&'a self, now: &'a Self) -> BTreeSet<&'a str> {
        let (then, now) = (&self.defaults, &now.defaults);
        let keys = then.keys().chain(now.keys()).map(String::as_str);
        keys.filter(|&key| then.get(key) != now.get(key)).collect()
    }
}
