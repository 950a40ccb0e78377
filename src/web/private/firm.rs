//! A firm's page for one inquiry: what it is about, two buttons, and, once it has accepted, the contact data and a form for what became
//! of the inquiry.

use hyper::{Response, StatusCode};
use uuid::Uuid;

use super::failure::PageFailure;
use super::form::PrivateForm;
use super::{describe, page, visitor};
use crate::domain::commission::{Euro, Outcome};
use crate::domain::ledger::{Acceptance, OutcomeRefusal};
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::{Change, InquiryRecord, Refusal, SignedToken};
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::{FirmPage, OutcomeContext};
use crate::store::{Store, UpdateError};
use crate::web::app::App;

/// The query of the page that says that the outcome is stored.
const SAVED: &str = "gespeichert";

/// What is wrong where an order has no sum.
const SUM_MISSING: &str = "Bitte geben Sie die Auftragssumme netto in Euro an.";

/// What is wrong with any other sum. It says what [`Euro::parse_german`] takes.
const SUM_WRONG: &str = "Bitte geben Sie die Auftragssumme so an: 1.234,50. Höchstens zwei Stellen nach dem Komma, Punkte nur vor je drei \
                         Ziffern, von 0 bis 9.999.999,99 Euro.";

/// What is wrong where no answer is chosen.
const CHOICE_MISSING: &str = "Bitte wählen Sie, was aus der Anfrage geworden ist.";

/// What a token is for.
struct Found<'a> {
    store: &'a Store,
    firm: FirmId,
    inquiry: Uuid,
    /// The inquiry, and the firm's number in it; `None` once it is erased.
    record: Option<(InquiryRecord, u8)>,
    /// What the ledger has of it, and whether the month is closed; `None` unless the firm has accepted.
    acceptance: Option<(Acceptance, bool)>,
}

/// Shows how the inquiry stands for the firm.
pub async fn show(app: &App, token: &str, query: Option<&str>) -> Result<Response<Body>, PageFailure> {
    let found = find(app, token).await?;
    let mut outcome = found.outcome();
    if let Some(outcome) = &mut outcome {
        outcome.is_saved = query == Some(SAVED);
    }
    respond(app, StatusCode::OK, token, &found, outcome)
}

/// Returns the inquiry if the firm may see its photos.
pub async fn with_photos<'a>(app: &'a App, token: &str) -> Result<(&'a Store, InquiryRecord), PageFailure> {
    let found = find(app, token).await?;
    let (record, number) = found.record.ok_or(PageFailure::Gone)?;
    let asked = record.referral.firm(number).ok_or(PageFailure::Gone)?;
    if !describe::shows_photos(describe::firm_state(&record.referral, asked, &app.policy())) {
        return Err(PageFailure::Gone);
    }
    Ok((found.store, record))
}

/// Notes what the firm answers: whether it takes the inquiry, or what became of it.
pub async fn answer(app: &App, token: &str, form: &PrivateForm) -> Result<Response<Body>, PageFailure> {
    let found = find(app, token).await?;
    if form.value("outcome").is_some() || form.value("net_sum").is_some() {
        return note_outcome(app, token, found, form).await;
    }
    let (record, number) = found.record.as_ref().ok_or(PageFailure::Gone)?;
    let change = match form.value("answer").as_deref() {
        Some("accept") => {
            let policy = app.policy();
            match form.value("cost") {
                // A program that knows only the button takes the price as it is.
                None => Change::Accept(*number),
                Some(read) if read == describe::cost(&policy, &found.firm).unwrap_or_default() => {
                    let configured = Firm::find(&policy.firms, &found.firm);
                    Change::AcceptAt(*number, configured.and_then(|firm| firm.commission))
                }
                Some(_) => return other_price(app, token, &found),
            }
        }
        Some("decline") => Change::Decline(*number),
        _ => return Err(PageFailure::Refused(StatusCode::BAD_REQUEST)),
    };
    // The page says what came of it, also that it was too late.
    match found.store.update(record.id, change).await {
        Ok(_)
        | Err(UpdateError::Refused(
            Refusal::TooLate | Refusal::UnknownFirm | Refusal::Withdrawn | Refusal::Answered,
        )) => Ok(page::see_other(app, &PrivatePath::Firm(token), None)),
        // It has changed since the page was compared with the configuration.
        Err(UpdateError::Refused(Refusal::OtherPrice)) => other_price(app, token, &found),
        Err(error) => Err(error.into()),
    }
}

/// Shows the page with the price that accepting has now.
fn other_price(app: &App, token: &str, found: &Found<'_>) -> Result<Response<Body>, PageFailure> {
    let mut page = found.page(app, token).ok_or(PageFailure::Gone)?;
    page.is_price_new = true;
    Ok(page::response(app, StatusCode::CONFLICT, PageKind::Firm, &page)?)
}

