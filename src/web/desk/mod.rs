//! The desk: the operator's web interface, on a separate listener (`docs/behaviour.md`, "The desk"). It shows what commands print
//! as JSON, acts through the same calls, and stores nothing itself.

mod actions;
mod answer;
mod inbox;
mod inquiry;
mod pages;
mod session;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use tokio::sync::Semaphore;

use crate::base::text::origin::Origin;
use crate::config::args::ServeArgs;
use crate::config::settings::SiteSettings;
use crate::domain::matching::Firm;
use crate::domain::referral::HandlingPolicy;
use crate::operate::Operations;
use crate::site::http::response::Body;
use crate::site::private_path::DESK_LOGIN;
use crate::store::Store;
use crate::web::api_error::ApiError;
use crate::web::posted::{self, Fields};
use crate::web::{App, Handler, RequestContext};
use answer::{CHANGED, known};

/// Fonts and icons, shared with the site.
const FILES: [&str; 2] = ["/assets/", "/favicon."];

/// Pages rendered at once. Some read every inquiry and must not take the processors from visitors.
const MAX_PAGES: usize = 4;

/// Permits to render a page.
static PAGES: Semaphore = Semaphore::const_new(MAX_PAGES);

/// A server's desk with its configuration.
#[derive(Debug)]
pub struct Desk {
    /// The store and the server's other state.
    pub operations: Operations,
    /// The server's flags.
    pub args: ServeArgs,
    /// The server's configuration file, which may change.
    pub file: Option<PathBuf>,
    /// The operator's settings.
    pub settings: SiteSettings,
    /// The public address of the site.
    pub public: Origin,
}

/// The context of a request.
#[derive(Clone)]
struct Work {
    app: Arc<App>,
    desk: Arc<Desk>,
    policy: Arc<HandlingPolicy>,
}

impl Work {
    fn operations(&self) -> &Operations {
        &self.desk.operations
    }

    fn store(&self) -> &Arc<Store> {
        &self.desk.operations.store
    }

    fn firms(&self) -> &[Firm] {
        &self.policy.firms
    }

    /// Whether the operator can be mailed a login link.
    fn can_mail_link(&self) -> bool {
        self.policy.operator_mailboxes > 0
    }

    /// The name of the firm with this id, or the id itself if no firm has it.
    fn name_of<'a>(&'a self, id: &'a str) -> &'a str {
        let id = id.strip_prefix("firm:").unwrap_or(id);
        let found = self.firms().iter().find(|firm| firm.id.as_str() == id);
        found.map_or(id, |firm| firm.name.as_str())
    }
}

impl Handler for Desk {
    fn respond(self: Arc<Self>, request: RequestContext<'_>) -> BoxFuture<'_, Response<Body>> {
        Box::pin(async move {
            let (app, path) = (request.app, request.parts.uri.path());
            let work = Work {
                app: Arc::clone(app),
                desk: self,
                policy: app.policy(),
            };
            let answer = answer(&work, request).await;
            answer.unwrap_or_else(|error| work.refused(path, &error))
        })
    }
}

async fn answer(work: &Work, request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, parts) = (request.app, request.parts);
    if !session::is_for_desk(app, parts) {
        return Err(known(StatusCode::MISDIRECTED_REQUEST, "wrong_host"));
    }
    let path = parts.uri.path();
    let route = segments(path).ok_or_else(ApiError::not_found)?;
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    if is_read && !session::is_from_desk(parts, &route) {
        return Err(ApiError::cross_site());
    }
    if is_read && FILES.iter().any(|files| path.starts_with(files)) {
        return file(work, parts).await;
    }
    // Always read the body first: a client that is still sending could miss an earlier response.
    let form = match parts.method {
        _ if is_read => None,
        Method::POST => Some(posted::form(app, parts, request.body.read().await)),
        _ => return Err(ApiError::method_not_allowed("GET, HEAD, POST")),
    };
    let form = form.transpose().map_err(|_| ApiError::cross_site())?;
    if let Some(code) = path.strip_prefix(DESK_LOGIN) {
        return match form {
            None => Ok(session::ask(work, code)),
            Some(form) => session::begin(work, &request, code, &Fields::of(&form)).await,
        };
    }
    if route == session::MAILED_LINK {
        return session::mail_link(work, form.is_some()).await;
    }
    let mut session = None;
    for known_by in session::of(app, parts) {
        if work.store().has_desk_session(known_by).await? {
            session = Some(known_by);
            break;
        }
    }
    let session = session.ok_or_else(|| session::missing(parts))?;
    if form.is_some() && route == session::LOGOUT {
        return session::end(work, session).await;
    }
    let (work, path) = (work.clone(), path.to_owned());
    let query = Fields::of_query(parts);
    // Never closed. Held until the page is done, even if the client is gone.
    let permit = PAGES.acquire().await;
    // Spawned so that an action completes even if the client disconnects, and a panic becomes an error page.
    let working = tokio::spawn(async move {
        let _permit = permit;
        let route = segments(&path).ok_or_else(ApiError::not_found)?;
        let Some(form) = form else {
            return pages::show(&work, &route, &query).await;
        };
        match actions::act(&work, &route, &Fields::of(&form)).await {
            Err(error) if error.body().code == CHANGED => show_changed(&work, &path).await,
            acted => acted,
        }
    });
    working.await.unwrap_or_else(|_| Err(ApiError::broken()))
}

async fn file(work: &Work, parts: &Parts) -> Result<Response<Body>, ApiError> {
    let site = work.app.site();
    let found = site.find_named(parts.uri.path());
    let (_, file) = found
        .filter(|(_, file)| !file.is_page())
        .ok_or_else(ApiError::not_found)?;
    Ok(file.respond(&parts.headers).await)
}

/// Shows what has changed since the operator read it, on the page from which the action at `path` was sent.
async fn show_changed(work: &Work, path: &str) -> Result<Response<Body>, ApiError> {
    let address = answer::back(path);
    let (page, query) = address.split_once('?').unwrap_or((&address, ""));
    let query = Fields::of(format!("{query}&notice=changed").as_bytes());
    let route = segments(page).ok_or_else(ApiError::not_found)?;
    let mut shown = pages::show(work, &route, &query).await?;
    *shown.status_mut() = StatusCode::CONFLICT;
    Ok(shown)
}

/// Splits a path into its segments. `None` if one is empty, so that each page has a single path for checks to compare.
fn segments(path: &str) -> Option<Vec<&str>> {
    let rest = path.strip_prefix('/')?;
    let segments: Vec<_> = rest.split('/').collect();
    (rest.is_empty() || !segments.contains(&"")).then_some(segments)
}

/// Parses a path segment. Without a valid one, there is no page or action.
fn parsed<T: FromStr>(segment: &str) -> Result<T, ApiError> {
    segment.parse().map_err(|_| ApiError::not_found())
}
