//! Access of commands to the inquiries. A [`Caller`] sends each call to the server that holds the store, over a Unix socket in
//! the data directory; if no server runs, it opens the store and runs the same code itself.
//!
//! A connection to the socket is for one call. The request is a line: the call's name, a space, and its fields as JSON, for
//! example `ReadFacts {}`. The answer begins with a line that says whether the call has failed ([`Reply`]). Its value follows as
//! a line of JSON; records follow one per line, ended by an empty line; a backup follows verbatim. A truncated answer never looks
//! complete. Only the server's user and root may connect.

mod caller;
mod server;
mod socket;

pub use caller::Caller;
pub use server::serve;
pub use socket::ControlListener;

use serde::{Deserialize, Serialize};

use crate::operate::Refused;

/// Names of the requests that are answered with more than one value: the inquiries of a range, the newsletter subscriptions, and a
/// backup.
const RECORDS: &str = "Records";
const SUBSCRIPTIONS: &str = "Subscriptions";
const BACKUP: &str = "Backup";

/// The first line of an answer.
type Reply = Result<(), Failure>;

/// Why a server did not carry out a call.
#[derive(Debug, Serialize, Deserialize)]
enum Failure {
    /// The change was refused.
    Refused(Refused),
    /// Any other failure, with its message.
    Failed(String),
}
