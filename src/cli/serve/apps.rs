//! What answers requests, built from the configuration and from what is open.

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

/// How many changes by forms of private pages a client may make for each inquiry that it may send: a firm that comes back
/// from a holiday answers many in a row.
const CHANGES: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// How many steps and pages the site's script may report for one client in a minute. A visitor who rushes through the questionnaire
/// causes fewer than 30 reports; that leaves room for ten such visitors behind one address.
const BEACONS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// How many wrong codes of the desk a client may try in a minute: an operator mistypes one or two.
const CODES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Inquiries and requests for the newsletter of one network within a day. Each may have a mail sent to another address, and the
/// store knows 200,000 of those (`domain/referral/confirmation_quota.rs`): this is a hundredth, so that one network leaves room for all
/// others. A company, or the customers who share an address, send fewer inquiries about pigeons than that.
const MAILS: NonZeroU32 = NonZeroU32::new(2_000).unwrap();

/// Photos of one network within a day: those of 60 inquiries, which take some 130 MB. So no network fills a disk in a month, and
/// with as many as a crowd of robots has, `doctor` says in time that the room ends.
const PHOTOS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// Tells the store whom to ask, and builds what answers visitors.
///
/// # Errors
/// When the store does not answer, or what is embedded is broken.
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
    let headers = SecurityHeaders::new(&config.settings, origin.as_str());
    let source = SiteSource {
        settings: config.settings.clone(),
        security_headers: headers.clone(),
        is_demo: config.flags.demo,
        origin: origin.clone(),
    };
    let site = SiteKeeper::new(source, &config.handling, store.cloned())?;
    let inquiries = NonZeroU32::new(config.flags.rate_limit);
    let a_minute = |most| RateLimit::new(MINUTE, most);
    // One flag switches all of them off.
    let a_day = |most| RateLimit::new(DAY, inquiries.and(Some(most)));
    Ok(App {
        store: store.cloned(),
        https: tls
            .zip(listening.first_tls())
            .map(|(tls, address)| tls.redirect(config.flags.public_url.as_ref(), address)),
        challenges: tls.map(|tls| tls.resolver.challenges.clone()).unwrap_or_default(),
        rate_limit: a_minute(inquiries),
        // How many it is follows from the configuration of matching, which may change.
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

/// Builds what answers on the desk's listener, if there is one; `site` is what answers visitors.
pub fn desk(config: &Config, listening: &Listening, site: &App) -> Option<App> {
    let listener = listening.desk.as_ref()?;
    let own = || crate::cli::desk::origin(listener.address);
    let origin = config.flags.desk_url.clone().unwrap_or_else(own);
    let desk = Desk {
        operations: operations(site)?,
        args: config.flags.clone(),
        file: config.file.as_ref().map(|file| file.path.clone()),
        settings: config.settings.clone(),
        public: site.origin.clone(),
    };
    let headers = SecurityHeaders::new(&config.settings, origin.as_str());
    Some(App {
        handler: Some(Arc::new(desk)),
        // Login codes need their own limit, also where the site does not limit visitors.
        token_limit: RateLimit::new(MINUTE, CODES),
        trusted_proxies: config.flags.trusted_proxy.clone(),
        access_log: config.flags.access_log,
        metrics: Arc::clone(&site.metrics),
        ..App::new(Arc::clone(&site.site), headers, origin)
    })
}

/// Builds what answers the operator's monitoring.
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

/// Returns what operators do with the store of the site, unless nothing is stored.
pub fn operations(site: &App) -> Option<Operations> {
    Some(Operations {
        store: Arc::clone(site.store.as_ref()?),
        funnel: Some(Arc::clone(&site.funnel)),
        policy: Some(site.policy.clone()),
    })
}
