//! A firm's page for one inquiry: what it is about, two buttons, and, once it has accepted, the contact data and a form for what became
//! of the inquiry.

use hyper::{Response, StatusCode};
use uuid::Uuid;

use super::failure::PageFailure;
use super::{describe, page, visitor};
use crate::domain::commission::{Euro, Outcome};
use crate::domain::ledger::{Acceptance, OutcomeRefusal};
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::{Change, InquiryRecord, Refusal, SignedToken};
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::FirmPage;
use crate::store::{Store, UpdateError};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::posted::Fields;

/// The query of the page that says that the outcome is stored.
const SAVED: &str = "gespeichert";

/// What is wrong where an order has no sum.
const SUM_MISSING: &str = "Bitte geben Sie die Auftragssumme netto in Euro an.";

/// What is wrong with any other sum. It says what [`Euro::parse_german`] takes.
const SUM_WRONG: &str = "Bitte geben Sie die Auftragssumme so an: 1.234,50. Höchstens zwei Stellen nach dem Komma, Punkte nur vor je drei \
                         Ziffern, von 0 bis 9.999.999,99 Euro.";

/// What is wrong where no answer is chosen.
const CHOICE_MISSING: &str = "Bitte wählen Sie, was aus der Anfrage geworden ist.";

/// An inquiry that a firm was asked about.
struct FirmInquiry<'a> {
    app: &'a App,
    token: &'a str,
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
    let found = FirmInquiry::find(app, token).await?;
    let mut page = found.page()?;
    if let Some(outcome) = &mut page.outcome {
        outcome.is_saved = query == Some(SAVED);
    }
    found.respond(StatusCode::OK, &page)
}

/// Returns the inquiry if the firm may see its photos.
pub async fn with_photos<'a>(
    app: &'a App,
    token: &'a str,
) -> Result<(&'a Store, InquiryRecord), PageFailure> {
    let found = FirmInquiry::find(app, token).await?;
    let (record, number) = found.record.ok_or(PageFailure::Gone)?;
    let asked = record.referral.firm(number).ok_or(PageFailure::Gone)?;
    if !describe::shows_photos(describe::firm_state(&record.referral, asked, &app.policy())) {
        return Err(PageFailure::Gone);
    }
    Ok((found.store, record))
}

