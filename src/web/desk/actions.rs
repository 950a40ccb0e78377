//! What the desk changes: each action is a request that a command makes, too. The log says what was done, and names nobody.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::answer::{Answer, FIRST, Problem};
use super::pages::{changed_statement, pause_end};
use super::query::{Query, address};
use super::reasons::{of_change, of_closing};
use super::{Work, inquiry, reviews, see};
use crate::domain::ledger::{ClosingRefusal, Month};
use crate::domain::matching::FirmId;
use crate::domain::referral::{DeliveryId, InquiryRecord, Refusal, Verdict};
use crate::operate::{Request, Retried, find};
use crate::store::Erasure;

/// Changes something.
///
/// # Errors
/// When there is nothing of that kind, it was refused, or the store does not answer.
pub fn act(work: &Work, path: &[&str], sent: &Query) -> Result<Answer, Problem> {
    match *path {
        ["zustellen"] => retry_all(work),
        ["anfragen", id, action] => {
            let id: Uuid = id.parse().map_err(|_| Problem::Missing)?;
            match action {
                "fragen" => ask(work, id, sent),
                "freigeben" => release(work, id, sent),
                "zustellen" => retry(work, id, sent),
                "loeschen" => erase_one(work, id, sent),
                _ => Err(Problem::Missing),
            }
        }
        ["betriebe", firm, action] => {
            let firm = FirmId::parse(firm).map_err(|_| Problem::Missing)?;
            match action {
                "pause" => pause(work, &firm, sent),
                "fortsetzen" => resume(work, &firm),
                _ => Err(Problem::Missing),
            }
        }
        ["bewertungen", id, "veroeffentlichen"] => reviews::judge(work, id, Verdict::Publish, sent),
        ["bewertungen", id, "ablehnen"] => reviews::judge(work, id, Verdict::Reject, sent),
        ["abrechnung", month, "abschliessen"] => {
            close(work, month.parse().map_err(|_| Problem::Missing)?, sent)
        }
        _ => Err(Problem::Missing),
    }
}

/// Returns the address of an inquiry's page.
fn page_of(id: Uuid) -> String {
    format!("/anfragen/{id}")
}

/// Says why nothing was changed.
fn unchanged(reason: &'static str, back: impl Into<String>) -> Problem {
    Problem::Unchanged(reason, back.into())
}

/// Goes on with a page that says what was done.
fn done(path: &str, notice: &str) -> Answer {
    see(address(path, [("notice", Some(notice))]))
}

fn ask(work: &Work, id: Uuid, sent: &Query) -> Result<Answer, Problem> {
    let back = page_of(id);
    let firm = sent.value("firm").and_then(|firm| FirmId::parse(firm).ok());
    let firm = firm.ok_or_else(|| unchanged("Es ist kein Betrieb ausgewählt.", &*back))?;
    let asked: Result<InquiryRecord, Refusal> = find(&work.store, &Request::Ask(id, firm.clone()))?;
    asked.map_err(|refusal| unchanged(of_change(refusal), &*back))?;
    tracing::info!(inquiry = %id, %firm, "a firm was asked by hand at the desk");
    Ok(done(&back, "asked"))
}

fn release(work: &Work, id: Uuid, sent: &Query) -> Result<Answer, Problem> {
    let back = page_of(id);
    // What nobody can have read is not what stands there now.
    let read = sent.value("read").map(|read| read.parse().unwrap_or(Uuid::nil()));
    let released: Result<(), Refusal> = find(&work.store, &Request::Release(id, read))?;
    if released == Err(Refusal::Changed) {
        return inquiry::changed(work, id);
    }
    released.map_err(|refusal| unchanged(of_change(refusal), &*back))?;
    tracing::info!(inquiry = %id, "an inquiry was released at the desk");
    Ok(done(&back, "released"))
}

fn retry(work: &Work, inquiry: Uuid, sent: &Query) -> Result<Answer, Problem> {
    let back = page_of(inquiry);
    let number = sent.parsed("number").ok_or(Problem::Missing)?;
    let delivery = DeliveryId { inquiry, number };
    let retried: Result<Retried, Refusal> = find(&work.store, &Request::Retry(Some(delivery)))?;
    retried.map_err(|refusal| unchanged(of_change(refusal), &*back))?;
    tracing::info!(%inquiry, number, "a delivery is tried again at the desk's word");
    Ok(done(&back, "retried"))
}

fn retry_all(work: &Work) -> Result<Answer, Problem> {
    let retried: Result<Retried, Refusal> = find(&work.store, &Request::Retry(None))?;
    let retried = retried.map_err(|refusal| unchanged(of_change(refusal), FIRST))?;
    tracing::info!(
        deliveries = retried.deliveries,
        "all deliveries are tried again at the desk's word"
    );
    Ok(done(FIRST, "retried"))
}

fn erase_one(work: &Work, id: Uuid, sent: &Query) -> Result<Answer, Problem> {
    if sent.value("sure").is_none() {
        let back = format!("{}/loeschen", page_of(id));
        return Err(unchanged("Das Häkchen fehlt, deshalb ist nichts gelöscht.", back));
    }
    let erasure = Request::Erase(Erasure::Ids(BTreeSet::from([id])));
    let erased: Result<u64, Uuid> = find(&work.store, &erasure)?;
    erased.map_err(|_| Problem::Missing)?;
    tracing::info!(inquiry = %id, "an inquiry was erased at the desk");
    Ok(done(FIRST, "erased"))
}

fn pause(work: &Work, firm: &FirmId, sent: &Query) -> Result<Answer, Problem> {
    const BACK: &str = "/betriebe";
    let until = pause_end(sent)?;
    let paused: Result<u64, Refusal> = find(&work.store, &Request::Pause(firm.clone(), until))?;
    let passed_on = paused.map_err(|refusal| unchanged(of_change(refusal), BACK))?;
    tracing::info!(%firm, passed_on, "a firm was paused at the desk");
    let passed_on = passed_on.to_string();
    let notice = [
        ("notice", Some("paused")),
        ("name", Some(firm.as_str())),
        ("passed_on", Some(&*passed_on)),
    ];
    Ok(see(address(BACK, notice)))
}

fn resume(work: &Work, firm: &FirmId) -> Result<Answer, Problem> {
    find::<()>(&work.store, &Request::Resume(firm.clone()))?;
    tracing::info!(%firm, "a firm is asked again at the desk's word");
    let name = [("notice", Some("resumed")), ("name", Some(firm.as_str()))];
    Ok(see(address("/betriebe", name)))
}

fn close(work: &Work, month: Month, sent: &Query) -> Result<Answer, Problem> {
    let text = month.to_string();
    let back = format!("/abrechnung?month={text}");
    if sent.value("sure").is_none() {
        return Err(unchanged(
            "Das Häkchen fehlt, deshalb ist der Monat nicht abgeschlossen.",
            back,
        ));
    }
    // Looked at just before: a firm may still be quicker by a moment, and the page that follows shows what was closed.
    if let Some(read) = sent.value("read")
        && let Some(changed) = changed_statement(work, month, read)?
    {
        return Ok(changed);
    }
    let vat = Some(work.vat);
    let closed: Result<(), ClosingRefusal> = find(&work.store, &Request::CloseMonth { month, vat })?;
    closed.map_err(|refusal| unchanged(of_closing(refusal), back))?;
    tracing::info!(%month, "a month was closed at the desk");
    Ok(see(address(
        "/abrechnung",
        [("month", Some(&*text)), ("notice", Some("closed"))],
    )))
}
