//! `taubenabwehr desk`: issues login codes for the desk, or ends all sessions.

use std::net::SocketAddr;

use super::CliError;
use super::output::{print, print_json, say};
use crate::base::text::counted;
use crate::base::text::origin::Origin;
use crate::config::args::DeskArgs;
use crate::control::Caller;
use crate::operate::calls::{EndDeskSessions, OfferDeskCode};
use crate::site::private_path::DESK_LOGIN;

/// The error if the address of the desk is unknown, so that a code would be useless.
const NO_DESK: &str = "no desk is known: start the server with --desk-listen 127.0.0.1:8090, or say where its desk is by \
                       --desk-url URL";

/// Prints a login link for the desk, or ends all sessions.
///
/// # Errors
/// When the store cannot be changed, or the address of the desk is unknown.
pub fn run(args: &DeskArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    if args.end {
        let ended = caller.call(EndDeskSessions {})?;
        let sessions = counted(ended, "session", "sessions");
        say(format!("{sessions} of the desk ended\n"));
        return Ok(());
    }
    let (code, noted) = caller.call(OfferDeskCode {})?;
    let own = args.desk_url.as_ref().map(Origin::to_string);
    let address = own.or(noted).ok_or(NO_DESK)?;
    let url = format!("{address}{DESK_LOGIN}{code}");
    if args.json.json {
        return print_json(&serde_json::json!({ "url": url }));
    }
    print(&format!("{url}\n"))
}

/// The address of a desk without a proxy: with TLS, unless it listens on loopback.
pub fn origin(address: SocketAddr) -> Origin {
    let is_local = address.ip().is_loopback();
    Origin::of(if is_local { "http" } else { "https" }, address)
}
