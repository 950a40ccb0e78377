//! What can go wrong between the program and its database.

use tokio_postgres::error::SqlState;

use super::connector::reason;
use super::open_error::ConnectError;
use crate::store::core::ApplyError;
use crate::store::error::Damaged;
use crate::store::error::Unavailable;
use crate::text::one_line::one_line;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No host lets the program in.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database has refused it, or the connection was lost.
    #[error("{}", one_line(&reason(.0)))]
    Database(#[from] tokio_postgres::Error),
    /// There was no answer in time.
    #[error("it does not answer in time")]
    Silent,
    /// A value is not what was written.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The database cannot be used.
    #[error(transparent)]
    Unusable(#[from] Box<super::OpenError>),
    /// The system gives no random bits.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// What helps against an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Doing the same again: another transaction was in the way.
    Again,
    /// Another connection, perhaps to another host.
    Reconnect,
    /// Nothing that the program could do.
    None,
}

impl From<ApplyError> for Error {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Damaged(damaged) => Self::Damaged(damaged),
            ApplyError::System(error) => Self::System(error),
        }
    }
}

impl Error {
    /// Returns what helps.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Connect(_) | Self::Silent => Remedy::Reconnect,
            Self::Damaged(_) | Self::Unusable(_) | Self::System(_) => Remedy::None,
            Self::Database(error) => match error.code() {
                None => Remedy::Reconnect,
                Some(code) => remedy(code),
            },
        }
    }

    /// Returns whether the database has no room: it can be read, and written as soon as it has.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::DISK_FULL))
    }

    /// Returns whether a key is there already.
    pub fn is_known_key(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
    }

    /// Logs why the database cannot be read; the caller only hears that it cannot.
    pub fn logged(&self) -> Unavailable {
        tracing::error!(error = %self, "the database cannot be read");
        Unavailable
    }
}

fn remedy(code: &SqlState) -> Remedy {
    let class = code.code().get(..2).unwrap_or_default();
    if [
        SqlState::UNIQUE_VIOLATION,
        // A batch that was committed before.
        SqlState::NOT_NULL_VIOLATION,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
    ]
    .contains(code)
    {
        return Remedy::Again;
    }
    // Lost connections, a server that ends or begins, and one that has become a standby.
    if matches!(class, "08" | "57")
        || [
            SqlState::READ_ONLY_SQL_TRANSACTION,
            SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            SqlState::TOO_MANY_CONNECTIONS,
        ]
        .contains(code)
    {
        return Remedy::Reconnect;
    }
    Remedy::None
}
