//! Flags, configuration file and site settings, validated once at start: a `Config` is always valid.

pub mod args;
pub mod claims;
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
mod secret;
pub mod settings;
mod tls;
pub mod toml_file;
mod values;

pub use args::AcmeSettings;
pub use file::ConfigFile;
pub use handling::{Handling, Matching, Retention};
pub use hidden::Sayings;
pub use mail::{Encryption, Login, MailServer, MailSettings, Sender};
pub use notify::{NotifySettings, Webhook};
pub use pages::{LegalPage, OwnTexts};
pub use secret::Secret;
pub use tls::{CertificateFiles, CertificateSource};

use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::base::text::origin::Origin;
use crate::config::args::ServeArgs;
use crate::store::Location;
use settings::SiteSettings;
use toml_file::FileError;

/// The complete configuration of a server.
#[derive(Debug)]
pub struct Config {
    /// The flags, from any source.
    pub flags: ServeArgs,
    /// The source of the certificate; `None` without TLS.
    pub certificate: Option<CertificateSource>,
    /// The site settings.
    pub settings: SiteSettings,
    /// How inquiries are handled, as of the start.
    pub handling: Handling,
    /// The configuration file, as of the start.
    pub file: Option<ConfigFile>,
    /// Files with secrets that other users can access.
    pub open_secrets: Vec<PathBuf>,
}

/// Why the configuration is unusable.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The flags contradict each other, or a required one is missing.
    #[error("{0}")]
    Usage(String),
    /// The configuration file, or a file named there or by a flag, is unusable.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Config {
    /// Validates the flags of a server, and reads the files that they and the configuration file name.
    ///
    /// # Errors
    /// When flags contradict each other, or a file cannot be used.
    pub fn from_args(flags: ServeArgs, file: Option<ConfigFile>) -> Result<Self, ConfigError> {
        check_flags(&flags).map_err(ConfigError::Usage)?;
        Self::read(flags, file)
    }

    /// Reads the files that the flags and the configuration file name, without checking what only a running server needs.
    ///
    /// # Errors
    /// When the flags of the certificate contradict each other, or a file cannot be used.
    pub fn read(flags: ServeArgs, file: Option<ConfigFile>) -> Result<Self, ConfigError> {
        let certificate = CertificateSource::from_args(&flags).map_err(ConfigError::Usage)?;
        let handling = match &file {
            Some(file) => file.handling()?,
            None => Handling::default(),
        };
        let key = match &certificate {
            Some(CertificateSource::Files(files)) => Some(files.key.clone()),
            _ => None,
        };
        let store_password = flags.store.password_file().map(Path::to_owned);
        let others = file.iter().flat_map(ConfigFile::secret_files);
        let secrets = others.chain(key).chain(store_password);
        let open_secrets = secrets.filter(|path| secret::is_open(path)).collect();
        let settings = match (&flags.site, &file) {
            (Some(path), Some(file)) => file.read_site(path)?,
            (path, _) => SiteSettings::read_or_sample(path.as_deref())?,
        };
        Ok(Self {
            flags,
            certificate,
            settings,
            handling,
            file,
            open_secrets,
        })
    }

    /// The address at which visitors reach the site: the configured public address or the first domain of the ordered
    /// certificate, else the first address that listens with TLS, else the first one without.
    pub fn origin(&self, tls: Option<SocketAddr>, plain: Option<SocketAddr>) -> Option<Origin> {
        let named = self.flags.public_url.clone();
        let ordered = || self.certificate.as_ref()?.origin();
        let of = |scheme, address: Option<SocketAddr>| address.map(|address| Origin::of(scheme, address));
        let listening = || of("https", tls).or(of("http", plain));
        named.or_else(ordered).or_else(listening)
    }

    /// The location of the store; `None` for `--demo`, which has no store.
    pub fn location(&self) -> Option<&Location> {
        (!self.flags.demo).then_some(&self.flags.store)
    }
}

/// Validates the flags of a server, from any source.
///
/// # Errors
/// When flags contradict each other, or a required one is missing.
fn check_flags(args: &ServeArgs) -> Result<(), String> {
    let is_ordered = !args.acme.domains.is_empty();
    if is_ordered && args.demo {
        return Err("--acme needs a data directory for its certificates, which --demo does not have: use --tls-cert and --tls-key".to_owned());
    }
    // A socket opened by the service manager can replace the flag.
    if is_ordered && args.tls_listen.is_empty() && env::var_os("LISTEN_FDS").is_none() {
        return Err("--acme needs --tls-listen ADDRESS, such as 0.0.0.0:443".to_owned());
    }
    let Some(address) = args.desk_listen else {
        return Ok(());
    };
    if args.demo {
        return Err(
            "--desk-listen shows what is stored, which --demo does not: remove one of them".to_owned(),
        );
    }
    if !address.ip().is_loopback() && args.tls_cert.is_none() && !is_ordered {
        return Err(format!(
            "--desk-listen {address} is reached from other machines and needs a certificate: add --tls-cert FILE and --tls-key \
             FILE, or --acme DOMAIN, or listen on 127.0.0.1 and reach it over an SSH tunnel"
        ));
    }
    Ok(())
}
