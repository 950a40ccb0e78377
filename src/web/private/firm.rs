//! A firm's page for one inquiry: a summary, two buttons and, once the firm has accepted, the contact details and a form for the
//! outcome.

use std::sync::Arc;

use hyper::{Response, StatusCode};
use uuid::Uuid;

use super::{describe, page, visitor};
use crate::domain::commission::{Euro, Outcome};
use crate::domain::ledger::LedgerRefusal;
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::{Change, HandlingPolicy, InquiryRecord, Refusal, SignedToken};
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::FirmPage;
use crate::store::{Store, UpdateError};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::posted::Fields;

/// Query that makes the page show that the outcome was saved.
const SAVED: &str = "gespeichert";

/// Error for an order without a sum.
const SUM_MISSING: &str = "Bitte geben Sie die Auftragssumme netto in Euro an.";

/// Error for a sum that [`Euro::parse_german`] refuses; explains the format.
const SUM_WRONG: &str = "Bitte geben Sie die Auftragssumme so an: 1.234,50. Höchstens zwei Stellen nach dem Komma, Punkte nur vor je drei \
                         Ziffern, von 0 bis 9.999.999,99 Euro.";

/// Error for a missing choice.
const CHOICE_MISSING: &str = "Bitte wählen Sie, was aus der Anfrage geworden ist.";

/// An inquiry about which a firm was asked.
struct FirmInquiry<'a> {
    app: &'a App,
    policy: Arc<HandlingPolicy>,
    token: &'a str,
    store: &'a Store,
    firm: FirmId,
    inquiry: Uuid,
    /// The inquiry and the firm's number in it. `None` once the inquiry is erased.
    record: Option<(InquiryRecord, u8)>,
    /// The page, according to the policy.
    page: FirmPage,
}

/// Shows the state of the inquiry to the firm.
pub async fn show(app: &App, token: &str, query: Option<&str>) -> Result<Response<Body>, ApiError> {
    let mut found = FirmInquiry::find(app, token).await?;
    if let Some(outcome) = &mut found.page.outcome {
        outcome.is_saved = query == Some(SAVED);
    }
    Ok(found.respond(StatusCode::OK))
}

/// The inquiry, if the firm may see its photos.
pub async fn with_photos<'a>(app: &'a App, token: &'a str) -> Result<(&'a Store, InquiryRecord), ApiError> {
    let found = FirmInquiry::find(app, token).await?;
    let record = found.record.filter(|_| describe::shows_photos(found.page.state));
    let (record, _) = record.ok_or_else(ApiError::not_found)?;
    Ok((found.store, record))
}

/// Records a firm's answer: whether it accepts the inquiry, or the outcome.
pub async fn answer(app: &App, token: &str, form: &Fields) -> Result<Response<Body>, ApiError> {
    let found = FirmInquiry::find(app, token).await?;
    if form.typed("outcome").is_some() || form.typed("net_sum").is_some() {
        return found.note_outcome(form).await;
    }
    let record = found.record.as_ref();
    let &(_, number) = record.ok_or_else(ApiError::not_found)?;
    let change = match (form.typed("answer"), form.typed("cost")) {
        // A client that sends only the button accepts any price.
        (Some("accept"), None) => Change::Accept(number),
        (Some("accept"), Some(read)) if read == found.page.cost.as_deref().unwrap_or_default() => {
            let configured = Firm::find(&found.policy.firms, &found.firm);
            Change::AcceptAt(number, configured.and_then(|firm| firm.commission))
        }
        (Some("accept"), Some(_)) => return Ok(found.show_other_price()),
        (Some("decline"), _) => Change::Decline(number),
        _ => return Err(ApiError::malformed("answer")),
    };
    // The page shows the result, even if the answer was too late.
    match found.store.update(found.inquiry, change).await {
        Ok(_)
        | Err(UpdateError::Refused(
            Refusal::TooLate | Refusal::UnknownFirm | Refusal::Withdrawn | Refusal::Answered,
        )) => Ok(found.back(None)),
        // The price has changed since the page was compared with the configuration.
        Err(UpdateError::Refused(Refusal::OtherPrice)) => {
            Ok(FirmInquiry::find(app, token).await?.show_other_price())
        }
        Err(error) => Err(error.into()),
    }
}

