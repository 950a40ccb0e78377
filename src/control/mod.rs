//! Access of commands to the inquiries. A [`Caller`] sends each call to the server that has the store, over a Unix socket in the
//! data directory; if no server runs, it opens the store and runs the same code itself.
//!
//! On the socket, a call is a POST to its name with its fields as JSON, for example
//! `curl --unix-socket data/control.sock --json '{}' http://localhost/ReadFacts`. Only the server's user and root may connect.
//! Records are sent as JSON lines.

mod body;
mod caller;
mod server;
mod socket;

pub use caller::Caller;
pub use server::serve;
pub use socket::ControlListener;

/// Names of the requests that are answered with a stream instead of one value: the inquiries of a range, the newsletter
/// subscriptions, and a backup.
const RECORDS: &str = "Records";
const SUBSCRIPTIONS: &str = "Subscriptions";
const BACKUP: &str = "Backup";
