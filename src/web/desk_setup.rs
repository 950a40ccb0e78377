//! What the operator's desk is made from.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::text::origin::Origin;
use crate::config::args::ServeArgs;
use crate::config::settings::SiteSettings;
use crate::operate::funnel::Funnel;
use crate::store::Store;

/// What it shows, and by what it is configured.
#[derive(Debug)]
pub struct DeskSetup {
    /// What it shows and changes.
    pub store: Arc<Store>,
    /// What is counted and not in the store yet.
    pub funnel: Arc<Funnel>,
    /// The flags of the server.
    pub args: ServeArgs,
    /// Its configuration file, which may change.
    pub file: Option<PathBuf>,
    /// The operator's settings.
    pub settings: SiteSettings,
    /// Where visitors reach the site.
    pub public: Origin,
}
