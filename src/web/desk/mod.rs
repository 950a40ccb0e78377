//! The desk: the operator's page in the browser, on a listener of its own (`docs/behaviour.md`, "The desk"). What it shows is what
//! commands print as JSON, and what it does they do by the same code; it keeps nothing itself.

mod actions;
mod answer;
mod fetched;
mod host;
mod inbox;
mod inquiry;
mod login;
mod pages;
mod query;
mod reasons;
mod reviews;
mod session;

use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::domain::commission::Percent;
use crate::domain::matching::Firm;
use crate::operate::OwnStore;
use crate::site::http::response::Body;
use crate::site::private_path::DESK_LOGIN;
use crate::site::templates::DeskPage;
use crate::web::body::RequestBody;
use crate::web::{App, DeskSetup, Handler, posted};
use answer::{Answer, Problem};
use query::Query;

/// Fonts and icons, which the site has, too.
const FILES: [&str; 2] = ["/assets/", "/favicon."];

/// Pages made at once. Some read every inquiry, and none is to take the processors from visitors.
const MAX_PAGES: usize = 4;

/// The desk of a server.
struct OperatorDesk {
    setup: Arc<DeskSetup>,
    pages: Arc<Semaphore>,
}

/// Opens the desk of a server.
pub fn open(setup: DeskSetup) -> Arc<dyn Handler> {
    Arc::new(OperatorDesk {
        setup: Arc::new(setup),
        pages: Arc::new(Semaphore::new(MAX_PAGES)),
    })
}

/// What a page or an action works on, on a thread that may wait.
struct Work {
    setup: Arc<DeskSetup>,
    store: OwnStore,
    firms: Arc<[Firm]>,
    /// The rate of value added tax by which the server works.
    vat: Percent,
}

impl Work {
    /// Returns the name of the firm with this id, or the text itself if no firm has it.
    fn name_of<'a>(&'a self, id: &'a str) -> &'a str {
        let id = id.strip_prefix("firm:").unwrap_or(id);
        let found = self.firms.iter().find(|firm| firm.id.as_str() == id);
        found.map_or(id, |firm| firm.name.as_str())
    }
}

impl Handler for OperatorDesk {
    fn respond<'a>(
        &'a self,
        app: &'a App,
        peer: IpAddr,
        parts: &'a Parts,
        body: &'a mut RequestBody,
    ) -> Pin<Box<dyn Future<Output = Response<Body>> + Send + 'a>> {
        Box::pin(async move {
            let answered = self.answer(app, parts, body).await;
            answer::response(app, app.client(peer, &parts.headers), answered)
        })
    }
}

impl OperatorDesk {
    async fn answer(&self, app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Answer, Problem> {
        if !host::is_allowed(app, parts) {
            return Err(Problem::WrongHost);
        }
        let path = parts.uri.path();
        let route = segments(path).ok_or(Problem::Missing)?;
        let is_read = matches!(parts.method, Method::GET | Method::HEAD);
        if is_read && !fetched::is_allowed(parts, &route) {
            return Err(Problem::Refused);
        }
        if is_read && FILES.iter().any(|files| path.starts_with(files)) {
            return file(app, parts).await;
        }
        // A body is always read first: a client that is still sending could miss an earlier response.
        let form = match parts.method {
            _ if is_read => None,
            Method::POST => Some(
                posted::form(app, parts, body)
                    .await
                    .map_err(|_| Problem::Refused)?,
            ),
            _ => return Err(Problem::Method),
        };
        let store = &self.setup.store;
        if let Some(code) = path.strip_prefix(DESK_LOGIN) {
            return match form {
                None => Ok(login::ask(code)),
                Some(_) => login::begin(app, store, code, parts).await,
            };
        }
        let mut session = None;
        for known_by in session::of(app, parts) {
            if store.has_desk_session(known_by).await? {
                session = Some(known_by);
                break;
            }
        }
        let session = session.ok_or(Problem::LoggedOut)?;
        if form.is_some() && route == session::LOGOUT {
            return login::end(store, session).await;
        }
        // The report shows what was counted up to now.
        if route == pages::REPORT {
            self.setup.funnel.flush(store).await;
        }
        let policy = app.policy();
        let work = Work {
            setup: Arc::clone(&self.setup),
            store: OwnStore {
                store: Arc::clone(store),
                runtime: Handle::current(),
            },
            firms: Arc::clone(&policy.firms),
            vat: policy.vat,
        };
        let path = path.to_owned();
        let query = Query::of(parts.uri.query().unwrap_or_default().as_bytes());
        // Never closed. Held until the page is made, even if nobody waits for it any more.
        let place = Arc::clone(&self.pages).acquire_owned().await;
        let working = spawn_blocking(move || {
            let _place = place;
            let route = segments(&path).ok_or(Problem::Missing)?;
            match form {
                None => pages::show(&work, &route, &query),
                Some(form) => actions::act(&work, &route, &Query::of(&form)),
            }
        });
        // A page that panics is one that cannot be made.
        working.await.unwrap_or(Err(Problem::Broken))
    }
}

async fn file(app: &App, parts: &Parts) -> Result<Answer, Problem> {
    let site = app.site();
    let (_, file) = site.find_named(parts.uri.path()).ok_or(Problem::Missing)?;
    if file.is_page() {
        return Err(Problem::Missing);
    }
    Ok(Answer::Made(file.respond(&parts.headers).await))
}

impl fmt::Debug for OperatorDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorDesk").finish_non_exhaustive()
    }
}

/// Splits a path into its segments; `None` if one of them is empty: each page has one address, by which guards know it.
fn segments(path: &str) -> Option<Vec<&str>> {
    let rest = path.strip_prefix('/')?;
    let segments: Vec<_> = rest.split('/').collect();
    (rest.is_empty() || !segments.contains(&"")).then_some(segments)
}

/// Answers a page.
fn page(kind: DeskPage, data: Value) -> Answer {
    Answer::Page(StatusCode::OK, kind, data)
}

/// Sends the browser on, so that loading the page again repeats nothing.
fn see(path: impl Into<String>) -> Answer {
    Answer::Redirect(StatusCode::SEE_OTHER, path.into())
}
