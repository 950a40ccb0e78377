//! What a visitor says of a firm that has accepted: stored, changed and taken back on the visitor's page.

use hyper::{Response, StatusCode};

use super::visitor::{REVIEW_REMOVED, REVIEW_SAVED, VisitorInquiry};
use crate::domain::matching::FirmId;
use crate::domain::referral::{Change, Review, Status};
use crate::site::http::response::Body;
use crate::site::templates::context::{SentReview, VisitorNotice};
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// The field that says which firm a form is about, which no other form of the page has.
const FIRM: &str = "review";

/// Whether a form of the visitor's page is about a firm.
pub fn is_meant(form: &Fields) -> bool {
    form.typed(FIRM).is_some()
}

/// Stores what was sent, or takes back what is stored.
pub async fn note(inquiry: &VisitorInquiry<'_>, form: &Fields) -> Result<Response<Body>, ApiError> {
    let referral = &inquiry.record.referral;
    if matches!(referral.status, Status::Withdrawn(_)) {
        // The page says that it is.
        return Ok(inquiry.back(None));
    }
    let id = form.typed(FIRM).and_then(|id| FirmId::parse(id).ok());
    let id = id.filter(|id| referral.accepted_by().any(|firm| firm == id));
    let id = id.ok_or_else(|| ApiError::malformed(FIRM))?;
    if form.typed("take_back").is_some() {
        return inquiry
            .update(Change::Review(id, None), Some(REVIEW_REMOVED))
            .await;
    }
    let typed = |name| form.typed(name).unwrap_or_default().to_owned();
    let sent = SentReview {
        stars: typed("stars"),
        text: typed("text"),
        name: typed("name"),
        consent: form.typed("consent").is_some(),
    };
    match Review::parse(&sent.stars, &sent.text, &sent.name, sent.consent) {
        Ok(new) => {
            inquiry
                .update(Change::Review(id, Some(new)), Some(REVIEW_SAVED))
                .await
        }
        Err(faults) => {
            let mut data = inquiry.data();
            for shown in data.reviews.iter_mut().filter(|shown| shown.is_about(&id)) {
                shown.set_faults(sent.clone(), &faults);
            }
            data.notice = Some(VisitorNotice::ReviewFaulty);
            Ok(inquiry.respond(StatusCode::BAD_REQUEST, &data))
        }
    }
}
