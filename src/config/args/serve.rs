//! The flags of `serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

use clap::Args;
use ipnet::IpNet;

use super::acme::AcmeSettings;
use crate::base::logging::{AccessLog, LogFormat};
use crate::base::text::origin::Origin;
use crate::store::Location;

/// Serve the site and take inquiries (the default command)
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// Address and port to listen on; port 0 takes any free one; may be given more than once
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = trimmed::<SocketAddr>,
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Vec<SocketAddr>,

    /// Address and port to listen on for HTTPS; may be given more than once. Needs a certificate
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = trimmed::<SocketAddr>
    )]
    pub tls_listen: Vec<SocketAddr>,

    /// Certificate chain in PEM, the server's own first; read again when it changes
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Private key of the certificate, in PEM; read again when it changes
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// How a certificate is ordered.
    #[command(flatten)]
    pub acme: AcmeSettings,

    /// Where the inquiries are kept.
    #[command(flatten)]
    pub store: Location,

    /// Origin under which visitors reach the site, for canonical links, sitemaps, the feed and social cards
    /// [default: the first TLS address, else the listen address]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<Origin>,

    /// TOML file with the operator's own name, address, links and tags [default: the embedded sample]
    #[arg(long, value_name = "FILE")]
    pub site: Option<PathBuf>,

    /// Run without a store: inquiries are answered with success and NOT kept
    #[arg(long)]
    pub demo: bool,

    /// Inquiries a minute accepted per client (an IPv4 address or an IPv6 /64); 0 switches the limit off
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rate_limit: u32,

    /// Network whose X-Forwarded-For is believed, such as 127.0.0.1/32; may be given more than once
    #[arg(
        long,
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = trimmed::<IpNet>
    )]
    pub trusted_proxy: Vec<IpNet>,

    /// Threads that serve visitors [default: one for each core, at most 8]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS)
    )]
    pub threads: Option<u32>,

    /// Address and port of a listener for metrics that are read at /metrics
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// Address and port of the desk, the operator's page in the browser; beyond this machine it needs a certificate
    #[arg(long, value_name = "ADDRESS")]
    pub desk_listen: Option<SocketAddr>,

    /// Address under which the desk is reached behind a reverse proxy [default: the address listened on]
    #[arg(long, value_name = "URL")]
    pub desk_url: Option<Origin>,

    /// Log each request: time, method, path without query and tokens, status, size, duration and id
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_value = "off",
        default_missing_value = "on"
    )]
    pub access_log: AccessLog,

    /// Format of log lines on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
}

/// Parses an entry of a comma-separated list, ignoring surrounding spaces.
fn trimmed<T: FromStr>(text: &str) -> Result<T, T::Err> {
    text.trim().parse()
}

/// Upper limit of threads. More would be a typo: each takes memory, and the store has only one writer.
const MAX_THREADS: i64 = 256;

/// Default limit of threads on machines with many cores: enough for half a million pages a second, more than the network card of a
/// small server can carry.
const DEFAULT_THREADS: usize = 8;

impl ServeArgs {
    /// The number of threads that serve visitors.
    pub fn threads(&self) -> NonZeroUsize {
        let given = self.threads.and_then(|threads| usize::try_from(threads).ok());
        let threads = given.unwrap_or_else(|| {
            // The CPUs available to this process, limited by its affinity and its cgroup's quota.
            let cores = thread::available_parallelism();
            cores.map_or(1, NonZeroUsize::get).min(DEFAULT_THREADS)
        });
        NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
    }
}
