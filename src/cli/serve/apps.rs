//! What answers requests, built from the configuration and from what is open.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::watch;

use super::listening::Listening;
use super::tls::StartedTls;
use crate::base::text::berlin;
use crate::base::text::origin::Origin;
use crate::cli::CliError;
use crate::config::args::ServeArgs;
use crate::config::{Config, DeskUsage, StorageMode};
use crate::operate::Operations;
use crate::server::Listener;
use crate::site::SiteSource;
use crate::site::http::headers::SecurityHeaders;
use crate::site::reload::{Followers, SiteKeeper};
use crate::site::templates::Templates;
use crate::store::Store;
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

/// Tells the store whom to ask, and builds what answers visitors, and what applies a new configuration to it. `own` is the address
/// of the site unless the configuration has one.
///
/// # Errors
/// When the store does not answer, or what is embedded is broken.
pub fn site(
    config: &Config,
    own: Origin,
    listening: &Listening,
    tls: Option<&StartedTls>,
    store: Option<&Arc<Store>>,
) -> Result<(App, Followers), CliError> {
    let policy = Arc::new(config.handling.policy());
    if let Some(store) = store {
        let followed = store.set_policy(Arc::clone(&policy));
        followed.map_err(|_| "the store could not be read in time; check the disk of the data directory")?;
    }
    let (policy, planned) = watch::channel(policy);
    let source = site_source(config, own);
    let today = berlin::day(Timestamp::now());
    let templates = Templates::new(&config.settings, &source.origin)?;
    let promises = source.promises(&config.handling, today);
    let site = Arc::new(SiteKeeper::new(source, promises, store.cloned())?);
    let templates = templates
        .told_of_reviews(site.has_reviews())
        .told_of_vetting(site.vetted());
    let app = App {
        store: store.cloned(),
        policy: planned,
        https: tls
            .zip(listening.first_tls())
            .map(|(tls, address)| tls.redirect(config.public_url.as_ref(), address)),
        challenges: tls.map(|tls| tls.resolver.challenges.clone()).unwrap_or_default(),
        ..limited(config, Arc::clone(&site), templates)
    };
    let store = store.cloned();
    Ok((app, Followers { store, policy, site }))
}

fn site_source(config: &Config, own: Origin) -> SiteSource {
    let origin = config.public_url.clone().unwrap_or(own);
    SiteSource {
        settings: config.settings.clone(),
        security_headers: SecurityHeaders::new(&config.settings, origin.as_str()),
        is_demo: config.storage == StorageMode::Demo,
        origin,
    }
}

/// Builds what answers requests, with the limits of the configuration.
fn limited(config: &Config, site: Arc<SiteKeeper>, templates: Templates) -> App {
    let source = site.source();
    let (security_headers, origin) = (source.security_headers.clone(), source.origin.clone());
    let inquiries = config.rate_limit;
    let per_minute = |most| RateLimit::new(MINUTE, most);
    // One flag switches all of them off.
    let per_day = |most| RateLimit::new(DAY, inquiries.and(Some(most)));
    App {
        rate_limit: per_minute(inquiries),
        // How many it is follows from the configuration of matching, which may change.
        passing_on: per_day(NonZeroU32::MIN),
        newsletter_limit: per_minute(inquiries),
        daily_share: per_day(MAILS),
        photo_share: per_day(PHOTOS),
        token_limit: per_minute(inquiries),
        change_limit: per_minute(inquiries.map(|most| most.saturating_mul(CHANGES))),
        beacon_limit: per_minute(inquiries.and(Some(BEACONS))),
        trusted_proxies: config.trusted_proxies.clone(),
        access_log: config.access_log,
        ..App::new(site, templates, security_headers, origin)
    }
}

/// By what the desk checks the configuration: the flags, and the configuration file, which may change.
pub type DeskSource = (ServeArgs, Option<PathBuf>);

/// Builds what answers on the desk's listener; `site` is what answers visitors.
///
/// # Errors
/// Where nothing is stored.
pub fn desk(
    (args, file): DeskSource,
    config: &Config,
    listener: Option<&Listener>,
    site: &App,
) -> Result<App, CliError> {
    let (Some(listener), Some(operations)) = (listener, operations(site)) else {
        return Err(DeskUsage::Demo.to_string().into());
    };
    let origin = match &config.desk_url {
        Some(origin) => origin.clone(),
        None => crate::cli::desk::origin(listener.address()),
    };
    let desk = Desk {
        operations,
        args,
        file,
        settings: config.settings.clone(),
        public: site.origin.clone(),
    };
    let headers = SecurityHeaders::new(&config.settings, origin.as_str());
    let (keeper, templates) = (Arc::clone(&site.site), Arc::clone(&site.templates));
    Ok(App {
        handler: Some(Arc::new(desk)),
        // Login codes need their own limit, also where the site does not limit visitors.
        token_limit: RateLimit::new(MINUTE, CODES),
        trusted_proxies: config.trusted_proxies.clone(),
        access_log: config.access_log,
        metrics: Arc::clone(&site.metrics),
        policy: site.policy.clone(),
        ..App::new(keeper, templates, headers, origin)
    })
}

/// Returns what operators do with the store of the site, unless nothing is stored.
pub fn operations(site: &App) -> Option<Operations> {
    Some(Operations {
        store: Arc::clone(site.store.as_ref()?),
        funnel: Some(Arc::clone(&site.funnel)),
        policy: Some(site.policy.clone()),
    })
}
