//! A visitor's page: the state of the inquiry, and forms to add details, correct the number, review firms and withdraw.

use hyper::{Response, StatusCode};
use jiff::Timestamp;
use uuid::Uuid;

use super::{describe, page};
use crate::domain::inquiry::{Correction, with_storey};
use crate::domain::ledger::Acceptance;
use crate::domain::matching::FirmId;
use crate::domain::referral::{Change, DeliveryState, InquiryRecord, Message, Refusal, Review, Status};
use crate::outbox::Farewell;
use crate::site::http::response::Body;
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::{SentReview, VisitorNotice, VisitorPage};
use crate::store::{Store, UpdateError};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::inquiries::clean;
use crate::web::posted::Fields;

/// Query that makes the page show that an addition was saved.
const SAVED: &str = "gespeichert";

/// The same query for reviews.
const REVIEW_SAVED: &str = "bewertet";
const REVIEW_REMOVED: &str = "bewertung-geloescht";

/// The same query for photos.
pub const PHOTOS_SAVED: &str = "fotos-gespeichert";
pub const PHOTO_REMOVED: &str = "foto-entfernt";

/// The same query for the consent to be called.
const CALLS_REVOKED: &str = "anrufe-widerrufen";

/// The same query for the telephone number, and its form field.
const PHONE_SAVED: &str = "nummer-gespeichert";
const PHONE: &str = "phone_number";

/// The form field with the firm's id, which only the review form has.
const FIRM: &str = "review";

/// The form field that only the form for withdrawing the consent to be called has.
const REVOKE: &str = "revoke_calls";

/// An inquiry found by its visitor's token.
pub struct VisitorInquiry<'a> {
    app: &'a App,
    token: &'a str,
    /// The store that contains it.
    pub store: &'a Store,
    /// The inquiry with its referral.
    pub record: InquiryRecord,
    /// What the firms that have accepted reported.
    acceptances: Vec<Acceptance>,
}

impl<'a> VisitorInquiry<'a> {
    /// Finds the inquiry of a token.
    pub async fn find(app: &'a App, token: &'a str) -> Result<Self, ApiError> {
        let store = super::store(app).await?;
        let id = store.secret().visitor_inquiry(token);
        let record = read(store, id.ok_or_else(ApiError::wrong_token)?).await?;
        let record = record.ok_or_else(ApiError::not_found)?;
        let acceptances = match record.referral.accepted() {
            0 => Vec::new(),
            _ => store.acceptances(record.id).await?,
        };
        Ok(Self {
            app,
            token,
            store,
            record,
            acceptances,
        })
    }

    /// Shows the state of the inquiry.
    pub fn show(&self, query: Option<&str>) -> Response<Body> {
        let mut data = self.data();
        data.notice = match query {
            Some(SAVED) => Some(VisitorNotice::Saved),
            Some(PHONE_SAVED) => Some(VisitorNotice::PhoneSaved),
            Some(REVIEW_SAVED) => Some(VisitorNotice::ReviewSaved),
            Some(REVIEW_REMOVED) => Some(VisitorNotice::ReviewRemoved),
            Some(PHOTOS_SAVED) => Some(VisitorNotice::PhotosSaved),
            Some(PHOTO_REMOVED) => Some(VisitorNotice::PhotoRemoved),
            Some(CALLS_REVOKED) => Some(VisitorNotice::CallsRevoked),
            _ => None,
        };
        self.respond(StatusCode::OK, &data)
    }

    /// Shows why photos were refused.
    pub fn show_photo_error(&self, error: &ApiError) -> Response<Body> {
        let mut data = self.data();
        data.photo_error = Some(error.body().message.to_string());
        let mut response = self.respond(error.status(), &data);
        error.complete(&mut response);
        response
    }

    /// Stores the input of one of the page's forms.
    pub async fn change(&self, form: &Fields) -> Result<Response<Body>, ApiError> {
        match form.typed(FIRM) {
            Some(id) => self.review(id, form).await,
            None if form.typed(REVOKE).is_some() => self.update(Change::RevokeCalls, CALLS_REVOKED).await,
            None => match form.typed(PHONE) {
                Some(number) => self.correct_phone(number).await,
                None => self.add(form).await,
            },
        }
    }

    /// Corrects the telephone number, which the page never shows.
    async fn correct_phone(&self, number: &str) -> Result<Response<Body>, ApiError> {
        match Correction::of_phone(number) {
            Ok(correction) => self.update(Change::Correct(correction, None), PHONE_SAVED).await,
            Err(error) => {
                let mut data = self.data();
                (data.phone, data.phone_error) = (number.to_owned(), Some(error));
                Ok(self.respond(StatusCode::BAD_REQUEST, &data))
            }
        }
    }

