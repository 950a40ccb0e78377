//! `taubenabwehr desk`: lets somebody into the desk, or everybody out of it.

use std::net::SocketAddr;

use super::CliError;
use super::output::{counted, print, print_json, say};
use crate::base::text::origin::Origin;
use crate::config::args::DeskArgs;
use crate::control::Caller;
use crate::operate::calls::{EndDeskSessions, OfferDeskCode};
use crate::site::private_path::DESK_LOGIN;

/// Why no code is printed that nobody could use.
const NO_DESK: &str = "no desk is known: start the server with --desk-listen 127.0.0.1:8090, or say where its desk is by \
                       --desk-url URL";

/// Prints an address with a code, or ends all sessions.
///
/// # Errors
/// When that was not done, or nobody knows where the desk is.
pub fn run(args: &DeskArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?;
    if args.end {
        let ended = caller.call(EndDeskSessions {})?;
        let sessions = counted(ended, "session", "sessions");
        say(format!("{sessions} of the desk ended\n"));
        return Ok(());
    }
    let (code, noted) = caller.call(OfferDeskCode {})?;
    let own = args.desk_url.as_ref().map(Origin::to_string);
    let listening = args
        .desk_listen
        .filter(|address| address.port() > 0)
        .map(|address| origin(address).to_string());
    let address = own.or(noted).or(listening).ok_or(NO_DESK)?;
    let url = format!("{address}{DESK_LOGIN}{code}");
    if args.json.json {
        return print_json(&serde_json::json!({ "url": url }));
    }
    print(&format!("{url}\n"))
}

/// Returns the address of a desk that is reached directly: beyond this machine by TLS.
pub fn origin(address: SocketAddr) -> Origin {
    if address.ip().is_loopback() {
        Origin::of_address(address)
    } else {
        Origin::of_tls_address(address)
    }
}
