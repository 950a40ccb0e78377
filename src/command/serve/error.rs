//! Why the server cannot start.

use std::io;
use std::path::PathBuf;

use crate::command::listening::ListenError;
use crate::command::tls::TlsError;
use crate::config::ConfigError;
use crate::site::BrokenSite;
use crate::store::OpenError;
use crate::templates::BrokenTemplate;

/// Why the server cannot start; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A flag, the configuration file, or a file that one of them names.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A listener.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The store.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The store does not answer.
    #[error("the store could not be read in time; check the disk of the data directory")]
    StoreStalled,
    /// The control socket.
    #[error("cannot open the control socket in {directory}: {source}; check the directory's permissions")]
    Control {
        /// The data directory.
        directory: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The embedded site.
    #[error(transparent)]
    Site(#[from] BrokenSite),
    /// The embedded templates.
    #[error(transparent)]
    Templates(#[from] BrokenTemplate),
    /// The runtime, signals, or standard output.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// The loop that accepts connections ended by itself, which only a bug can cause.
    #[error("the listener has failed; please report it")]
    ListenerFailed,
}
