//! The pages of one inquiry: a new one, its details, the confirmation before it is erased, and its photos.

use hyper::Response;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Work, parsed};
use crate::domain::inquiry::{Answers, Form, Person, SPOKEN_CONSENT, consent_wording, reference};
use crate::domain::matching::Firm;
use crate::domain::referral::{Asked, Corrected, Message, PhotoSize, Status};
use crate::operate::view::{asked_firms, deliveries, extended, inquiry, listed};
use crate::site::FormData;
use crate::site::http::response::Body;
use crate::site::templates::{DeskPage, german_suspicion, german_time};
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// The firms that can be asked, best choices first: those that match and are not paused.
async fn choices(work: &Work, asked: &[Asked], answers: &Answers) -> Result<Vec<Value>, ApiError> {
    let facts = work.store().facts().await?;
    let paused = facts.paused_at(Timestamp::now());
    let is_asked = |firm: &Firm| {
        let mut asked = asked.iter();
        asked.any(|asked| asked.firm == firm.id && !asked.answer.is_passed_over())
    };
    let choices = work.firms().iter();
    let choices = choices.filter(|firm| !is_asked(firm) && facts.unreachable_since(firm).is_none());
    let choices = choices.map(|firm| {
        let is_paused = firm.paused || paused.contains(&firm.id);
        (is_paused, firm.takes(answers), firm)
    });
    let mut choices: Vec<_> = choices.collect();
    choices.sort_by_key(|(is_paused, is_fitting, _)| *is_paused || !is_fitting);
    let choices = choices.into_iter().map(|(is_paused, is_fitting, firm)| {
        json!({ "id": firm.id, "name": firm.name, "is_paused": is_paused, "is_fitting": is_fitting })
    });
    Ok(choices.collect())
}

/// A correction in German.
fn corrected(correction: &Corrected) -> String {
    let field = match &*correction.field {
        "postal_code" => "Postleitzahl",
        "first_name" => "Vorname",
        "last_name" => "Nachname",
        "email_address" => "E-Mail-Adresse",
        _ => "Telefonnummer",
    };
    format!("{field} am {}", german_time(correction.at))
}

/// Shows an inquiry, or the confirmation before it is erased. A form with wrong corrections is shown again.
///
/// # Errors
/// When no inquiry has this id, or the store does not answer.
pub async fn show(
    work: &Work,
    id: Uuid,
    kind: DeskPage,
    query: &Fields,
    returned: Option<FormData>,
) -> Result<Response<Body>, ApiError> {
    let found = work.operations().inquiry(id).await?;
    let found = found.ok_or_else(ApiError::not_found)?;
    let origin = Some(&work.desk.public);
    let name = |view: &Value, key| {
        let id = view.get(key).and_then(Value::as_str);
        work.name_of(id.unwrap_or_default()).to_owned()
    };
    let referral = &found.record.referral;
    let firms = asked_firms(&found, origin).zip(referral.numbered());
    let firms = firms.map(|(firm, (number, asked))| {
        let mut mails = referral.deliveries.iter().rev();
        let mail = mails.find(|mail| mail.message == Message::FirmRequest(number));
        let more = json!({
            "name": name(&firm, "id"),
            "was_paused": asked.was_paused(),
            "mail": mail.map(|mail| mail.state.id()),
        });
        extended(firm, more)
    });
    let deliveries = deliveries(&found.record).map(|(delivery, view)| {
        let more = json!({
            "name": name(&view, "recipient"),
            "can_be_retried": delivery.state.can_be_retried(),
        });
        extended(view, more)
    });
    // A withdrawn inquiry has no content.
    let sent = found.record.inquiry.as_ref();
    let answers = sent.map(|inquiry| &inquiry.answers);
    let is_askable = sent.is_some_and(|inquiry| !inquiry.suspected);
    let choices = match answers.filter(|_| is_askable) {
        Some(answers) => choices(work, &referral.asked, answers).await?,
        None => Vec::new(),
    };
    let corrections = referral.casework.iter().flat_map(|casework| &casework.corrected);
    let is_returned = returned.is_some();
    let form = answers.map(Form::correcting).unwrap_or_default();
    let form = returned.unwrap_or_else(|| FormData::new(&form));
    let data = json!({
        "inquiry": inquiry(&found, origin),
        "firms": firms.collect::<Vec<_>>(),
        "deliveries": deliveries.collect::<Vec<_>>(),
        "reference": reference(id),
        "has_person": answers.is_some(),
        "why_suspected": match referral.status {
            Status::Quarantined(reason) => reason.map(german_suspicion),
            _ => None,
        },
        "choices": choices,
        "told": referral.accepted(),
        "reviews": referral.reviews().count(),
        "text_digest": answers.map(|answers| referral.text_digest(answers)),
        "notice": query.value("notice"),
        "form": form,
        "corrected": corrections.map(corrected).collect::<Vec<_>>(),
    });
    Ok(work.returned(kind, &data, is_returned))
}

/// Shows the form for an inquiry by telephone: a new one, or one with wrong answers as it was sent.
pub fn show_new(work: &Work, sent: &Fields, returned: Option<FormData>) -> Response<Body> {
    let is_returned = returned.is_some();
    // Recognises the form if it is sent twice.
    let key = sent
        .value("key")
        .map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let data = json!({
        "form": returned.unwrap_or_else(|| FormData::new(&Form::default())),
        "key": key,
        "spoken": SPOKEN_CONSENT,
        "wording": consent_wording(SPOKEN_CONSENT),
        "has_consent": sent.value("consent").is_some(),
    });
    work.returned(DeskPage::NewInquiry, &data, is_returned)
}

/// The sender of an inquiry, by mail address.
///
/// # Errors
/// When there is no such inquiry, or the store does not answer.
pub async fn person_of(work: &Work, id: Uuid) -> Result<Person, ApiError> {
    let record = work.store().record(id).await?;
    let inquiry = record.and_then(|record| record.inquiry);
    let person = inquiry.and_then(|inquiry| Person::parse(inquiry.answers.email_address.as_str()));
    person.ok_or_else(ApiError::not_found)
}

/// Shows the confirmation before everything about a person is erased.
///
/// # Errors
/// When there is no such inquiry, or the store does not answer.
pub async fn show_person(work: &Work, id: &str) -> Result<Response<Body>, ApiError> {
    let id: Uuid = parsed(id)?;
    let (ids, subscriptions) = work.operations().person(&person_of(work, id).await?).await?;
    let mut inquiries = Vec::new();
    for id in ids {
        inquiries.extend(work.store().record(id).await?.as_ref().map(listed));
    }
    let data = json!({
        "id": id,
        "reference": reference(id),
        "inquiries": inquiries,
        "subscriptions": subscriptions.into_iter().map(|found| found.email).collect::<Vec<_>>(),
    });
    Ok(work.page(DeskPage::ErasePerson, &data))
}

/// Sends a photo in its large size.
///
/// # Errors
/// When the inquiry has no photo with this number.
pub async fn photo(work: &Work, id: &str, number: &str) -> Result<Response<Body>, ApiError> {
    let photo = work.store().photo(parsed(id)?, parsed(number)?, PhotoSize::Large);
    let jpeg = photo.await?;
    let jpeg = jpeg.ok_or_else(ApiError::not_found)?;
    Ok(work.file("image/jpeg", None, jpeg))
}