/// Parses the outcome that a firm reports, or returns the error to show.
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
    /// Finds the inquiry of a token. Once it is erased, only a firm that has accepted still has a page, and only while it may
    /// change the outcome.
    async fn find(app: &'a App, token: &'a str) -> Result<Self, ApiError> {
        let store = super::store(app).await?;
        let policy = app.policy();
        let signed = SignedToken::parse(token).ok_or_else(ApiError::wrong_token)?;
        let inquiry = signed.subject;
        let is_meant = |firm: &FirmId| store.secret().is_firm(&signed, firm);
        // The inquiry lists the firms that were asked, and the ledger those that have accepted. Once both are gone, an old token
        // cannot be distinguished from a guess.
        let record = visitor::read(store, inquiry).await?;
        let asked = record
            .iter()
            .flat_map(|record| record.referral.numbered())
            .find(|(_, asked)| is_meant(&asked.firm));
        let mut acceptances = store.acceptances(inquiry).await?.into_iter();
        let accepted = acceptances.find(|acceptance| is_meant(&acceptance.firm));
        let (number, firm, mut page) = match (&record, asked, &accepted) {
            (Some(record), Some((number, asked)), _) => {
                let page = describe::firm(record, asked, &policy, token);
                (Some(number), asked.firm.clone(), page)
            }
            (_, _, Some(acceptance)) if acceptance.is_changeable(store.now()) => {
                (None, acceptance.firm.clone(), describe::erased(acceptance, token))
            }
            (_, _, Some(_)) => return Err(ApiError::not_found()),
            (_, _, None) => return Err(ApiError::wrong_token()),
        };
        page.outcome = accepted.map(|acceptance| describe::outcome(&acceptance, store.now(), policy.vat));
        Ok(Self {
            app,
            policy,
            token,
            store,
            firm,
            inquiry,
            record: record.zip(number),
            page,
        })
    }

    async fn note_outcome(mut self, form: &Fields) -> Result<Response<Body>, ApiError> {
        let chosen = form.typed("outcome").unwrap_or_default();
        let net_sum = form.typed("net_sum").unwrap_or_default();
        // Only a firm that has accepted has the form.
        let shown = self.page.outcome.as_mut();
        let shown = shown.ok_or_else(|| ApiError::malformed("outcome"))?;
        let outcome = match parse(chosen, net_sum.trim()) {
            Ok(outcome) => outcome,
            Err(error) => {
                // Keep the firm's input in the form.
                shown.error = Some(error);
                chosen.clone_into(&mut shown.chosen);
                net_sum.clone_into(&mut shown.net_sum);
                return Ok(self.respond(StatusCode::BAD_REQUEST));
            }
        };
        let noted = self.store.note_outcome(self.inquiry, self.firm.clone(), outcome);
        match noted.await? {
            Ok(()) => Ok(self.back(Some(SAVED))),
            Err(LedgerRefusal::NotAccepted) => Err(ApiError::not_found()),
            Err(_) => {
                // Reload, to show the current state.
                let mut found = Self::find(self.app, self.token).await?;
                if let Some(outcome) = &mut found.page.outcome {
                    outcome.is_refused = true;
                }
                Ok(found.respond(StatusCode::CONFLICT))
            }
        }
    }

    /// Shows the page with the current price of accepting.
    fn show_other_price(mut self) -> Response<Body> {
        self.page.is_price_new = true;
        self.respond(StatusCode::CONFLICT)
    }

    /// Redirects to the page, with a query that says what has happened.
    fn back(&self, query: Option<&str>) -> Response<Body> {
        let address = PrivatePath::Firm(self.token);
        page::redirect(self.app, &address, query)
    }

    fn respond(&self, status: StatusCode) -> Response<Body> {
        page::response(self.app, status, PageKind::Firm, &self.page)
    }
}
