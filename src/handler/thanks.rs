//! The thank-you page of an inquiry that was sent without JavaScript: the address names it, so that the page can link to the
//! private one.

use std::borrow::Cow;
use std::net::IpAddr;

use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use uuid::Uuid;

use super::app::App;
use super::{counting, page};
use crate::http::response::Body;
use crate::inquiry::reference;
use crate::limits::client_ip::ClientNetwork;
use crate::site::{PageData, ThanksData};
use crate::text::private_path::PrivatePath;

/// The thank-you page.
pub const PATH: &str = "/danke";

/// The parameter with the token of a private page.
const INQUIRY: &str = "anfrage";

/// Returns the address of the thank-you page for a stored inquiry; without a store there is no private page to link to.
pub fn address(app: &App, id: Uuid) -> String {
    let token = app.store.as_ref().map(|store| store.secret().visitor_token(id));
    token.map_or_else(|| PATH.to_owned(), |token| format!("{PATH}?{INQUIRY}={token}"))
}

/// Shows the page. A token that is not genuine is like none.
pub async fn respond(app: &App, peer: IpAddr, parts: &Parts) -> Response<Body> {
    let client = app.client(peer, &parts.headers);
    let Some((token, id)) = inquiry(app, client, parts) else {
        return page(app, parts).await.1;
    };
    let data = PageData {
        thanks: ThanksData {
            link: Some(PrivatePath::Visitor(&token).path()),
            reference: Some(reference(id)),
        },
        ..PageData::default()
    };
    let site = app.site();
    let page = site.filled(PATH, StatusCode::OK, data, &parts.headers);
    let response = app.made_page(client, page).await;
    counting::page(app, parts, PATH, response.status());
    response
}

/// Returns the inquiry that the address names. Wrong tokens are counted with those of private pages.
fn inquiry<'a>(app: &App, client: ClientNetwork, parts: &'a Parts) -> Option<(Cow<'a, str>, Uuid)> {
    let mut query = form_urlencoded::parse(parts.uri.query()?.as_bytes());
    let (_, token) = query.find(|(name, _)| name == INQUIRY)?;
    let id = app.store.as_ref()?.secret().visitor_inquiry(&token);
    if id.is_none()
        && let Some(limit) = &app.token_limit
    {
        // Dropped at once: the guess stays counted.
        let _ = limit.reserve(client);
    }
    Some((token, id?))
}
