//! The flags of the commands for installing the program: `healthcheck`, `config`, `completions` and `manual`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Ask a running server whether it can take inquiries; exit code 0 if so
#[derive(Debug, Clone, Args)]
pub struct HealthcheckArgs {
    /// Address of the server to ask; of several, the first is asked
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Vec<SocketAddr>,
}

/// One thing that `config` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigAction {
    /// Say whether the file given by --config is valid, without starting anything
    ///
    /// It reads what the file names, too: the site settings, files with secrets and certificates. Run it as the
    /// server's user, who must be able to read them.
    ///
    /// Exit code 0 if everything is valid, 1 if not, with file, line and what was expected.
    #[command(after_help = "Example:\n  \
            taubenabwehr config check --config /etc/taubenabwehr/config.toml && systemctl reload taubenabwehr\n      \
                read firms, mail, notices, matching and retention again if the file is valid")]
    Check,
    /// Print a file with every key, its meaning and its default, to begin with
    #[command(after_help = "Examples:\n  \
        taubenabwehr config sample > /etc/taubenabwehr/config.toml\n      \
            for --config\n  \
        taubenabwehr config sample site > /etc/taubenabwehr/site.toml\n      \
            for --site: name, address, links and tags of the site")]
    Sample {
        /// The file
        #[arg(value_name = "FILE", value_enum, default_value = "config")]
        file: SampleFile,
    },
}

/// A file that operators write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SampleFile {
    /// The configuration of the program, for --config
    Config,
    /// The settings of the site, for --site
    Site,
}

/// Print the completion script for a shell
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    pub shell: clap_complete::Shell,
}

/// Write the manual pages of all commands to a directory
///
/// The pages hold what --help says.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  \
        taubenabwehr manual --output /usr/local/share/man/man1\n      \
            install all pages, for `man taubenabwehr`")]
pub struct ManualArgs {
    /// Directory for the pages; created if missing
    #[arg(long, value_name = "DIR")]
    pub output: PathBuf,
}
