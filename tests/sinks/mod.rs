//! Servers that receive the program's output, and that can be told to misbehave.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod certificate;
mod http;
mod pebble;
mod smtp;
pub mod tls_client;

pub use certificate::Certificate;
pub use http::WebhookSink;
pub use pebble::{CLOSED, Gate, Pebble, Ports, is_installed as pebble_is_installed};
pub use smtp::{Behaviour, Mail, Security, SmtpSink, Step, message_ids};
