//! Why a database cannot be used.

use super::password::PasswordError;
use super::tls::TlsError;

/// Why there is no connection, in one line.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach the database ({0}); see that it runs, and check --store")]
pub struct ConnectError(pub(super) String);

/// Why a database cannot be used; shown as one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum OpenError {
    /// No host can be used.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A certificate that `--store` names cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The file with the password cannot be used.
    #[error(transparent)]
    Password(#[from] PasswordError),
}
