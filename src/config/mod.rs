//! Flags, the configuration file and the settings of the site, checked once at start: a `Config` is always valid.

mod acme;
pub mod args;
pub mod claims;
mod commission;
mod desk;
mod endpoint;
mod file;
#[cfg(test)]
mod file_tests;
mod firms;
mod flags;
mod handling;
mod hidden;
mod mail;
mod notify;
mod pages;
mod sample;
mod secret;
pub mod settings;
mod tls;
pub mod toml_file;
mod values;

pub use acme::{AcmeRootsError, AcmeSettings};
pub use desk::DeskUsage;
pub use file::{ConfigFile, StartedWith};
pub use handling::{Handling, Matching, Retention};
pub use hidden::Sayings;
pub use mail::{Encryption, Login, MailServer, MailSettings, Sender};
pub use notify::{NotifySettings, Webhook};
pub use pages::{LegalPage, OwnTexts};
pub use secret::{OpenFile, Secret};
pub use tls::{CertificateFiles, CertificateSource, TlsSettings, TlsUsage};

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use ipnet::IpNet;

use crate::base::logging::AccessLog;
use crate::base::text::origin::Origin;
use crate::config::args::ServeArgs;
use crate::store::Location;
use settings::SiteSettings;
use toml_file::FileError;

/// Everything the server needs to know.
#[derive(Debug)]
pub struct Config {
    /// Addresses to listen on.
    pub listen: Vec<SocketAddr>,
    /// TLS; `None` if it is off.
    pub tls: Option<TlsSettings>,
    /// Address of the listener for metrics; `None` opens none.
    pub metrics_listen: Option<SocketAddr>,
    /// Address of the operator's desk; `None` opens none.
    pub desk_listen: Option<SocketAddr>,
    /// Where the desk is reached, if not there.
    pub desk_url: Option<Origin>,
    /// Threads that serve visitors.
    pub threads: NonZeroUsize,
    /// Origin of the public address; `None` takes an address listened on.
    pub public_url: Option<Origin>,
    /// The operator's settings.
    pub settings: SiteSettings,
    /// Keys of `[operator]` that still hold the sample operator's values.
    pub sample_keys: Vec<&'static str>,
    /// Advertising claims that the sample operator's site shows without a proof.
    pub claims_without_basis: Vec<String>,
    /// Where inquiries are stored.
    pub storage: StorageMode,
    /// Inquiries a minute and client; `None` is no limit.
    pub rate_limit: Option<NonZeroU32>,
    /// Networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// What is logged of each request.
    pub access_log: AccessLog,
    /// How inquiries are handled, as of the start.
    pub handling: Handling,
    /// The file that it came from.
    pub file: Option<StartedWith>,
    /// Files with secrets that others may access.
    pub open_secrets: Vec<OpenFile>,
}

/// Where inquiries are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageMode {
    /// In the store at this place.
    Store(Location),
    /// Nowhere: `--demo`.
    Demo,
}

/// Why the server cannot start with these flags.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// `--site` or `--config`
    #[error(transparent)]
    File(#[from] FileError),
    /// `--tls-listen`, `--tls-cert` or `--tls-key`
    #[error(transparent)]
    Tls(#[from] TlsUsage),
    /// `--desk-listen`
    #[error(transparent)]
    Desk(#[from] DeskUsage),
}

impl Config {
    /// Checks the flags and reads the files that they and the configuration file name.
    ///
    /// # Errors
    /// When one of these files cannot be used.
    pub fn from_args(args: ServeArgs, file: Option<&ConfigFile>) -> Result<Self, ConfigError> {
        let handling = match file {
            Some(file) => file.handling()?,
            None => Handling::default(),
        };
        let threads = args.threads();
        DeskUsage::check(&args)?;
        let tls = TlsSettings::from_args(&args)?;
        let key = tls.as_ref().and_then(TlsSettings::key_file).map(Path::to_owned);
        let store_password = args.store.location.password_file().map(Path::to_owned);
        let others = file.into_iter().flat_map(ConfigFile::secret_files);
        let open_secrets = OpenFile::among(others.chain(key).chain(store_password));
        let settings = match (args.site, file) {
            (Some(path), Some(file)) => file.read_site(&path)?,
            (Some(path), None) => SiteSettings::read(&path)?,
            (None, _) => SiteSettings::embedded()?,
        };
        Ok(Self {
            listen: args.listen,
            metrics_listen: args.metrics_listen,
            desk_listen: args.desk_listen,
            desk_url: args.desk_url,
            tls,
            threads,
            public_url: args.public_url,
            sample_keys: sample::keys_left(&settings.operator)?,
            claims_without_basis: if settings.sample {
                settings.claims.without_basis()
            } else {
                Vec::new()
            },
            settings,
            storage: if args.demo {
                StorageMode::Demo
            } else {
                StorageMode::Store(args.store.location)
            },
            rate_limit: NonZeroU32::new(args.rate_limit),
            trusted_proxies: args.trusted_proxy,
            access_log: args.access_log,
            handling,
            file: file.map(ConfigFile::started_with),
            open_secrets,
        })
    }
}
