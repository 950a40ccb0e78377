//! The log lines at start.

use jiff::Timestamp;
use rustix::process::geteuid;

use super::listening::Listening;
use crate::base::process::BuildInfo;
use crate::base::text::berlin;
use crate::base::text::origin::Origin;
use crate::config::{Config, Sayings};
use crate::operate::doctor::open_secrets;
use crate::store::Location;

/// Logs addresses, configuration, and warnings for the operator.
pub fn log_start(config: &Config, listening: &Listening, origin: &Origin) {
    for listener in &listening.public {
        tracing::info!(version = %BuildInfo::of_this_executable(), address = %listener, public_url = %origin, "listening");
    }
    for listener in &listening.metrics {
        tracing::info!(address = %listener, "serving metrics");
    }
    if let Some(listener) = &listening.desk {
        tracing::info!(address = %listener, "serving the desk");
    }
    for flag in &listening.ignored {
        tracing::info!("--{flag} is ignored: the service manager passes sockets of this kind");
    }
    if let Some(file) = &config.file {
        tracing::info!(file = %file.path().display(), "configured: {}", config.handling);
    }
    for open in open_secrets(config) {
        tracing::warn!("{open}");
    }
    if let Some(directory) = config.location().and_then(Location::data_dir)
        && geteuid().is_root()
    {
        tracing::warn!(
            directory = %directory.display(),
            "root runs this server, so that its files belong to root, and another user's server cannot write them; run it as a user of \
             its own, and give the directory to that user (`chown -R`)"
        );
    }
    if config.flags.demo {
        tracing::warn!("demo mode: inquiries are answered with success and NOT kept");
    }
    if !config.flags.demo && config.handling.tells_nobody() {
        tracing::warn!(
            "nobody will be told of inquiries: there is neither a mailbox nor a webhook in [notify]; look for them yourself with \
             `taubenabwehr inquiries`"
        );
    }
    let sample_keys = config.settings.sample_keys();
    if !sample_keys.is_empty() {
        tracing::warn!(
            keys = sample_keys.join(", "),
            "imprint and privacy notice name the sample operator; put your own data into the [operator] table of a copy of \
             the sample site.toml, which `taubenabwehr config sample site` prints, and start with --site FILE"
        );
    }
    let today = berlin::day(Timestamp::now());
    Sayings::of(&config.settings, &config.handling, today).log();
    if let Some(first) = listening.public.first()
        && config.flags.public_url.is_none()
        && !first.address.ip().is_loopback()
    {
        tracing::warn!(
            "links, sitemaps and the feed name {origin}; give the public address with --public-url"
        );
    }
    let is_listening_for_tls = listening.first_tls().is_some();
    if let Some(public) = &config.flags.public_url
        && is_listening_for_tls
        && !public.is_https()
    {
        tracing::warn!(
            "the public address {public} is not reached by TLS; give one with https:// as --public-url"
        );
    }
    if config.certificate.is_some() && !is_listening_for_tls && !listening.has_desk_by_tls() {
        tracing::warn!("the certificate is not used: nothing listens for TLS; add --tls-listen ADDRESS");
    }
}
