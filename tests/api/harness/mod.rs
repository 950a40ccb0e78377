//! Test tools: a server for each test, a strict HTTP client, inquiries, and an HTML parser.

/// Checks that a text contains a part, and shows the text if it does not.
macro_rules! assert_has {
    ($text:expr, $part:expr) => {
        match (&$text, $part) {
            (text, part) => assert!(text.contains(part), "{text} lacks {part:?}"),
        }
    };
}

pub mod capture;
pub mod command;
pub mod compression;
pub mod dir;
pub mod gate;
pub mod hanging_store;
pub mod html;
pub mod http;
pub mod inquiry;
pub mod policy;
pub mod ports;
pub mod referral;
pub mod rng;
pub mod server;
pub mod site;
pub mod store;
pub mod tls;
pub mod wait;

pub use command::{program, run};
pub use dir::Dir;
pub use html::{Document, heading};
pub use http::{Connection, Request, Response};
pub use inquiry::{COLUMNS, EXPORT_COLUMNS, record};
pub use server::{Server, Setup};
pub(crate) use store::{leave_out_on_postgres, leave_out_on_redb};
pub use tls::TlsServer;
pub use wait::{block_on, until, until_true};
