//! The questionnaire without JavaScript: a single form that posts to its own page.

use hyper::header;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Response, StatusCode};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::api_error::ApiError;
use super::app::{App, RequestContext};
use super::{counting, inquiries, page, posted, thanks};
use crate::base::metrics::InquiryResult;
use crate::domain::inquiry::{Form, Inquiry, NewInquiry, Preselection, Suspicion};
use crate::domain::referral::{NewReferral, Status};
use crate::site::http::headers::Cache;
use crate::site::http::response::{self, Body};
use crate::site::{FormData, PageData};
use crate::store::{IdempotencyKey, Inserted, Store};
use crate::web::limits::client_ip::ClientNetwork;

/// Path of the questionnaire and its form.
pub const PATH: &str = "/fragebogen";

/// How long the same form counts as the same inquiry: one to two hours. Nobody takes that long to send it twice by mistake, and a
/// visitor who sends it again the next day makes a new inquiry.
const SAME_FORM_SECONDS: i64 = 60 * 60;

/// How often the same form may be withdrawn and still be recognised when it is sent again: more often than anyone changes their
/// mind within two hours, and few enough to look up.
const MAX_TAKEN_BACK: u8 = 8;

/// A refused form: its content with the messages to show, and the error, unless the answers are at fault.
type RefusedForm = (FormData, Option<ApiError>);

/// Responds to a request for the questionnaire.
pub async fn respond(request: RequestContext<'_>) -> Response<Body> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    app.site.for_visitor(PATH).await;
    let answer = match parts.method {
        Method::GET | Method::HEAD => Ok(show(app, client, parts).await),
        Method::POST => send(request).await,
        _ => Err(unread(ApiError::method_not_allowed("GET, HEAD, POST"))),
    };
    let (form, error) = match answer {
        Ok(response) => return response,
        Err(refused) => refused,
    };
    // Show the form again, with what to change.
    let status = error.as_ref().map_or(StatusCode::BAD_REQUEST, ApiError::status);
    let data = PageData {
        form,
        ..PageData::default()
    };
    let site = app.site();
    let page = site.filled(PATH, status, data, &parts.headers);
    let mut response = app.made_in(&app.made_pages, client, page).await;
    if let Some(error) = error {
        error.complete(&mut response);
    }
    response
}

/// Shows the page, with the answers that the query preselects. The site's own script prefetches it, so that a click finds it in the
/// browser's cache.
async fn show(app: &App, client: ClientNetwork, parts: &Parts) -> Response<Body> {
    // Only the earliest visit counts, since a later one may be that of another visitor from the same network.
    let _ = app.first_visits.reserve(client);
    let preselection = Preselection::read(parts.uri.query().unwrap_or_default());
    let site = app.site();
    let mut response = match site.preselected(preselection) {
        Some(resource) => {
            let response = resource.respond(&parts.headers).await;
            counting::page(app, parts, PATH, response.status());
            response
        }
        None => page(app, parts).await.1,
    };
    let is_current = matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED);
    if is_current && counting::is_fetched_ahead(&parts.headers) {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, Cache::Minute.value());
    }
    response
}

/// Stores the inquiry in the form, and redirects to the thank-you page.
async fn send(request: RequestContext<'_>) -> Result<Response<Body>, RefusedForm> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    let bytes = posted::form(app, parts, request.body.read().await).map_err(unread)?;
    let form = Form::read(&bytes).ok_or_else(|| unread(ApiError::unreadable_form()))?;
    let filled = form.check(Timestamp::now());
    let (inquiry, addition) = filled.map_err(|faults| (FormData::with_faults(&form, &faults), None))?;
    let quick = || {
        // An unknown client is not too quick.
        app.first_visits.since_first(client).and_then(Suspicion::of_time)
    };
    let inquiry = inquiry.marked(form.suspicion().or_else(quick));
    let referral = NewReferral {
        consent: form.consent,
        addition,
        is_held_told: false,
    };
    let stored = match &app.store {
        Some(store) => store_once(app, store, client, &parts.headers, inquiry, referral).await,
        None => inquiries::demo(app, client, inquiry).map(Some),
    };
    let stored = stored.map_err(|error| refused(&form, error))?;
    // Only the first sender is redirected to the private page's link. Those who send the form again, if only by a double click,
    // find the link in the mail.
    let address = stored.map_or_else(
        || thanks::PATH.to_owned(),
        |stored| thanks::address(app, stored.id),
    );
    let response = response::redirect(StatusCode::SEE_OTHER, &address, None);
    Ok(app.complete(response, Cache::Never))
}

/// Stores an inquiry, or returns `None` if the same form was sent recently. The page contains no key, since it is the same for
/// everyone, so the key is derived from the form's content. This recognises a repetition but not its sender: anyone who knows what
/// was typed could have sent it.
async fn store_once(
    app: &App,
    store: &Store,
    client: ClientNetwork,
    headers: &HeaderMap,
    inquiry: NewInquiry,
    referral: NewReferral,
) -> Result<Option<Inquiry>, ApiError> {
    store.ensure_secret_loaded().await?;
    let period = Timestamp::now().as_second().div_euclid(SAME_FORM_SECONDS);
    let mut free_key = None;
    // A visitor who has withdrawn the inquiry and asks again gets the next number.
    for number in 0..=MAX_TAKEN_BACK {
        let digest = Sha256::new()
            .chain_update(inquiry.fingerprint())
            .chain_update([number])
            .chain_update(&referral.addition)
            .finalize();
        let key = |period| IdempotencyKey::parse(store.secret().form_key(&digest, period).as_bytes());
        let mut before = None;
        for key in [key(period - 1), key(period)].into_iter().flatten() {
            if before.is_none() {
                before = store.replay(&key, &inquiry, &referral.addition).await?;
            }
        }
        let Some(before) = before else {
            free_key = key(period);
            break;
        };
        let record = store.record(before.id).await?;
        let is_there = record.is_some_and(|record| {
            let status = record.referral.status;
            !matches!(status, Status::Withdrawn(_) | Status::Erased(_))
        });
        if is_there {
            app.metrics.count_inquiry(InquiryResult::Replayed);
            return Ok(None);
        }
    }
    let counted = counting::inquiry(headers, true);
    let inserted = inquiries::accept(app, store, client, inquiry, referral, free_key, counted).await?;
    Ok(match inserted {
        Inserted::New(stored) => Some(stored),
        Inserted::Replayed(_) => None,
    })
}

/// Refuses a form, which is shown again as sent.
fn refused(form: &Form, error: ApiError) -> RefusedForm {
    (FormData::with_notice(form, &error.body().message), Some(error))
}

/// Refuses a request whose content is not shown again.
fn unread(error: ApiError) -> RefusedForm {
    refused(&Form::default(), error)
}
