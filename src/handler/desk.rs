//! What the operator's desk is to the server: something else that answers, on a listener of its own.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use hyper::Response;
use hyper::http::request::Parts;

use super::app::App;
use super::body::RequestBody;
use crate::cli::ServeArgs;
use crate::config::settings::SiteSettings;
use crate::funnel::Funnel;
use crate::http::response::Body;
use crate::store::Store;
use crate::text::origin::Origin;

/// What answers in the place of the site.
pub trait Desk: fmt::Debug + Send + Sync {
    /// Answers one request from `peer`.
    fn respond<'a>(
        &'a self,
        app: &'a App,
        peer: IpAddr,
        parts: &'a Parts,
        body: &'a mut RequestBody,
    ) -> Pin<Box<dyn Future<Output = Response<Body>> + Send + 'a>>;
}

/// What a desk is made from.
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
