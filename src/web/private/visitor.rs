//! A visitor's page: what became of an inquiry, a field for more about it, and the way to take it back.

use std::time::Duration;

use hyper::{Response, StatusCode, header};
use jiff::Timestamp;
use uuid::Uuid;

use super::describe;
use super::failure::PageFailure;
use super::form::PrivateForm;
use super::page;
use crate::base::metrics;
use crate::domain::inquiry::with_storey;
use crate::domain::referral::{Change, DeliveryState, InquiryRecord, Message, Refusal, Status};
use crate::outbox::Farewell;
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::{VisitorNotice, VisitorPage};
use crate::store::{Store, UpdateError};
use crate::web::api_error::seconds;
use crate::web::app::App;
use crate::web::inquiries::clean;

/// The query of the page that says that an addition is stored.
const SAVED: &str = "gespeichert";

/// Likewise of what is said of a firm.
pub const REVIEW_SAVED: &str = "bewertet";
pub const REVIEW_REMOVED: &str = "bewertung-geloescht";

/// Likewise of photos.
pub const PHOTOS_SAVED: &str = "fotos-gespeichert";
pub const PHOTO_REMOVED: &str = "foto-entfernt";

/// How long a visitor waits before photos are sent again, where too many came in.
const UPLOAD_RETRY: Duration = Duration::from_mins(1);

/// Shows how the inquiry stands.
pub async fn show(app: &App, token: &str, query: Option<&str>) -> Result<Response<Body>, PageFailure> {
    let (_, record) = find(app, token).await?;
    let notice = match query {
        Some(SAVED) => Some(VisitorNotice::Saved),
        Some(REVIEW_SAVED) => Some(VisitorNotice::ReviewSaved),
        Some(REVIEW_REMOVED) => Some(VisitorNotice::ReviewRemoved),
        Some(PHOTOS_SAVED) => Some(VisitorNotice::PhotosSaved),
        Some(PHOTO_REMOVED) => Some(VisitorNotice::PhotoRemoved),
        _ => None,
    };
    page(app, token, &record, notice)
}

/// Shows why photos are not kept.
pub async fn with_photo_error(
    app: &App,
    token: &str,
    status: StatusCode,
    error: &str,
) -> Result<Response<Body>, PageFailure> {
    let (_, record) = find(app, token).await?;
    let mut data = data(app, token, &record);
    data.photo_error = Some(error.to_owned());
    let mut response = response(app, status, &data)?;
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, seconds(UPLOAD_RETRY));
        response.extensions_mut().insert(metrics::Refusal::Busy);
    } else if status == StatusCode::TOO_MANY_REQUESTS {
        response.extensions_mut().insert(metrics::Refusal::RateLimit);
    }
    Ok(response)
}

/// Stores what firms should know beyond the fields.
pub async fn add(app: &App, token: &str, form: &PrivateForm) -> Result<Response<Body>, PageFailure> {
    let (store, record) = find(app, token).await?;
    let sent = form.value("addition");
    let sent = sent.ok_or(PageFailure::Refused(StatusCode::BAD_REQUEST))?;
    let sent = with_storey(form.value("storey").as_deref().unwrap_or_default(), &sent);
    let Some(addition) = clean(&sent) else {
        let mut data = data(app, token, &record).with_additions(&sent);
        data.notice = Some(VisitorNotice::TooLong);
        return response(app, StatusCode::BAD_REQUEST, &data);
    };
    match store.update(record.id, Change::Add(addition)).await {
        Ok(_) => Ok(page::see_other(app, &PrivatePath::Visitor(token), Some(SAVED))),
        // The page says that it is.
        Err(UpdateError::Refused(Refusal::Withdrawn)) => {
            Ok(page::see_other(app, &PrivatePath::Visitor(token), None))
        }
        Err(error) => Err(error.into()),
    }
}

/// Asks whether the inquiry is to be withdrawn.
pub async fn ask(app: &App, token: &str) -> Result<Response<Body>, PageFailure> {
    let (_, record) = find(app, token).await?;
    if matches!(record.referral.status, Status::Withdrawn(_)) {
        return page(app, token, &record, None);
    }
    let question = describe::withdrawal(&record, token);
    Ok(page::response(
        app,
        StatusCode::OK,
        PageKind::VisitorWithdraw,
        &question,
    )?)
}

/// Withdraws the inquiry and erases what is known of the visitor.
pub async fn withdraw(app: &App, token: &str) -> Result<Response<Body>, PageFailure> {
    let (store, record) = find(app, token).await?;
    store.update(record.id, Change::Withdraw).await?;
    if let Some(farewell) = farewell(&record) {
        app.farewells.take(farewell, store.now());
    }
    Ok(page::see_other(app, &PrivatePath::Visitor(token), None))
}

/// Returns the mail that confirms the withdrawal to a visitor who has had mail about the inquiry. The store has no address any more.
fn farewell(record: &InquiryRecord) -> Option<Farewell> {
    let has_mail = record.referral.deliveries.iter().any(|delivery| {
        let is_to_visitor = matches!(
            delivery.message,
            Message::VisitorReceived | Message::VisitorNobody | Message::VisitorAccepted(_)
        );
        is_to_visitor && matches!(delivery.state, DeliveryState::Delivered(_))
    });
    let inquiry = record.inquiry.as_ref().filter(|_| has_mail)?;
    Some(Farewell {
        inquiry: record.id,
        created_at: record.created_at(),
        address: inquiry.answers.email_address.as_str().to_owned(),
        asked_count: record.referral.reached().count(),
    })
}

fn page(
    app: &App,
    token: &str,
    record: &InquiryRecord,
    notice: Option<VisitorNotice>,
) -> Result<Response<Body>, PageFailure> {
    let mut data = data(app, token, record);
    data.notice = notice;
    response(app, StatusCode::OK, &data)
}

/// Describes the page.
pub fn data(app: &App, token: &str, record: &InquiryRecord) -> VisitorPage {
    describe::visitor(record, &app.policy(), token)
}

/// Fills the page.
pub fn response(app: &App, status: StatusCode, data: &VisitorPage) -> Result<Response<Body>, PageFailure> {
    Ok(page::visitor(app, status, data)?)
}

/// Returns what is known of the inquiry that a token is for.
pub async fn find<'a>(app: &'a App, token: &str) -> Result<(&'a Store, InquiryRecord), PageFailure> {
    let store = app.store.as_deref().ok_or(PageFailure::Gone)?;
    let id = store
        .secret()
        .visitor_inquiry(token)
        .ok_or(PageFailure::WrongToken)?;
    let record = read(store, id).await?.ok_or(PageFailure::Gone)?;
    Ok((store, record))
}

/// Reads what is known of an inquiry; `None` if no page may show it any more.
pub async fn read(store: &Store, id: Uuid) -> Result<Option<InquiryRecord>, PageFailure> {
    let is_shown = |record: &InquiryRecord| match record.referral.status {
        Status::Erased(_) | Status::Notice(_) => false,
        Status::Withdrawn(_) => !record.referral.is_over(Timestamp::now()),
        Status::Active | Status::Quarantined | Status::Released(_) => record.inquiry.is_some(),
    };
    Ok(store.record(id).await?.filter(is_shown))
}