async fn note_outcome(
    app: &App,
    token: &str,
    found: Found<'_>,
    form: &PrivateForm,
) -> Result<Response<Body>, PageFailure> {
    // Only a firm that has accepted has the form.
    let mut shown = found
        .outcome()
        .ok_or(PageFailure::Refused(StatusCode::BAD_REQUEST))?;
    let chosen = form.value("outcome").unwrap_or_default();
    let net_sum = form.value("net_sum").unwrap_or_default();
    let outcome = match parse(&chosen, net_sum.trim()) {
        Ok(outcome) => outcome,
        Err(error) => {
            // What was sent stays in the form.
            shown.error = Some(error);
            shown.chosen = chosen;
            shown.net_sum = net_sum;
            return respond(app, StatusCode::BAD_REQUEST, token, &found, Some(shown));
        }
    };
    let noted = found
        .store
        .note_outcome(found.inquiry, found.firm, outcome)
        .await?;
    match noted {
        Ok(()) => Ok(page::see_other(app, &PrivatePath::Firm(token), Some(SAVED))),
        Err(OutcomeRefusal::Unknown) => Err(PageFailure::Gone),
        Err(OutcomeRefusal::Closed | OutcomeRefusal::TooLate) => {
            // As it stands now.
            let found = find(app, token).await?;
            let mut outcome = found.outcome();
            if let Some(outcome) = &mut outcome {
                outcome.is_refused = true;
            }
            respond(app, StatusCode::CONFLICT, token, &found, outcome)
        }
    }
}

/// Returns what a firm says that became of an inquiry, or what is wrong with it.
fn parse(chosen: &str, net_sum: &str) -> Result<Outcome, &'static str> {
    match chosen {
        "open" => Ok(Outcome::Open),
        "none" => Ok(Outcome::None),
        "order" if net_sum.is_empty() => Err(SUM_MISSING),
        "order" => Euro::parse_german(net_sum)
            .map(Outcome::Order)
            .map_err(|_| SUM_WRONG),
        _ => Err(CHOICE_MISSING),
    }
}

fn respond(
    app: &App,
    status: StatusCode,
    token: &str,
    found: &Found<'_>,
    outcome: Option<OutcomeContext>,
) -> Result<Response<Body>, PageFailure> {
    let mut data = found.page(app, token).ok_or(PageFailure::Gone)?;
    data.outcome = outcome;
    Ok(page::response(app, status, PageKind::Firm, &data)?)
}

impl Found<'_> {
    fn page(&self, app: &App, token: &str) -> Option<FirmPage> {
        match (&self.record, &self.acceptance) {
            (Some((record, number)), _) => describe::firm(record, *number, &app.policy(), token),
            (None, Some((acceptance, _))) => Some(describe::erased(acceptance, token)),
            (None, None) => None,
        }
    }

    fn outcome(&self) -> Option<OutcomeContext> {
        let (acceptance, is_closed) = self.acceptance.as_ref()?;
        Some(describe::outcome(acceptance, *is_closed, self.store.now()))
    }
}

/// Returns what a token is for. An erased inquiry has a page only for a firm that has accepted it, and only as long as that firm may say
/// what became of it.
async fn find<'a>(app: &'a App, token: &str) -> Result<Found<'a>, PageFailure> {
    let store = app.store.as_deref().ok_or(PageFailure::Gone)?;
    let token = SignedToken::parse(token).ok_or(PageFailure::WrongToken)?;
    let inquiry = token.subject;
    // Who was asked stands with the inquiry, and who has accepted in the ledger. Where both are gone, nobody can tell an old token from a
    // guess.
    let record = visitor::read(store, inquiry).await?;
    let is_meant = |firm: &FirmId| store.secret().is_firm(&token, firm);
    let numbered = record.and_then(|record| {
        let (number, firm, has_accepted) = {
            let mut asked = record.referral.numbered();
            let (number, asked) = asked.find(|(_, asked)| is_meant(&asked.firm))?;
            (number, asked.firm.clone(), asked.answer.is_accepted())
        };
        Some((record, number, firm, has_accepted))
    });
    if let Some((record, number, firm, has_accepted)) = numbered {
        let acceptance = if has_accepted {
            find_acceptance(store, inquiry, |known| *known == firm).await?
        } else {
            None
        };
        return Ok(Found {
            store,
            firm,
            inquiry,
            record: Some((record, number)),
            acceptance,
        });
    }
    let (acceptance, is_closed) = find_acceptance(store, inquiry, is_meant)
        .await?
        .ok_or(PageFailure::WrongToken)?;
    if !acceptance.is_changeable(store.now()) {
        return Err(PageFailure::Gone);
    }
    Ok(Found {
        store,
        firm: acceptance.firm.clone(),
        inquiry,
        record: None,
        acceptance: Some((acceptance, is_closed)),
    })
}

async fn find_acceptance(
    store: &Store,
    inquiry: Uuid,
    is_meant: impl Fn(&FirmId) -> bool,
) -> Result<Option<(Acceptance, bool)>, PageFailure> {
    let acceptances = store.acceptances(inquiry).await?;
    Ok(acceptances
        .into_iter()
        .find(|(acceptance, _)| is_meant(&acceptance.firm)))
}
