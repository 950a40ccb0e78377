//! `taubenabwehr config`: says whether the configuration file is valid, or prints one to begin with.

use std::io::{self, Write};
use std::path::Path;

use clap::error::ErrorKind;
use jiff::Timestamp;

use super::failure::CliError;
use super::output::{print, say};
use crate::base::text::berlin;
use crate::config::args::{ConfigAction, ConfigArgs, SampleFile};
use crate::config::settings::SiteSettings;
use crate::config::{CertificateSource, ConfigError, ConfigFile, OpenFile, Sayings, TlsSettings};
use crate::store::Location;

/// Checks what remains to be checked of a file that was read, and prints that it is valid; or prints a sample.
///
/// # Errors
/// When a file that it names cannot be used; wrong usage if no file is named.
pub fn run(args: &ConfigArgs, file: Option<&ConfigFile>) -> Result<(), CliError> {
    if let ConfigAction::Sample { file } = args.action {
        return print(sample(file));
    }
    let file = file.ok_or_else(|| {
        CliError::usage(
            ErrorKind::MissingRequiredArgument,
            "--config <FILE> is required: it names the file to check; without it, --data-dir and --store, \
             /etc/taubenabwehr/config.toml is checked if this user may read it",
        )
    })?;
    let handling = file.handling()?;
    let settings = match file.site() {
        Some(path) => file.read_site(path)?,
        None => SiteSettings::embedded()?,
    };
    let store = file.store();
    if let Some(store) = &store {
        store.check_files()?;
    }
    let store_password = store
        .as_ref()
        .and_then(Location::password_file)
        .map(Path::to_owned);
    let tls = file.tls().map_err(ConfigError::Tls)?;
    let key = tls.as_ref().and_then(TlsSettings::key_file).map(Path::to_owned);
    let open_secrets = OpenFile::among(file.secret_files().chain(key).chain(store_password));
    if let Some(tls) = tls {
        match tls.source {
            CertificateSource::Files(files) => drop(files.certificate()?),
            CertificateSource::Acme(acme) => drop(acme.roots()?),
        }
    }
    for open in open_secrets {
        let _ = writeln!(io::stderr(), "warning: {open}; {}", open.advice());
    }
    if let Some(doubt) = handling.mail.as_ref().and_then(|mail| mail.server.doubt()) {
        let _ = writeln!(io::stderr(), "warning: {doubt}");
    }
    let today = berlin::day(Timestamp::now());
    for line in Sayings::of(&settings, &handling, today).hidden() {
        let _ = writeln!(io::stderr(), "not shown: {line}");
    }
    say(format!("{} is valid: {handling}\n", file.path().display()));
    Ok(())
}

fn sample(file: SampleFile) -> &'static str {
    match file {
        SampleFile::Config => include_str!("../../packaging/config.toml"),
        SampleFile::Site => SiteSettings::SAMPLE,
    }
}