    /// Stores the visitor's review of a firm that has accepted, or removes it.
    async fn review(&self, id: &str, form: &Fields) -> Result<Response<Body>, ApiError> {
        let referral = &self.record.referral;
        if matches!(referral.status, Status::Withdrawn(_)) {
            // The page shows that it is withdrawn.
            return Ok(self.back(None));
        }
        let id = FirmId::parse(id).ok();
        let id = id.filter(|id| referral.accepted_by().any(|firm| firm == id));
        let id = id.ok_or_else(|| ApiError::malformed(FIRM))?;
        if form.typed("take_back").is_some() {
            return self.update(Change::Review(id, None), REVIEW_REMOVED).await;
        }
        let page = self.data();
        if page
            .reviews
            .iter()
            .any(|shown| shown.firm == id && shown.opens.is_some())
        {
            // The page shows when the form opens.
            return Ok(self.respond(StatusCode::FORBIDDEN, &page));
        }
        let typed = |name| form.typed(name).unwrap_or_default().to_owned();
        let sent = SentReview {
            stars: typed("stars"),
            text: typed("text"),
            name: typed("name"),
            consent: form.typed("consent").is_some(),
        };
        match Review::parse(&sent.stars, &sent.text, &sent.name, sent.consent) {
            Ok(new) => self.update(Change::Review(id, Some(new)), REVIEW_SAVED).await,
            Err(faults) => {
                let mut data = page;
                for shown in data.reviews.iter_mut().filter(|shown| shown.firm == id) {
                    shown.set_faults(sent.clone(), &faults);
                }
                data.notice = Some(VisitorNotice::ReviewFaulty);
                Ok(self.respond(StatusCode::BAD_REQUEST, &data))
            }
        }
    }

    /// Stores additional details for firms.
    async fn add(&self, form: &Fields) -> Result<Response<Body>, ApiError> {
        let sent = form.typed("addition");
        let sent = sent.ok_or_else(|| ApiError::malformed("addition"))?;
        let sent = with_storey(form.typed("storey").unwrap_or_default(), sent);
        if let Some(addition) = clean(&sent) {
            return self.update(Change::Add(addition), SAVED).await;
        }
        let mut data = self.data().with_additions(&sent);
        data.notice = Some(VisitorNotice::TooLong);
        Ok(self.respond(StatusCode::BAD_REQUEST, &data))
    }

    /// Asks for confirmation of a withdrawal.
    pub fn ask(&self) -> Response<Body> {
        if matches!(self.record.referral.status, Status::Withdrawn(_)) {
            return self.show(None);
        }
        let question = describe::withdrawal(&self.record, self.token);
        page::response(self.app, StatusCode::OK, PageKind::VisitorWithdraw, &question)
    }

    /// Withdraws the inquiry and erases the visitor's data.
    pub async fn withdraw(&self) -> Result<Response<Body>, ApiError> {
        self.store.update(self.record.id, Change::Withdraw).await?;
        if let Some(farewell) = farewell(&self.record) {
            self.app.farewells.take(farewell);
        }
        Ok(self.back(None))
    }

    /// Makes a change, and redirects to the page with a query that confirms it.
    async fn update(&self, change: Change, query: &str) -> Result<Response<Body>, ApiError> {
        match self.store.update(self.record.id, change).await {
            Ok(_) => Ok(self.back(Some(query))),
            // The page shows that it is withdrawn.
            Err(UpdateError::Refused(Refusal::Withdrawn)) => Ok(self.back(None)),
            Err(error) => Err(error.into()),
        }
    }

    /// Redirects to the page, with a query that says what has happened.
    pub fn back(&self, query: Option<&str>) -> Response<Body> {
        let address = PrivatePath::Visitor(self.token);
        page::redirect(self.app, &address, query)
    }

    fn data(&self) -> VisitorPage {
        describe::visitor(
            &self.record,
            &self.acceptances,
            &self.app.policy(),
            self.token,
            self.store.now(),
        )
    }

    fn respond(&self, status: StatusCode, data: &VisitorPage) -> Response<Body> {
        page::visitor(self.app, status, data)
    }
}

/// The mail that confirms a withdrawal, if the visitor has had mail about the inquiry. The store no longer has the address.
fn farewell(record: &InquiryRecord) -> Option<Farewell> {
    let has_mail = record.referral.deliveries.iter().any(|delivery| {
        let is_to_visitor = matches!(
            delivery.message,
            Message::VisitorReceived | Message::VisitorNobody | Message::VisitorAccepted(_)
        );
        is_to_visitor && matches!(delivery.state, DeliveryState::Delivered(_))
    });
    let inquiry = record.inquiry.as_ref().filter(|_| has_mail)?;
    Some(Farewell {
        inquiry: record.id,
        created_at: record.created_at(),
        address: inquiry.answers.email_address.as_str().to_owned(),
        asked_count: record.referral.reached().count(),
    })
}

/// Reads an inquiry. `None` if no page may show it any longer.
pub async fn read(store: &Store, id: Uuid) -> Result<Option<InquiryRecord>, ApiError> {
    let is_shown = |record: &InquiryRecord| match record.referral.status {
        Status::Erased(_) | Status::Notice(_) => false,
        Status::Withdrawn(_) => !record.referral.is_over(Timestamp::now()),
        Status::Active | Status::Quarantined(_) | Status::Released(_) => record.inquiry.is_some(),
    };
    Ok(store.record(id).await?.filter(is_shown))
}
