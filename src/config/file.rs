//! The configuration file (contract, "Configuration file").

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::acme::AcmeSettings;
use super::firms::{self, FirmTable};
use super::flags::{self, Flag};
use super::handling::{Handling, Matching, Retention};
use super::mail::MailTable;
use super::notify::NotifyTable;
use super::settings::SiteSettings;
use super::tls::{TlsSettings, TlsUsage};
use super::toml_file::{Document, FileError, Kind};
use crate::cli::FlagDefault;
use crate::matching::Firm;
use crate::store::Location;

/// The keys beside the flags of `serve`.
const TABLES: [&str; 5] = ["mail", "notify", "matching", "firm", "retention"];

/// A configuration file whose keys and values are right. What it names, such as files with secrets, is read by
/// [`Self::handling`].
#[derive(Debug, Clone)]
pub struct ConfigFile {
    document: Document,
    defaults: Vec<FlagDefault>,
    mail: Option<MailTable>,
    notify: NotifyTable,
    matching: Matching,
    firms: Vec<Firm>,
    retention: Retention,
}

/// What is kept of the file that a server was started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedWith {
    /// Its path.
    pub path: PathBuf,
    /// What it set flags to.
    pub defaults: Vec<FlagDefault>,
}

/// The file as it stands.
#[derive(Default)]
struct Tables {
    flags: Vec<(Flag, Vec<String>)>,
    mail: Option<MailTable>,
    notify: NotifyTable,
    matching: Matching,
    firms: Vec<Spanned<FirmTable>>,
    retention: Retention,
}

impl ConfigFile {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// When it cannot be read, a key is unknown or its value wrong, or a key needs another that is absent.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::check(Document::read(Kind::CONFIG, path)?)
    }

    /// Checks the text of a file, which `path` names in errors.
    ///
    /// # Errors
    /// When a key is unknown or its value wrong, or a key needs another that is absent.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        Self::check(Document::new(Kind::CONFIG, path, text.to_owned()))
    }

    fn check(document: Document) -> Result<Self, FileError> {
        let tables: Tables = document.parse()?;
        let firms = firms::firms(&tables.firms, &document)?;
        if tables.mail.is_none() {
            if let Some(firm) = tables.firms.first() {
                let message = "`[[firm]]` needs `[mail]`: firms are asked by mail";
                return Err(document.wrong(firm.span(), message));
            }
            if let Some(addresses) = tables
                .notify
                .mail
                .as_ref()
                .filter(|list| !list.get_ref().is_empty())
            {
                let message = "`notify.mail` needs `[mail]`, which says how mail leaves";
                return Err(document.wrong(addresses.span(), message));
            }
        }
        let defaults = tables.flags.iter().map(|(flag, values)| FlagDefault {
            flag: flag.key().to_owned(),
            values: values
                .iter()
                .map(|value| flag.resolve(value, |path| document.resolve(path)))
                .collect(),
        });
        Ok(Self {
            defaults: defaults.collect(),
            mail: tables.mail,
            notify: tables.notify,
            matching: tables.matching,
            retention: tables.retention,
            firms,
            document,
        })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.document.path()
    }

    /// Returns what it sets flags to.
    pub fn defaults(&self) -> &[FlagDefault] {
        &self.defaults
    }

    /// Returns the path of the site settings, if it names one.
    pub fn site(&self) -> Option<&Path> {
        self.path_of("site")
    }

    /// Reads the site settings at a path. Where the file names the path, an error that they cannot be read names its line.
    ///
    /// # Errors
    /// When they cannot be read, or are wrong.
    pub fn read_site(&self, path: &Path) -> Result<SiteSettings, FileError> {
        SiteSettings::read(path).map_err(|error| match &error {
            FileError::Read { source, .. } if self.site() == Some(path) => {
                let message = format!("`site` names {}, which cannot be read: {source}", path.display());
                self.document.wrong_value("site", &message)
            }
            _ => error,
        })
    }

    /// Returns the place of the store, if it names one by its address.
    pub fn store(&self) -> Option<Location> {
        let address = self.values("store").first()?;
        Location::parse(address).ok()
    }

    /// Returns what it asks for about TLS, if flags do not change it.
    ///
    /// # Errors
    /// When its keys make no sense together.
    pub fn tls(&self) -> Result<Option<TlsSettings>, TlsUsage> {
        let listen = self.values("tls_listen").iter();
        let listen = listen.filter_map(|address| address.to_str()?.parse().ok());
        let certificate = self.path_of("tls_cert");
        TlsSettings::new(
            listen.collect(),
            certificate,
            self.path_of("tls_key"),
            self.acme(),
        )
    }

    fn acme(&self) -> Option<AcmeSettings> {
        let text = |value: &OsString| value.to_str().map(str::to_owned);
        let domains = self.values("acme").iter().filter_map(text);
        let domains = domains.filter_map(|domain| domain.parse().ok());
        let contact = self.values("acme_contact").iter().find_map(text);
        let directory = self.values("acme_directory").iter().find_map(text);
        let directory = directory.and_then(|directory| directory.parse().ok());
        AcmeSettings::new(
            domains.collect(),
            contact.and_then(|contact| contact.parse().ok()),
            directory.unwrap_or_default(),
            self.path_of("acme_ca"),
        )
    }

    fn path_of(&self, flag: &str) -> Option<&Path> {
        self.values(flag).first().map(Path::new)
    }

    fn values(&self, flag: &str) -> &[OsString] {
        let found = self.defaults.iter().find(|default| default.flag == flag);
        found.map_or(&[], |default| &default.values)
    }

    /// Returns what a server keeps of it.
    pub fn started_with(&self) -> StartedWith {
        StartedWith {
            path: self.path().to_owned(),
            defaults: self.defaults.clone(),
        }
    }

    /// Returns the firms in the order of the file.
    pub fn firms(&self) -> &[Firm] {
        &self.firms
    }

    /// Returns how firms are asked.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    /// Returns the paths of the files with secrets that its tables name.
    pub fn secret_files(&self) -> impl Iterator<Item = PathBuf> {
        let password = self.mail.as_ref().and_then(MailTable::password_file);
        let paths = password.into_iter().chain(self.notify.secret_file());
        paths.map(|path| self.document.resolve(path))
    }

    /// Reads the files that it names, and returns what becomes of inquiries.
    ///
    /// # Errors
    /// When one of these files cannot be used.
    pub fn handling(&self) -> Result<Handling, FileError> {
        let mail = self.mail.as_ref();
        Ok(Handling {
            mail: mail.map(|mail| mail.load(&self.document)).transpose()?,
            notify: self.notify.load(&self.document)?,
            matching: self.matching,
            firms: self.firms.clone(),
            retention: self.retention,
        })
    }
}