/// Notes what the firm answers: whether it takes the inquiry, or what became of it.
pub async fn answer(app: &App, token: &str, form: &Fields) -> Result<Response<Body>, PageFailure> {
    let found = FirmInquiry::find(app, token).await?;
    if form.typed("outcome").is_some() || form.typed("net_sum").is_some() {
        return found.note_outcome(form).await;
    }
    let (record, number) = found.record.as_ref().ok_or(PageFailure::Gone)?;
    let change = match form.typed("answer") {
        Some("accept") => {
            let policy = app.policy();
            match form.typed("cost") {
                // A program that knows only the button takes the price as it is.
                None => Change::Accept(*number),
                Some(read) if read == describe::cost(&policy, &found.firm).unwrap_or_default() => {
                    let configured = Firm::find(&policy.firms, &found.firm);
                    Change::AcceptAt(*number, configured.and_then(|firm| firm.commission))
                }
                Some(_) => return found.show_other_price(),
            }
        }
        Some("decline") => Change::Decline(*number),
        _ => return Err(ApiError::malformed("answer").into()),
    };
    // The page says what came of it, also that it was too late.
    match found.store.update(record.id, change).await {
        Ok(_)
        | Err(UpdateError::Refused(
            Refusal::TooLate | Refusal::UnknownFirm | Refusal::Withdrawn | Refusal::Answered,
        )) => Ok(found.back(None)),
        // It has changed since the page was compared with the configuration.
        Err(UpdateError::Refused(Refusal::OtherPrice)) => found.show_other_price(),
        Err(error) => Err(error.into()),
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

impl<'a> FirmInquiry<'a> {
    /// Returns what a token is for. An erased inquiry has a page only for a firm that has accepted it, and only as long as that firm may
    /// say what became of it.
    async fn find(app: &'a App, token: &'a str) -> Result<Self, PageFailure> {
        let store = super::store(app).await?;
        let signed = SignedToken::parse(token).ok_or(PageFailure::WrongToken)?;
        let inquiry = signed.subject;
        let is_meant = |firm: &FirmId| store.secret().is_firm(&signed, firm);
        // Who was asked stands with the inquiry, and who has accepted in the ledger. Where both are gone, nobody can tell an old token from a
        // guess.
        let asked = visitor::read(store, inquiry).await?.and_then(|record| {
            let (number, firm) = {
                let mut asked = record.referral.numbered();
                let (number, asked) = asked.find(|(_, asked)| is_meant(&asked.firm))?;
                (number, asked.firm.clone())
            };
            Some(((record, number), firm))
        });
        let mut acceptances = store.acceptances(inquiry).await?.into_iter();
        let acceptance = acceptances.find(|(acceptance, _)| is_meant(&acceptance.firm));
        let (record, firm) = match (asked, &acceptance) {
            (Some((record, firm)), _) => (Some(record), firm),
            (None, Some((acceptance, _))) if acceptance.is_changeable(store.now()) => {
                (None, acceptance.firm.clone())
            }
            (None, Some(_)) => return Err(PageFailure::Gone),
            (None, None) => return Err(PageFailure::WrongToken),
        };
        Ok(Self {
            app,
            token,
            store,
            firm,
            inquiry,
            record,
            acceptance,
        })
    }

    async fn note_outcome(&self, form: &Fields) -> Result<Response<Body>, PageFailure> {
        let chosen = form.typed("outcome").unwrap_or_default();
        let net_sum = form.typed("net_sum").unwrap_or_default();
        let mut page = self.page()?;
        // Only a firm that has accepted has the form.
        let shown = page.outcome.as_mut();
        let shown = shown.ok_or_else(|| ApiError::malformed("outcome"))?;
        let outcome = match parse(chosen, net_sum.trim()) {
            Ok(outcome) => outcome,
            Err(error) => {
                // What was sent stays in the form.
                shown.error = Some(error);
                chosen.clone_into(&mut shown.chosen);
                net_sum.clone_into(&mut shown.net_sum);
                return self.respond(StatusCode::BAD_REQUEST, &page);
            }
        };
        let noted = self.store.note_outcome(self.inquiry, self.firm.clone(), outcome);
        match noted.await? {
            Ok(()) => Ok(self.back(Some(SAVED))),
            Err(OutcomeRefusal::Unknown) => Err(PageFailure::Gone),
            Err(OutcomeRefusal::Closed | OutcomeRefusal::TooLate) => {
                // As it stands now.
                let found = Self::find(self.app, self.token).await?;
                let mut page = found.page()?;
                if let Some(outcome) = &mut page.outcome {
                    outcome.is_refused = true;
                }
                found.respond(StatusCode::CONFLICT, &page)
            }
        }
    }

    /// Shows the page with the price that accepting has now.
    fn show_other_price(&self) -> Result<Response<Body>, PageFailure> {
        let mut page = self.page()?;
        page.is_price_new = true;
        self.respond(StatusCode::CONFLICT, &page)
    }

    /// Leads back to the page, which says by this query what has happened.
    fn back(&self, query: Option<&str>) -> Response<Body> {
        page::see_other(self.app, &PrivatePath::Firm(self.token), query)
    }

    fn respond(&self, status: StatusCode, page: &FirmPage) -> Result<Response<Body>, PageFailure> {
        Ok(page::response(self.app, status, PageKind::Firm, page)?)
    }

    /// Describes the page.
    fn page(&self) -> Result<FirmPage, PageFailure> {
        let (app, token) = (self.app, self.token);
        let page = match (&self.record, &self.acceptance) {
            (Some((record, number)), _) => describe::firm(record, *number, &app.policy(), token),
            (None, Some((acceptance, _))) => Some(describe::erased(acceptance, token)),
            (None, None) => None,
        };
        let mut page = page.ok_or(PageFailure::Gone)?;
        let accepted = self.acceptance.as_ref();
        page.outcome = accepted
            .map(|(acceptance, is_closed)| describe::outcome(acceptance, *is_closed, self.store.now()));
        Ok(page)
    }
}
