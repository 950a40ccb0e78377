//! The thank-you page. For an inquiry sent without JavaScript, the address contains its token, so that the page can link to the
//! private one. The questionnaire's script passes only what the page should show.

use std::sync::Arc;

use hyper::{Response, StatusCode};
use uuid::Uuid;

use super::app::{App, RequestContext};
use super::posted::Fields;
use super::{counting, page};
use crate::domain::inquiry::reference;
use crate::domain::matching::FirmRotation;
use crate::domain::referral::Status;
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::{PageData, ThanksData};
use crate::store::{Store, Unavailable};
use crate::web::limits::client_ip::ClientNetwork;

/// Path of the thank-you page.
pub const PATH: &str = "/danke";

/// Query parameter with the token of a private page.
const INQUIRY: &str = "anfrage";

/// Query parameters that the questionnaire's script adds for a stored inquiry, and for one about which firms were asked
/// (`ui/src/questionnaire/thanks.ts`).
const STORED: (&str, &str) = ("status", "stored");
const FIRMS_ASKED: (&str, &str) = ("firms", "asked");

/// The address of the thank-you page for a stored inquiry. Without a store there is no private page to link to.
pub fn address(app: &App, id: Uuid) -> String {
    let token = app.store.as_ref().map(|store| store.secret().visitor_token(id));
    token.map_or_else(|| PATH.to_owned(), |token| format!("{PATH}?{INQUIRY}={token}"))
}

/// Shows the page. A token that is not genuine is ignored.
pub async fn respond(request: RequestContext<'_>) -> Response<Body> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    let query = Fields::of_query(parts);
    let thanks = if let Some((store, token, id)) = inquiry(app, client, &query) {
        ThanksData {
            link: Some(PrivatePath::Visitor(token).path()),
            reference: Some(reference(id)),
            is_stored: true,
            // Promise nothing while the store cannot be read.
            firms_asked: firms_asked(app, store, id).await.unwrap_or_default(),
        }
    } else {
        ThanksData {
            is_stored: query.has(STORED),
            firms_asked: query.has(FIRMS_ASKED),
            ..ThanksData::default()
        }
    };
    if !thanks.is_stored {
        return page(app, parts).await.1;
    }
    let data = PageData {
        thanks,
        ..PageData::default()
    };
    let site = app.site();
    let page = site.filled(PATH, StatusCode::OK, data, &parts.headers);
    let response = app.made_in(&app.made_pages, client, page).await;
    counting::page(app, parts, PATH, response.status());
    response
}

/// Whether firms were asked about an inquiry. If it is held back, whether they would have been: neither page nor response reveals
/// to a robot that it was recognised.
///
/// # Errors
/// When the store cannot be read.
pub async fn firms_asked(app: &App, store: &Store, id: Uuid) -> Result<bool, Unavailable> {
    let firms = Arc::clone(&app.policy().firms);
    if firms.is_empty() {
        return Ok(false);
    }
    let Some(record) = store.record(id).await? else {
        return Ok(false);
    };
    match (record.referral.status, &record.inquiry) {
        (Status::Quarantined(_), Some(inquiry)) => {
            let mut rotation = FirmRotation::new(firms, store.asks().await?);
            let facts = store.facts().await?;
            rotation.paused = facts.paused;
            rotation.unreachable = facts.unreachable;
            Ok(!rotation.preview(&inquiry.answers, &[], 1, store.now()).is_empty())
        }
        _ => Ok(record.referral.reached().next().is_some()),
    }
}

/// The inquiry whose token is in the address. Wrong tokens count like those of private pages.
fn inquiry<'a>(app: &'a App, client: ClientNetwork, query: &'a Fields) -> Option<(&'a Store, &'a str, Uuid)> {
    let token = query.typed(INQUIRY)?;
    let store = app.store.as_deref()?;
    let id = store.secret().visitor_inquiry(token);
    if id.is_none() {
        // Beyond the limit, the page is the same as without a token.
        let _ = app.count_guess(client);
    }
    Some((store, token, id?))
}
