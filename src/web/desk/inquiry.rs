//! One inquiry: everything about it, the question before it is erased, and its photos.

use hyper::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::{DeskAnswer, Problem};
use super::{Work, extended, page};
use crate::domain::inquiry::{Answers, reference};
use crate::domain::matching::Firm;
use crate::domain::referral::PhotoSize;
use crate::domain::referral::State;
use crate::operate::view::InquiryView;
use crate::site::templates::DeskPage;
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// Returns the firms that may be asked, those first that the operator would not be told to think twice about.
async fn choices(work: &Work, view: &InquiryView, answers: &Answers) -> Result<Vec<Value>, Problem> {
    let facts = work.store().facts().await?;
    let now = Timestamp::now();
    let asked = |firm: &Firm| {
        let mut asked = view.firms.iter();
        asked.any(|asked| asked.id == firm.id.as_str() && !asked.answer.is_passed_over())
    };
    let choices = work.firms().iter();
    let choices = choices.filter(|firm| !asked(firm) && facts.unreachable_since(firm).is_none());
    let choices = choices.map(|firm| {
        let is_paused = firm.paused || facts.pause_of(&firm.id, now).is_some();
        (is_paused, firm.takes(answers), firm)
    });
    let mut choices: Vec<_> = choices.collect();
    choices.sort_by_key(|(is_paused, is_fitting, _)| *is_paused || !is_fitting);
    let choices = choices.into_iter().map(|(is_paused, is_fitting, firm)| {
        json!({ "id": firm.id, "name": firm.name, "is_paused": is_paused, "is_fitting": is_fitting })
    });
    Ok(choices.collect())
}

/// Shows an inquiry, or the question before it is erased.
///
/// # Errors
/// When there is none of this id, or the store does not answer.
pub async fn show(work: &Work, id: &str, kind: DeskPage, query: &Fields) -> Result<DeskAnswer, Problem> {
    let id: Uuid = id.parse().map_err(|_| ApiError::not_found())?;
    Ok(page(kind, data(work, id, query.value("notice")).await?))
}

/// Shows an inquiry that was changed after somebody read what to decide about, so that nothing was decided.
///
/// # Errors
/// As for [`show`].
pub async fn changed(work: &Work, id: Uuid) -> Result<DeskAnswer, Problem> {
    let data = data(work, id, Some("changed")).await?;
    Ok(DeskAnswer::Page(StatusCode::CONFLICT, DeskPage::Inquiry, data))
}

async fn data(work: &Work, id: Uuid, notice: Option<&str>) -> Result<Value, Problem> {
    let found = work.operations().inquiry(id).await?;
    let found = found.ok_or_else(ApiError::not_found)?;
    let view = InquiryView::new(&found, Some(&work.desk.public));
    let firms = view.firms.iter();
    let firms = firms.map(|firm| extended(firm, json!({ "name": work.name_of(&firm.id) })));
    let deliveries = view.deliveries.iter().map(|delivery| {
        let can_be_retried = delivery.state.can_be_retried();
        let name = work.name_of(&delivery.recipient);
        extended(
            delivery,
            json!({ "name": name, "can_be_retried": can_be_retried }),
        )
    });
    let answers = found.record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
    let is_askable = !view.suspected && view.state != State::Withdrawn;
    let choices = match answers.filter(|_| is_askable) {
        Some(answers) => choices(work, &view, answers).await?,
        None => Vec::new(),
    };
    let text_digest = answers.map(|answers| found.record.referral.text_digest(answers));
    Ok(json!({
        "inquiry": view,
        "firms": firms.collect::<Vec<_>>(),
        "deliveries": deliveries.collect::<Vec<_>>(),
        "reference": reference(id),
        "has_person": answers.is_some(),
        "choices": choices,
        "told": view.firms.iter().filter(|firm| firm.has_contact_data).count(),
        "reviews": view.firms.iter().filter(|firm| firm.review.is_some()).count(),
        "text_digest": text_digest,
        "notice": notice,
    }))
}

/// Answers a photo in its large size.
///
/// # Errors
/// When there is none of this number.
pub async fn photo(work: &Work, id: &str, number: &str) -> Result<DeskAnswer, Problem> {
    let id: Uuid = id.parse().map_err(|_| ApiError::not_found())?;
    let number: u16 = number.parse().map_err(|_| ApiError::not_found())?;
    let jpeg = work.store().photo(id, number, PhotoSize::Large).await?;
    Ok(DeskAnswer::File(
        "image/jpeg",
        None,
        jpeg.ok_or_else(ApiError::not_found)?,
    ))
}
