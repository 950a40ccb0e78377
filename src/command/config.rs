//! `taubenabwehr config`: says whether the configuration file is right, or prints one to begin with.

use std::io::{self, Write};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};

use super::failure::Failure;
use super::inquiries::print;
use crate::cli::{Cli, ConfigAction, ConfigArgs, SampleFile};
use crate::config::settings::SiteSettings;
use crate::config::toml_file::FileError;
use crate::config::{AcmeRootsError, CertificateSource, ConfigFile, OpenFile, TlsSettings, TlsUsage};
use crate::store::OpenError;
use crate::tls::FileFault;

/// Why a file is not right.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The sample cannot be printed.
    #[error(transparent)]
    Print(#[from] Failure),
    /// The file, or one that it names.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that the address of the store names.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// Its keys about TLS.
    #[error(transparent)]
    Tls(#[from] TlsUsage),
    /// The certificate.
    #[error(transparent)]
    Certificate(#[from] FileFault),
    /// The roots of the ACME directory.
    #[error(transparent)]
    Roots(#[from] AcmeRootsError),
}

/// Checks what is left to check of a file that was read, and prints that it is right; or prints a sample. A missing file ends
/// the process with the exit code for wrong usage.
///
/// # Errors
/// When a file that it names cannot be used.
pub fn run(args: &ConfigArgs, file: Option<&ConfigFile>) -> Result<(), CheckError> {
    if let ConfigAction::Sample { file } = args.action {
        return Ok(print(sample(file))?);
    }
    let file = file.unwrap_or_else(|| missing_file().exit());
    let handling = file.handling()?;
    if let Some(path) = file.site() {
        file.read_site(path)?;
    }
    if let Some(store) = file.store() {
        store.check_files()?;
    }
    let tls = file.tls()?;
    let key = tls.as_ref().and_then(TlsSettings::key_file).map(Path::to_owned);
    let open_secrets = OpenFile::among(file.secret_files().chain(key));
    if let Some(tls) = tls {
        match tls.source {
            CertificateSource::Files(files) => drop(files.read()?.certificate()?),
            CertificateSource::Acme(acme) => drop(acme.roots()?),
        }
    }
    for open in open_secrets {
        let _ = writeln!(io::stderr(), "warning: {open}; {}", open.advice());
    }
    // The exit code says it, too.
    let _ = writeln!(io::stdout(), "{} is right: {handling}", file.path().display());
    Ok(())
}

fn sample(file: SampleFile) -> &'static str {
    match file {
        SampleFile::Config => include_str!("../../packaging/config.toml"),
        SampleFile::Site => SiteSettings::SAMPLE,
    }
}

fn missing_file() -> Error {
    let message = "--config <FILE> is required: it names the file to check, and there is no /etc/taubenabwehr/config.toml that \
        can be read";
    Cli::command().error(ErrorKind::MissingRequiredArgument, message)
}
