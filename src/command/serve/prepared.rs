//! What answers visitors, made from the configuration and from what is open.

use std::num::NonZeroU32;
use std::sync::Arc;

use tokio::sync::watch;

use super::{Opened, ServeError};
use crate::command::tls::StartedTls;
use crate::common_limit::CommonLimit;
use crate::config::{Config, StorageMode};
use crate::daily_share::DailyShare;
use crate::following::Followers;
use crate::handler::{App, PassingOn};
use crate::headers::SecurityHeaders;
use crate::origin::Origin;
use crate::rate_limit::RateLimit;
use crate::site::Site;
use crate::site_source::SiteSource;
use crate::store::Shared;
use crate::templates::Templates;

/// How many changes by forms of private pages a client may make for each inquiry that it may send: a firm that comes back
/// from a holiday answers many in a row.
const CHANGES: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// What the site's script may tell of one client's visits in a minute. A visitor who rushes through the questionnaire tells of
/// less than 30 steps and pages; that leaves room for ten who do so behind one address.
const BEACONS: NonZeroU32 = NonZeroU32::new(300).unwrap();

/// Everything that answers visitors.
pub struct Prepared {
    /// What handles requests.
    pub app: Arc<App>,
    /// What follows a new configuration.
    pub followers: Followers,
}

impl Prepared {
    /// Tells the store whom to ask, and makes the site.
    ///
    /// # Errors
    /// When the store does not answer, or what is embedded is broken.
    pub fn new(config: &Config, opened: &Opened) -> Result<Self, ServeError> {
        let plan = Arc::new(config.handling.plan());
        if let Some(store) = &opened.store {
            let followed = store.follow(Arc::clone(&plan));
            followed.map_err(|_| ServeError::StoreStalled)?;
        }
        let (plan, planned) = watch::channel(plan);
        let source = site_source(config, opened.origin(config)?);
        let site = source.make(&source.promises(&config.handling))?;
        let (site, made) = watch::channel(Arc::new(site));
        let tls = opened.tls.as_ref();
        let app = App {
            store: opened.store.clone(),
            plan: planned,
            https: tls
                .zip(opened.listening.first_tls())
                .map(|(tls, address)| tls.redirect(config.public_url.as_ref(), address)),
            challenges: tls.map(StartedTls::challenges).unwrap_or_default(),
            ..limited(config, &source, made, opened.shared().as_ref())?
        };
        Ok(Self {
            app: Arc::new(app),
            followers: Followers {
                store: opened.store.clone(),
                plan,
                site,
                source,
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

/// Makes what answers requests, with the limits of the configuration.
fn limited(
    config: &Config,
    source: &SiteSource,
    site: watch::Receiver<Arc<Site>>,
    shared: Option<&Shared>,
) -> Result<App, ServeError> {
    let templates = Templates::new(&config.settings, &source.origin)?;
    let limit = |name, times: NonZeroU32| {
        let common =
            |inquiries: NonZeroU32| CommonLimit::new(name, inquiries.saturating_mul(times), shared.cloned());
        config.rate_limit.map(common)
    };
    Ok(App {
        rate_limit: limit("inquiries", NonZeroU32::MIN),
        passing_on: config.rate_limit.map(|_| PassingOn::new(shared.cloned())),
        newsletter_limit: limit("newsletter", NonZeroU32::MIN),
        daily_share: config.rate_limit.map(|_| DailyShare::default()),
        token_limit: config.rate_limit.map(RateLimit::new),
        change_limit: limit("changes", CHANGES),
        beacon_limit: config.rate_limit.map(|_| RateLimit::new(BEACONS)),
        trusted_proxies: config.trusted_proxies.clone(),
        access_log: config.access_log,
        ..App::new(
            site,
            templates,
            source.security_headers.clone(),
            source.origin.clone(),
        )
    })
}
