//! What a visitor says of a firm that has accepted: stored, changed and taken back on the visitor's page.

use hyper::{Response, StatusCode};

use super::failure::PageFailure;
use super::form::PrivateForm;
use super::{page, visitor};
use crate::domain::matching::FirmId;
use crate::domain::referral::{Change, Refusal, Review, Status};
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::{SentReview, VisitorNotice};
use crate::store::UpdateError;
use crate::web::app::App;

/// The field that says which firm a form is about, which no other form of the page has.
const FIRM: &str = "review";

/// Returns whether a form of the visitor's page is about a firm.
pub fn is_meant(form: &PrivateForm) -> bool {
    form.value(FIRM).is_some()
}

/// Stores what was sent, or takes back what is stored.
pub async fn note(app: &App, token: &str, form: &PrivateForm) -> Result<Response<Body>, PageFailure> {
    let (store, record) = visitor::find(app, token).await?;
    let seen = |query| page::see_other(app, &PrivatePath::Visitor(token), query);
    if matches!(record.referral.status, Status::Withdrawn(_)) {
        // The page says that it is.
        return Ok(seen(None));
    }
    let id = form.value(FIRM).and_then(|id| FirmId::parse(&id).ok());
    let id = id.filter(|id| record.referral.accepted_by().any(|firm| firm == id));
    let id = id.ok_or(PageFailure::Refused(StatusCode::BAD_REQUEST))?;
    let (new, query) = if form.value("take_back").is_some() {
        (None, visitor::REVIEW_REMOVED)
    } else {
        let sent = SentReview {
            stars: form.value("stars").unwrap_or_default(),
            text: form.value("text").unwrap_or_default(),
            name: form.value("name").unwrap_or_default(),
            consent: form.value("consent").is_some(),
        };
        match Review::parse(&sent.stars, &sent.text, &sent.name, sent.consent) {
            Ok(new) => (Some(new), visitor::REVIEW_SAVED),
            Err(faults) => {
                let mut data = visitor::data(app, token, &record);
                for shown in data.reviews.iter_mut().filter(|shown| shown.is_about(&id)) {
                    shown.set_faults(sent.clone(), &faults);
                }
                data.notice = Some(VisitorNotice::ReviewFaulty);
                return visitor::response(app, StatusCode::BAD_REQUEST, &data);
            }
        }
    };
    match store.update(record.id, Change::Review(id, new)).await {
        Ok(_) => Ok(seen(Some(query))),
        Err(UpdateError::Refused(Refusal::Withdrawn)) => Ok(seen(None)),
        Err(error) => Err(error.into()),
    }
}
