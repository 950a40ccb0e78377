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
    /// It has not answered in time.
    #[error("the database does not answer in time; check its load and its locks")]
    Stalled,
    /// It was written by a later version of the program.
    #[error(
        "the database has schema {found}, and this program knows those up to {known}; update this program, or restore a backup of \
         the older schema"
    )]
    Newer { found: i64, known: i64 },
    /// A copy into it was interrupted.
    #[error(
        "a copy into this database was interrupted, so that it may hold only a part; run `taubenabwehr copy` again, or drop its schema"
    )]
    Copying,
    /// Its search path names no existing schema.
    #[error("the database has no schema to use; create the first one that search_path names")]
    NoSchema,
    /// It refuses to do what is needed.
    #[error(
        "the database cannot be used: {0}; check that its tables belong to this user, who may make them after GRANT CREATE ON SCHEMA"
    )]
    Refused(String),
    /// No thread can be started.
    #[error("cannot start the store's thread: {0}")]
    Thread(std::io::Error),
}
