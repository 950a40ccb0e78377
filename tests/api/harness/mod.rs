//! What every test is made of: a server of its own, a strict HTTP client, inquiries, and a reader of HTML.

pub mod command;
pub mod compression;
pub mod dice;
pub mod dir;
pub mod hanging_disk;
pub mod html;
pub mod http;
pub mod inquiry;
pub mod log;
pub mod server;
pub mod site;
pub mod wait;

pub use command::{program, run};
pub use dir::Dir;
pub use html::Document;
pub use http::{Connection, Request, Response};
pub use inquiry::{COLUMNS, record};
pub use server::{Server, Setup};
pub use wait::until;
