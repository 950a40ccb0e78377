//! Why a command failed.

use std::io;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::config::args::Cli;
use crate::config::toml_file::FileError;
use crate::config::{AcmeRootsError, ConfigError};
use crate::operate::CallError;
use crate::operate::export::ExportError;
use crate::operate::report::ReportError;
use crate::operate::statement::StatementError;
use crate::server::acme;
use crate::server::systemd::InheritError;
use crate::server::tls::FileFault;
use crate::site::BrokenSite;
use crate::site::templates::BrokenTemplate;
use crate::store::{OpenError, TransferError};

/// Why a command failed. Its text is one line that says what to do, and the exit code is 1, except for wrong usage.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum CliError {
    /// Wrong usage, which clap explains: the exit code is 2.
    Usage(#[from] clap::Error),
    /// What was asked for was not done.
    Call(#[from] CallError),
    /// The output cannot be written, or a signal came.
    Output(#[from] ExportError),
    /// The flags of `serve`.
    Config(#[from] ConfigError),
    /// A file of the configuration.
    File(#[from] FileError),
    /// The store cannot be opened.
    Open(#[from] OpenError),
    /// A backup cannot be used, or nothing was restored.
    Transfer(#[from] TransferError),
    /// The report cannot be drawn.
    Report(#[from] ReportError),
    /// The statement cannot be drawn up.
    Statement(#[from] StatementError),
    /// A socket of the service manager.
    Inherit(#[from] InheritError),
    /// The certificate's files.
    Certificate(#[from] FileFault),
    /// The roots of the ACME directory.
    Roots(#[from] AcmeRootsError),
    /// The certificate that is kept.
    Acme(#[from] acme::AcmeFailure),
    /// The embedded site.
    Site(#[from] BrokenSite),
    /// The embedded templates.
    Templates(#[from] BrokenTemplate),
    /// The operating system refused.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// What only one command runs into.
    #[error("{0}")]
    Other(String),
}

impl CliError {
    /// Describes wrong usage that the definition of the flags alone does not find.
    pub fn usage(kind: ErrorKind, message: impl std::fmt::Display) -> Self {
        Cli::command().error(kind, message).into()
    }
}

impl From<String> for CliError {
    fn from(line: String) -> Self {
        Self::Other(line)
    }
}

impl From<&str> for CliError {
    fn from(line: &str) -> Self {
        Self::Other(line.to_owned())
    }
}
