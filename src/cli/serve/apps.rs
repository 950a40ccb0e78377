//! Builds the handlers of requests from the configuration, the listeners and the store.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::listening::Listening;
use super::tls::StartedTls;
use crate::cli::CliError;
use crate::config::Config;
use crate::operate::Operations;
use crate::outbox::Census;
use crate::server::tls::Resolver;
use crate::server::{ConnectionLimits, MetricsPage};
use crate::site::SiteSource;
use crate::site::http::headers::SecurityHeaders;
use crate::site::reload::SiteKeeper;
use crate::store::{FILE_NAME, Location, Store};
use crate::web::App;
use crate::web::desk::Desk;
use crate::web::limits::rate_limit::{DAY, MINUTE, RateLimit};

/// Changes through forms of private pages per client, for each inquiry allowed. A firm that returns from a holiday answers many
/// in a row.
const CHANGES: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// Reports of steps and pages by the site's script per client and minute. A visitor who rushes through the questionnaire causes
/// fewer than 30 reports, so this is enough for ten such visitors behind one address.
const BEACONS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// Attempts to log in to the desk per client and minute. An operator mistypes a code once or twice.
const CODES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Inquiries and newsletter sign-ups per network and day. Each may send a mail to another address, and the store keeps track of
/// 200,000 addresses (`domain/referral/confirmation_quota.rs`). A network gets a hundredth of that, which leaves room for all
/// others, and is more than a company, or customers who share an address, send.
const MAILS: NonZeroU32 = NonZeroU32::new(2_000).unwrap();

/// Photos per network and day: those of 60 inquiries, some 130 MB. A single network cannot fill a disk within a month. If a crowd
/// of robots sends that many each, `doctor` warns before the disk is full.
const PHOTOS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// Sets the store's policy, and builds the app for visitors.
///
/// # Errors
/// When the store does not respond, or the embedded files are broken.
pub fn site(
    config: &Config,
    listening: &Listening,
    tls: Option<&StartedTls>,
    store: Option<&Arc<Store>>,
) -> Result<App, CliError> {
    if let Some(store) = store {
        let followed = store.set_policy(Arc::new(config.handling.policy()));
        followed.map_err(|_| "the store could not be read in time; check the disk of the data directory")?;
    }
    let origin = listening.origin(config)?;
    let headers = SecurityHeaders::new(&config.settings, &origin);
    let source = SiteSource {
        settings: config.settings.clone(),
        is_demo: config.flags.demo,
        origin: origin.clone(),
    };
    let site = SiteKeeper::new(source, &config.handling, store.cloned())?;
    let inquiries = NonZeroU32::new(config.flags.rate_limit);
    let a_minute = |most| RateLimit::new(MINUTE, most);
    // Setting the flag to 0 disables all limits.
    let a_day = |most| RateLimit::new(DAY, inquiries.and(Some(most)));
    Ok(App {
        store: store.cloned(),
        https: tls
            .zip(listening.first_tls())
            .map(|(tls, address)| tls.redirect(config.flags.public_url.as_ref(), address)),
        challenges: tls.map(|tls| tls.resolver.challenges.clone()).unwrap_or_default(),
        rate_limit: a_minute(inquiries),
        // Only the window: each use passes the limit, since it comes from the matching configuration, which may change.
        passing_on: a_day(NonZeroU32::MIN),
        newsletter_limit: a_minute(inquiries),
        daily_share: a_day(MAILS),
        photo_share: a_day(PHOTOS),
        token_limit: a_minute(inquiries),
        change_limit: a_minute(inquiries.map(|most| most.saturating_mul(CHANGES))),
        beacon_limit: a_minute(inquiries.and(Some(BEACONS))),
        trusted_proxies: config.flags.trusted_proxy.clone(),
        access_log: config.flags.access_log,
        ..App::new(Arc::new(site), headers, origin)
    })
}

/// Builds the app for the desk's listener, if there is one. `site` is the app for visitors.
pub fn desk(config: &Config, listening: &Listening, site: &App) -> Option<App> {
    let listener = listening.desk.as_ref()?;
    let own = || crate::cli::desk::origin(listener.address);
    let origin = config.flags.desk_url.clone().unwrap_or_else(own);
    let desk = Desk {
        operations: operations(site)?,
        args: config.flags.clone(),
        file: config.file.as_ref().map(|file| file.path().to_owned()),
        settings: config.settings.clone(),
        public: site.origin.clone(),
    };
    let headers = SecurityHeaders::new(&config.settings, &origin);
    Some(App {
        handler: Some(Arc::new(desk)),
        // Login codes have their own limit, even if the site's limits are disabled.
        token_limit: RateLimit::new(MINUTE, CODES),
        trusted_proxies: config.flags.trusted_proxy.clone(),
        access_log: config.flags.access_log,
        metrics: Arc::clone(&site.metrics),
        ..App::new(Arc::clone(&site.site), headers, origin)
    })
}

/// Builds the app for the operator's monitoring.
pub fn metrics(
    config: &Config,
    site: &App,
    limits: &Arc<ConnectionLimits>,
    certificates: Option<Arc<Resolver>>,
) -> App {
    let directory = config.location().and_then(Location::data_dir);
    let page = MetricsPage {
        metrics: Arc::clone(&site.metrics),
        limits: Arc::clone(limits),
        store: site.store.clone(),
        file: directory.map(|directory| directory.join(FILE_NAME)),
        certificates,
        census: Census::default(),
    };
    App {
        handler: Some(Arc::new(page)),
        ..App::new(
            Arc::clone(&site.site),
            site.security_headers.clone(),
            site.origin.clone(),
        )
    }
}

/// The operator's view of the site's store; `None` if nothing is stored.
pub fn operations(site: &App) -> Option<Operations> {
    Some(Operations {
        store: Arc::clone(site.store.as_ref()?),
        funnel: Some(Arc::clone(&site.funnel)),
        policy: Some(site.policy.clone()),
    })
}
