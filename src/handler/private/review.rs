//! What a visitor says of a firm that has accepted: stored, changed and taken back on the visitor's page.

use hyper::{Response, StatusCode};

use super::failure::Failure;
use super::form::Form;
use super::{page, visitor};
use crate::handler::app::App;
use crate::http::response::Body;
use crate::matching::FirmId;
use crate::referral::{Asked, Change, InquiryRecord, NewReview, Refusal, Status, suggested_name};
use crate::store::UpdateError;
use crate::templates::context::{ReviewContext, SentReview, VisitorNotice};
use crate::text::private_path::PrivatePath;

/// The field that says which firm a form is about, which no other form of the page has.
const FIRM: &str = "review";

/// The queries of the page that say what has just happened.
const SAVED: &str = "bewertet";
const REMOVED: &str = "bewertung-geloescht";

/// Returns whether a form of the visitor's page is about a firm.
pub fn is_meant(form: &Form) -> bool {
    form.value(FIRM).is_some()
}

/// Returns what the page says after a change.
pub fn notice(query: Option<&str>) -> Option<VisitorNotice> {
    match query? {
        SAVED => Some(VisitorNotice::ReviewSaved),
        REMOVED => Some(VisitorNotice::ReviewRemoved),
        _ => None,
    }
}

/// Describes the forms of an inquiry, one for each firm that has accepted.
pub fn forms(record: &InquiryRecord) -> Vec<ReviewContext> {
    let goes_on = !matches!(record.referral.status, Status::Withdrawn(_));
    let Some(inquiry) = record.inquiry.as_ref().filter(|_| goes_on) else {
        return Vec::new();
    };
    let name = suggested_name(&inquiry.answers);
    let accepted = accepted(record).enumerate();
    let form = |(index, asked): (usize, &Asked)| {
        let review = asked.review.as_ref();
        ReviewContext::new(&asked.firm, asked.accepted_name(), index + 1, review, &name)
    };
    accepted.map(form).collect()
}

/// Stores what was sent, or takes back what is stored.
pub async fn note(app: &App, token: &str, form: &Form) -> Result<Response<Body>, Failure> {
    let (store, record) = visitor::find(app, token).await?;
    let seen = |query| page::see_other(app, &PrivatePath::Visitor(token), query);
    if matches!(record.referral.status, Status::Withdrawn(_)) {
        // The page says that it is.
        return Ok(seen(None));
    }
    let id = form.value(FIRM).and_then(|id| FirmId::parse(&id).ok());
    let id = id.filter(|id| accepted(&record).any(|asked| asked.firm == *id));
    let id = id.ok_or(Failure::Refused(StatusCode::BAD_REQUEST))?;
    let (new, query) = if form.value("take_back").is_some() {
        (None, REMOVED)
    } else {
        let sent = SentReview {
            stars: form.value("stars").unwrap_or_default(),
            text: form.value("text").unwrap_or_default(),
            name: form.value("name").unwrap_or_default(),
            consent: form.value("consent").is_some(),
        };
        match NewReview::parse(&sent.stars, &sent.text, &sent.name, sent.consent) {
            Ok(new) => (Some(new), SAVED),
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

fn accepted(record: &InquiryRecord) -> impl Iterator<Item = &Asked> {
    let asked = record.referral.asked.iter();
    asked.filter(|asked| asked.answer.is_accepted())
}
