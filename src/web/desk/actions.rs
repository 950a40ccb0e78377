//! The desk's actions, each of which is also a call of a command. The log records what was done, but not by whom.

use std::collections::BTreeSet;

use hyper::Response;
use jiff::Timestamp;
use uuid::Uuid;

use super::answer::{FIRST, unchanged};
use super::inquiry::person_of;
use super::pages::{ensure_unchanged, requested_pause};
use super::{Work, inquiry, parsed};
use crate::domain::inquiry::{Form, SPOKEN_CONSENT};
use crate::domain::ledger::{Credit, Month};
use crate::domain::matching::FirmId;
use crate::domain::referral::{NewReferral, Verdict, note_text};
use crate::operate::calls::{AskFirm, CorrectInquiry, JudgeReview, MarkInquiry, NoteInquiry, ReleaseInquiry};
use crate::operate::funnel::Counted;
use crate::operate::{Call, CallError};
use crate::site::FormData;
use crate::site::http::response::Body;
use crate::site::templates::DeskPage;
use crate::store::{EraseError, Erasure, IdempotencyKey, InsertError, Inserted};
use crate::web::api_error::ApiError;
use crate::web::posted::Fields;

/// Performs an action.
///
/// # Errors
/// When the action or its object does not exist, it was refused, or the store does not answer.
pub async fn act(work: &Work, path: &[&str], sent: &Fields) -> Result<Response<Body>, ApiError> {
    let firm = |id| FirmId::parse(id).map_err(|_| ApiError::not_found());
    match *path {
        ["zustellen"] => retry_all(work).await,
        ["neue-anfrage"] => enter(work, sent).await,
        ["anfragen", id, "notiz"] => note(work, parsed(id)?, sent).await,
        ["anfragen", id, "erledigt"] => mark(work, parsed(id)?, true).await,
        ["anfragen", id, "oeffnen"] => mark(work, parsed(id)?, false).await,
        ["anfragen", id, "berichtigen"] => correct(work, parsed(id)?, sent).await,
        ["anfragen", id, "fragen"] => ask(work, parsed(id)?, sent).await,
        ["anfragen", id, "freigeben"] => release(work, parsed(id)?, sent).await,
        ["anfragen", id, "gutschreiben"] => credit(work, parsed(id)?, sent).await,
        ["anfragen", id, "zustellen"] => retry(work, parsed(id)?, sent).await,
        ["anfragen", id, "loeschen"] => erase_one(work, parsed(id)?, sent).await,
        ["anfragen", id, "person"] => erase_person(work, parsed(id)?, sent).await,
        ["betriebe", id, "pause"] => pause(work, firm(id)?, sent).await,
        ["betriebe", id, "fortsetzen"] => resume(work, firm(id)?).await,
        ["bewertungen", id, "veroeffentlichen"] => judge(work, id, Verdict::Publish, sent).await,
        ["bewertungen", id, "ablehnen"] => judge(work, id, Verdict::Reject, sent).await,
        ["abrechnung", month, "abschliessen"] => close(work, parsed(month)?, sent).await,
        _ => Err(ApiError::not_found()),
    }
}

/// Redirects to the page of an inquiry with a notice.
fn done_with(work: &Work, id: Uuid, notice: &str) -> Response<Body> {
    work.see(&format!("/anfragen/{id}"), [("notice", notice)])
}

