//! `taubenabwehr config`: validates the configuration file, or prints a sample.

use std::io::{self, Write};

use clap::error::ErrorKind;
use jiff::Timestamp;

use super::output::{print, say};
use super::{CliError, usage};
use crate::base::text::berlin;
use crate::config::args::{ConfigAction, SampleFile, ServeArgs};
use crate::config::settings::SiteSettings;
use crate::config::{CertificateSource, Config, ConfigFile, Sayings};
use crate::operate::doctor::open_secrets;

/// Validates what parsing the file did not, regardless of the environment, and prints the result; or prints a sample.
///
/// # Errors
/// When a file that the configuration names cannot be used; wrong usage if no configuration file is given.
pub fn run(action: &ConfigAction, file: Option<&ConfigFile>) -> Result<(), CliError> {
    if let ConfigAction::Sample { file } = action {
        return print(match file {
            SampleFile::Config => include_str!("../../packaging/config.toml"),
            SampleFile::Site => SiteSettings::SAMPLE,
        });
    }
    let file = file.ok_or_else(|| {
        usage(
            ErrorKind::MissingRequiredArgument,
            "--config <FILE> is required: it names the file to check; without it, --data-dir and --store, \
             /etc/taubenabwehr/config.toml is checked if this user may read it",
        )
    })?;
    let flags = ServeArgs::from_defaults(&file.defaults)?;
    let config = Config::read(flags, Some(file.clone()))?;
    let Config {
        settings, handling, ..
    } = &config;
    config.flags.store.check_files()?;
    match &config.certificate {
        Some(CertificateSource::Files(files)) => drop(files.certificate()?),
        Some(CertificateSource::Acme(acme)) => drop(acme.roots()?),
        None => {}
    }
    for open in open_secrets(&config) {
        let _ = writeln!(io::stderr(), "warning: {open}");
    }
    if let Some(doubt) = handling.mail.as_ref().and_then(|mail| mail.server.doubt()) {
        let _ = writeln!(io::stderr(), "warning: {doubt}");
    }
    let today = berlin::day(Timestamp::now());
    for line in Sayings::of(settings, handling, today).hidden() {
        let _ = writeln!(io::stderr(), "not shown: {line}");
    }
    say(format!("{} is valid: {handling}\n", file.path().display()));
    Ok(())
}
