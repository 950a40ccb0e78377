//! How commands reach the inquiries. A command makes its calls by a [`Caller`]: to the server that has the store, over a Unix
//! socket in its data directory, or else on the store itself, which it then opens. Both run the same code.
//!
//! On the socket a call is a POST whose path is the name of the call, with its fields as JSON, for the server's user and root only;
//! `curl --unix-socket data/control.sock --json '{}' http://localhost/ReadFacts` works as well. Records are sent one a line.

mod body;
mod caller;
mod server;
mod socket;

pub use caller::Caller;
pub use server::serve;
pub use socket::ControlListener;

/// Names of requests that are answered by a stream instead of one value: the inquiries of a range, the subscriptions to the
/// newsletter, and the bytes of a backup.
const RECORDS: &str = "Records";
const SUBSCRIPTIONS: &str = "Subscriptions";
const BACKUP: &str = "Backup";