/// Stores an inquiry made by telephone. Neither limits nor suspicion apply to the operator.
async fn enter(work: &Work, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let form = Form::of(sent.pairs());
    let (inquiry, addition) = match form.check(Timestamp::now()) {
        Ok(checked) => checked,
        Err(faults) => {
            let returned = FormData::with_faults(&form, &faults);
            return Ok(inquiry::show_new(work, sent, Some(returned)));
        }
    };
    let referral = NewReferral {
        consent: form.consent.filter(|version| *version == SPOKEN_CONSENT),
        addition,
        is_held_told: false,
    };
    let key = sent
        .value("key")
        .and_then(|key| IdempotencyKey::parse(key.as_bytes()));
    let inserted = work.store().insert(inquiry, referral, key).await;
    let inserted = inserted.map_err(|error| match error {
        InsertError::KeyReused => unchanged(
            "Dieses Formular ist schon gespeichert. Für eine weitere Anfrage öffnen Sie „Neue Anfrage“ noch einmal.",
        ),
        error @ InsertError::Unavailable(_) => error.into(),
    })?;
    if let (Inserted::New(_), Some(funnel)) = (&inserted, &work.operations().funnel) {
        funnel.count(Counted::OtherInquiry);
    }
    let id = inserted.into_inquiry().id;
    tracing::info!(inquiry = %id, "an inquiry was entered at the desk");
    Ok(done_with(work, id, "entered"))
}

async fn note(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let text = sent.typed("text").and_then(note_text);
    let text = text.ok_or_else(|| unchanged("Eine Notiz hat 1 bis 2.000 Zeichen."))?;
    NoteInquiry { id, text }.run(work.operations()).await?;
    tracing::info!(inquiry = %id, "a note was written at the desk");
    Ok(done_with(work, id, "noted"))
}

async fn mark(work: &Work, id: Uuid, is_done: bool) -> Result<Response<Body>, ApiError> {
    MarkInquiry { id, is_done }.run(work.operations()).await?;
    tracing::info!(inquiry = %id, is_done, "an inquiry was marked at the desk");
    Ok(done_with(work, id, if is_done { "done" } else { "reopened" }))
}

async fn correct(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let form = Form::of(sent.pairs());
    let correction = match form.correction() {
        Ok(correction) => correction,
        Err(faults) => {
            let returned = FormData::with_faults(&form, &faults);
            return inquiry::show(work, id, DeskPage::Inquiry, sent, Some(returned)).await;
        }
    };
    let read = read_digest(sent);
    let call = CorrectInquiry { id, correction, read };
    call.run(work.operations()).await?;
    tracing::info!(inquiry = %id, "an inquiry was corrected at the desk");
    Ok(done_with(work, id, "corrected"))
}

/// The digest of the text that the operator has read. An invalid one matches no text that anyone could have read.
fn read_digest(sent: &Fields) -> Option<Uuid> {
    sent.value("read").map(|read| read.parse().unwrap_or(Uuid::nil()))
}

async fn ask(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let firm = sent.value("firm").and_then(|firm| FirmId::parse(firm).ok());
    let firm = firm.ok_or_else(|| unchanged("Es ist kein Betrieb ausgewählt."))?;
    let call = AskFirm {
        id,
        firm: firm.clone(),
    };
    call.run(work.operations()).await?;
    tracing::info!(inquiry = %id, %firm, "a firm was asked by hand at the desk");
    Ok(done_with(work, id, "asked"))
}

async fn credit(work: &Work, inquiry: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let firm = sent.value("firm").and_then(|firm| FirmId::parse(firm).ok());
    let firm = firm.ok_or_else(ApiError::not_found)?;
    let reason = Credit::parse_reason(sent.value("reason").unwrap_or_default()).map_err(|_| {
        unchanged("Bitte geben Sie einen Grund an, in einer Zeile mit höchstens 200 Zeichen.")
    })?;
    work.operations().credit(inquiry, firm.clone(), reason).await?;
    tracing::info!(%inquiry, %firm, "an acceptance was credited at the desk");
    Ok(done_with(work, inquiry, "credited"))
}

async fn release(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let read = read_digest(sent);
    ReleaseInquiry { id, read }.run(work.operations()).await?;
    tracing::info!(inquiry = %id, "an inquiry was released at the desk");
    Ok(done_with(work, id, "released"))
}

async fn retry(work: &Work, inquiry: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let number = sent.parsed("number").ok_or_else(ApiError::not_found)?;
    work.operations().retry(inquiry, Some(number)).await?;
    tracing::info!(%inquiry, number, "a delivery is tried again at the desk's word");
    Ok(done_with(work, inquiry, "retried"))
}