impl StartedWith {
    /// Returns the flags that the file now sets to something else.
    pub fn changed_flags<'a>(&'a self, now: &'a ConfigFile) -> BTreeSet<&'a str> {
        let (then, now) = (&self.defaults, &now.defaults);
        let gone = then.iter().filter(|default| !now.contains(default));
        let new = now.iter().filter(|default| !then.contains(default));
        gone.chain(new).map(|default| default.flag.as_str()).collect()
    }
}

/// A key at the top of the file.
enum Key<'a> {
    Table(&'static str),
    Flag(&'a Flag),
}

/// Reads a key. Refused here, an unknown one is reported on its own line.
struct KeyOf<'a>(&'a [Flag]);

impl<'de, 'a> DeserializeSeed<'de> for KeyOf<'a> {
    type Value = Key<'a>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'a>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for KeyOf<'a> {
    type Value = Key<'a>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key<'a>, E> {
        if let Some(table) = TABLES.into_iter().find(|&table| table == key) {
            return Ok(Key::Table(table));
        }
        if let Some(flag) = self.0.iter().find(|flag| flag.key() == key) {
            return Ok(Key::Flag(flag));
        }
        let known: Vec<_> = self
            .0
            .iter()
            .map(Flag::key)
            .chain(TABLES)
            .map(|key| format!("`{key}`"))
            .collect();
        Err(E::custom(format!(
            "unknown field `{key}`, expected one of {}",
            known.join(", ")
        )))
    }
}

impl<'de> Deserialize<'de> for Tables {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TablesVisitor;

        impl<'de> Visitor<'de> for TablesVisitor {
            type Value = Tables;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a configuration file")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tables, A::Error> {
                let flags = flags::all();
                let mut tables = Tables::default();
                while let Some(key) = map.next_key_seed(KeyOf(&flags))? {
                    match key {
                        Key::Flag(flag) => {
                            let values = map.next_value_seed(flag)?;
                            tables.flags.push((flag.clone(), values));
                        }
                        Key::Table("mail") => tables.mail = Some(map.next_value()?),
                        Key::Table("notify") => tables.notify = map.next_value()?,
                        Key::Table("matching") => tables.matching = map.next_value()?,
                        Key::Table("retention") => tables.retention = map.next_value()?,
                        Key::Table(_) => tables.firms = map.next_value()?,
                    }
                }
                Ok(tables)
            }
        }

        deserializer.deserialize_map(TablesVisitor)
    }
}
