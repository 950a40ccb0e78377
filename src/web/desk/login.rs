//! Logging in with a code of `taubenabwehr desk`, and out again.

use hyper::StatusCode;
use hyper::http::request::Parts;
use serde_json::json;

use super::answer::{Answer, Problem};
use super::session;
use crate::site::private_path::DESK_LOGIN;
use crate::site::templates::DeskPage;
use crate::store::Store;
use crate::web::App;

/// Asks for a press of the button: a program that looks at links in advance must not use up the code.
pub fn ask(code: &str) -> Answer {
    // Whatever was sent stands in the page as text.
    let data = json!({ "action": format!("{DESK_LOGIN}{code}") });
    Answer::Page(StatusCode::OK, DeskPage::Login, data)
}

/// Begins a session.
pub async fn begin(app: &App, store: &Store, code: &str, parts: &Parts) -> Result<Answer, Problem> {
    let session = store.begin_desk_session(code).await?.ok_or(Problem::WrongCode)?;
    tracing::info!("somebody has logged in at the desk");
    Ok(Answer::Cookies(vec![session::begun(app, parts, &session)]))
}

/// Ends a session.
pub async fn end(store: &Store, session: &str) -> Result<Answer, Problem> {
    store.end_desk_session(session).await?;
    tracing::info!("somebody has logged out at the desk");
    Ok(Answer::Cookies(session::ended().into()))
}
