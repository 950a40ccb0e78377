//! The flags of `desk`.

use std::net::SocketAddr;

use clap::Args;

use super::export::Json;
use super::store::StoreArgs;
use crate::base::text::origin::Origin;

/// Print an address that lets you into the desk, the operator's page in the browser
///
/// The desk is the operator's page in the browser: a server shows it at --desk-listen. The address that this prints
/// works once, within ten minutes; opening it starts a session of twelve hours on every server of the same store.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr desk\n      \
            print an address to open in a browser\n  \
        taubenabwehr desk --end\n      \
            a computer was lost, or somebody leaves: everybody has to log in again")]
pub struct DeskArgs {
    /// End all sessions; no code works any more
    #[arg(long)]
    pub end: bool,

    /// Address under which the desk is reached [default: where the server that started last has it, else --desk-listen]
    #[arg(long, value_name = "URL")]
    pub desk_url: Option<Origin>,

    /// Address and port of the desk, for a server on another machine
    #[arg(long, value_name = "ADDRESS")]
    pub desk_listen: Option<SocketAddr>,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: StoreArgs,
}
