//! What answers visitors, built from the configuration and from what is open.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::watch;

use super::tls::StartedTls;
use super::{OpenDesk, Opened};
use crate::base::text::berlin;
use crate::base::text::origin::Origin;
use crate::cli::Failure;
use crate::config::args::ServeArgs;
use crate::config::{Config, DeskUsage, StorageMode};
use crate::site::SiteSource;
use crate::site::http::headers::SecurityHeaders;
use crate::site::reload::{Followers, SiteKeeper};
use crate::site::templates::Templates;
use crate::web::limits::rate_limit::{DAY, MINUTE, RateLimit};
use crate::web::{App, DeskSetup, PassingOn};

/// How many changes by forms of private pages a client may make for each inquiry that it may send: a firm that comes back
/// from a holiday answers many in a row.
const CHANGES: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// How many steps and pages the site's script may report for one client in a minute. A visitor who rushes through the questionnaire
/// causes fewer than 30 reports; that leaves room for ten such visitors behind one address.
const BEACONS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// How many wrong codes of the desk a client may try in a minute: an operator mistypes one or two.
const CODES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Inquiries and requests for the newsletter of one network within a day. Each may have a mail sent to another address, and the
/// store knows 200,000 of those (`store/confirmation.rs`): this is a hundredth, so that one network leaves room for all
/// others. A company, or the customers who share an address, do not send so many inquiries about pigeons.
const MAILS: NonZeroU32 = NonZeroU32::new(2_000).unwrap();

/// Photos of one network within a day: those of 60 inquiries, which take some 130 MB. So no network fills a disk in a month, and
/// with as many as a crowd of robots has, `doctor` says in time that the room ends.
const PHOTOS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// Everything that answers visitors.
pub struct Prepared {
    /// What handles requests.
    pub app: Arc<App>,
    /// The same for the operator's desk, on a listener of its own.
    pub desk: Option<Arc<App>>,
    /// What applies a new configuration.
    pub followers: Followers,
}

impl Prepared {
    /// Tells the store whom to ask, and builds the site.
    ///
    /// # Errors
    /// When the store does not answer, or what is embedded is broken.
    pub fn new(config: &Config, opened: &Opened, desk: Option<DeskSource>) -> Result<Self, Failure> {
        let policy = Arc::new(config.handling.policy());
        if let Some(store) = &opened.store {
            let followed = store.set_policy(Arc::clone(&policy));
            followed
                .map_err(|_| "the store could not be read in time; check the disk of the data directory")?;
        }
        let (policy, planned) = watch::channel(policy);
        let source = site_source(config, opened.origin(config)?);
        let today = berlin::day(Timestamp::now());
        let templates = Templates::new(&config.settings, &source.origin)?;
        let promises = source.promises(&config.handling, today);
        let site = Arc::new(SiteKeeper::new(source, promises, opened.store.clone())?);
        let templates = templates
            .told_of_reviews(site.has_reviews())
            .told_of_vetting(site.vetted());
        let tls = opened.tls.as_ref();
        let app = App {
            store: opened.store.clone(),
            policy: planned.clone(),
            https: tls
                .zip(opened.listening.first_tls())
                .map(|(tls, address)| tls.redirect(config.public_url.as_ref(), address)),
            challenges: tls.map(StartedTls::challenges).unwrap_or_default(),
            ..limited(config, Arc::clone(&site), templates)
        };
        let desk = desk.map(|desk| desk.app(config, opened, &app)).transpose()?;
        Ok(Self {
            app: Arc::new(app),
            desk: desk.map(Arc::new),
            followers: Followers {
                store: opened.store.clone(),
                policy,
                site,
            },
        })
    }
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

fn per_minute(most: NonZeroU32) -> RateLimit {
    RateLimit::new(MINUTE, most)
}

/// Builds what answers requests, with the limits of the configuration.
fn limited(config: &Config, site: Arc<SiteKeeper>, templates: Templates) -> App {
    let source = site.source();
    let (security_headers, origin) = (source.security_headers.clone(), source.origin.clone());
    let limit = || config.rate_limit.map(per_minute);
    let changes = config
        .rate_limit
        .map(|inquiries| inquiries.saturating_mul(CHANGES));
    App {
        rate_limit: limit(),
        passing_on: config.rate_limit.map(|_| PassingOn::default()),
        newsletter_limit: limit(),
        daily_share: config.rate_limit.map(|_| RateLimit::new(DAY, MAILS)),
        photo_share: config.rate_limit.map(|_| RateLimit::new(DAY, PHOTOS)),
        token_limit: limit(),
        change_limit: changes.map(per_minute),
        beacon_limit: config.rate_limit.map(|_| per_minute(BEACONS)),
        trusted_proxies: config.trusted_proxies.clone(),
        access_log: config.access_log,
        ..App::new(site, templates, security_headers, origin)
    }
}

/// What the desk is made from.
pub struct DeskSource {
    /// The flags, by which the configuration is checked.
    pub args: ServeArgs,
    /// The configuration file, which may change.
    pub file: Option<PathBuf>,
    /// Makes it.
    pub open: OpenDesk,
}

impl DeskSource {
    /// Builds what answers on the desk's listener; `site` is what answers visitors. `None` where nothing is stored.
    fn app(self, config: &Config, opened: &Opened, site: &App) -> Result<App, Failure> {
        let listener = opened.listening.desk.first();
        let (Some(listener), Some(store)) = (listener, &opened.store) else {
            return Err(DeskUsage::Demo.to_string().into());
        };
        let origin = match &config.desk_url {
            Some(origin) => origin.clone(),
            None => super::super::desk::origin(listener.address()),
        };
        let desk = (self.open)(DeskSetup {
            store: Arc::clone(store),
            funnel: Arc::clone(&site.funnel),
            args: self.args,
            file: self.file,
            settings: config.settings.clone(),
            public: site.origin.clone(),
        });
        let headers = SecurityHeaders::new(&config.settings, origin.as_str());
        Ok(App {
            handler: Some(desk),
            // Whoever listens on the desk may try codes, whatever the site lets visitors do.
            token_limit: Some(per_minute(CODES)),
            trusted_proxies: config.trusted_proxies.clone(),
            access_log: config.access_log,
            metrics: Arc::clone(&site.metrics),
            policy: site.policy.clone(),
            ..App::new(
                Arc::clone(&site.site),
                Arc::clone(&site.templates),
                headers,
                origin,
            )
        })
    }
}