async fn retry_all(work: &Work) -> Result<Response<Body>, ApiError> {
    let retried = work.operations().retry_all().await?;
    tracing::info!(
        deliveries = retried.deliveries,
        "all deliveries are tried again at the desk's word"
    );
    Ok(work.see(FIRST, [("notice", "retried")]))
}

/// Checks that the box that confirms an irreversible action is ticked.
fn ensure_ticked(sent: &Fields) -> Result<(), ApiError> {
    let ticked = sent.value("sure").map(drop);
    ticked.ok_or_else(|| unchanged("Es fehlt das Häkchen, mit dem Sie es bestätigen."))
}

async fn erase_one(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    ensure_ticked(sent)?;
    let erased = work.store().erase(Erasure::Ids(BTreeSet::from([id])));
    erased.await.map_err(|error| match error {
        EraseError::Unknown(_) => ApiError::not_found(),
        error => CallError::from(error).into(),
    })?;
    tracing::info!(inquiry = %id, "an inquiry was erased at the desk");
    Ok(work.see(FIRST, [("notice", "erased")]))
}

async fn erase_person(work: &Work, id: Uuid, sent: &Fields) -> Result<Response<Body>, ApiError> {
    ensure_ticked(sent)?;
    let person = person_of(work, id).await?;
    let inquiries = work.operations().erase_person(&person).await?;
    tracing::info!(inquiry = %id, inquiries, "everything about a person was erased at the desk");
    Ok(work.see(FIRST, [("notice", "person_erased")]))
}

async fn pause(work: &Work, firm: FirmId, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let pause = requested_pause(sent)?;
    let passed_on = work.operations().pause(firm.clone(), pause).await?;
    tracing::info!(%firm, passed_on, "a firm was paused at the desk");
    let passed_on = passed_on.to_string();
    let notice = [
        ("notice", "paused"),
        ("name", firm.as_str()),
        ("passed_on", &*passed_on),
    ];
    // Only mention when a pause begins if that is later.
    let later = sent.value("from").filter(|_| !pause.holds(Timestamp::now()));
    let from = later.map(|from| ("from", from));
    Ok(work.see("/betriebe", notice.into_iter().chain(from)))
}

async fn resume(work: &Work, firm: FirmId) -> Result<Response<Body>, ApiError> {
    work.operations().resume(firm.clone()).await?;
    tracing::info!(%firm, "a firm is asked again at the desk's word");
    let name = [("notice", "resumed"), ("name", firm.as_str())];
    Ok(work.see("/betriebe", name))
}

async fn judge(work: &Work, id: &str, verdict: Verdict, sent: &Fields) -> Result<Response<Body>, ApiError> {
    let found = work.store().reviews().await?;
    let mut ids = found.into_iter().map(|found| found.id);
    let id = ids
        .find(|known| known.to_string() == id)
        .ok_or_else(ApiError::not_found)?;
    // An invalid time counts as outdated: no review is that old.
    let read = sent
        .value("written_at")
        .map(|read| read.parse().unwrap_or(Timestamp::MIN));
    let call = JudgeReview {
        id: id.clone(),
        verdict,
        read,
    };
    call.run(work.operations()).await?;
    let notice = match verdict {
        Verdict::Publish => "published",
        Verdict::Reject => "rejected",
    };
    tracing::info!(inquiry = %id.inquiry, firm = %id.firm, "a review was {notice} at the desk");
    Ok(work.see("/bewertungen", [("notice", notice)]))
}

async fn close(work: &Work, month: Month, sent: &Fields) -> Result<Response<Body>, ApiError> {
    ensure_ticked(sent)?;
    // Compared just before closing. A firm may still slip in between, but the next page shows what was closed.
    if let Some(read) = sent.value("read") {
        ensure_unchanged(work, month, read).await?;
    }
    work.operations().close_month(month, None).await?;
    tracing::info!(%month, "a month was closed at the desk");
    let month = month.to_string();
    let notice = [("month", &*month), ("notice", "closed")];
    Ok(work.see("/abrechnung", notice))
}
