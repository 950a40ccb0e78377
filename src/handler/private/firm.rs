//! A firm's page for one inquiry: what it is about, two buttons, and the contact data once it has accepted.

use hyper::{Response, StatusCode};

use super::failure::Failure;
use super::form::Form;
use super::{describe, page, visitor};
use crate::handler::app::App;
use crate::http::response::Body;
use crate::referral::{Change, InquiryRecord, Refusal, SignedToken};
use crate::store::{Store, UpdateError};
use crate::templates::PageKind;
use crate::text::private_path::PrivatePath;

/// Shows how the inquiry stands for the firm.
pub async fn show(app: &App, token: &str) -> Result<Response<Body>, Failure> {
    let (_, record, number) = find(app, token).await?;
    let policy = app.policy();
    let data = describe::firm(&record, number, &policy, app.templates.labels(), token);
    let data = data.ok_or(Failure::Gone)?;
    Ok(page::response(app, StatusCode::OK, PageKind::Firm, &data)?)
}

/// Notes whether the firm takes the inquiry. The page says what came of it, also that it was too late.
pub async fn answer(app: &App, token: &str, form: &Form) -> Result<Response<Body>, Failure> {
    let (store, record, number) = find(app, token).await?;
    let change = match form.value("answer").as_deref() {
        Some("accept") => Change::Accept(number),
        Some("decline") => Change::Decline(number),
        _ => return Err(Failure::Refused(StatusCode::BAD_REQUEST)),
    };
    match store.update(record.id, change).await {
        Ok(_) | Err(UpdateError::Refused(Refusal::TooLate | Refusal::Withdrawn | Refusal::Answered)) => {
            Ok(page::see_other(app, &PrivatePath::Firm(token), None))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns what is known of the inquiry that a token is for, and the number of the firm that it is for.
async fn find<'a>(app: &'a App, token: &str) -> Result<(&'a Store, InquiryRecord, u8), Failure> {
    let store = app.store.as_deref().ok_or(Failure::Gone)?;
    let token = SignedToken::parse(token).ok_or(Failure::WrongToken)?;
    // Who was asked stands with the inquiry. Where that is gone, nobody can tell an old token from a guess.
    let record = visitor::read(store, token.subject).await?;
    let record = record.ok_or(Failure::WrongToken)?;
    let mut asked = record.referral.numbered();
    let found = asked.find(|(_, asked)| store.secret().is_firm(&token, &asked.firm));
    let (number, _) = found.ok_or(Failure::WrongToken)?;
    drop(asked);
    Ok((store, record, number))
}
