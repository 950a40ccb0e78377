//! Every private page in every state.

use minijinja::context;
use minijinja::value::Value;
use taubenabwehr::domain::inquiry::{Correction, consent_wording, with_storey};
use taubenabwehr::domain::matching::FirmId;
use taubenabwehr::domain::referral::{Review, ReviewFault, ReviewState, Stars, suggested_name};
use taubenabwehr::site::templates::context::{
    AskedState, FirmPage, FirmState, OutcomeContext, OutcomeState, ReviewContext, SentReview, VisitorNotice,
    VisitorPage, VisitorState, photo,
};
use taubenabwehr::site::templates::{BrokenTemplate, PageKind, german_time};

use super::{Stage, cost};

/// A page in one state.
pub struct PageState {
    pub name: &'static str,
    pub kind: PageKind,
    pub html: String,
}
const PATH: &str = "/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";

/// An outcome that a firm may still change.
fn outcome() -> OutcomeContext {
    OutcomeContext {
        state: OutcomeState::Open,
        chosen: "open".to_owned(),
        net_sum: String::new(),
        cost: Some(cost()),
        credit: None,
        until: "18.\u{a0}Februar 2027".to_owned(),
        error: None,
        is_refused: false,
        is_saved: false,
    }
}

/// The photos linked from a page.
fn visitor_page(inquiry: Value, state: VisitorState, firms: Vec<Value>) -> VisitorPage {
    let has_accepted = |firm: &&Value| firm.get_attr("accepted").unwrap().is_true();
    let addition = inquiry.get_attr("addition").unwrap();
    let data = VisitorPage {
        inquiry,
        state,
        asked_count: firms.len(),
        accepted_count: firms.iter().filter(has_accepted).count(),
        firms,
        photo_room: 5,
        photo_action: format!("{PATH}/fotos"),
        sends_photos: state != VisitorState::Withdrawn,
        link: PATH.to_owned(),
        action: PATH.to_owned(),
        ..VisitorPage::default()
    };
    data.with_additions(addition.as_str().unwrap_or_default())
}

fn photos(page: &str) -> Vec<Value> {
    let photos = (1..=4).map(|place| {
        let link = format!("{page}/foto/{place}");
        photo(place, link.clone(), format!("{link}/klein"))
    });
    photos.collect()
}

impl Stage {
    /// Renders every private page in every state.
    pub fn pages(&self) -> Result<Vec<PageState>, BrokenTemplate> {
        let mut states = self.visitor_pages()?;
        states.extend(self.withdraw_pages()?);
        states.extend(self.firm_pages()?);
        for kind in [
            PageKind::Gone,
            PageKind::Refused,
            PageKind::Limited,
            PageKind::Unavailable,
            PageKind::NewsletterConfirmed,
            PageKind::NewsletterUnsubscribed,
            PageKind::NewsletterExpired,
        ] {
            let html = self.templates.page(kind, &context! {})?;
            let name = kind.into();
            states.push(PageState { name, kind, html });
        }
        for kind in [PageKind::NewsletterConfirm, PageKind::NewsletterUnsubscribe] {
            let data = context! { action => "/newsletter/Zm9vYmFy" };
            let html = self.templates.page(kind, &data)?;
            let name = kind.into();
            states.push(PageState { name, kind, html });
        }
        Ok(states)
    }

    /// Review forms: an empty one, one whose review is published, and one that lacks the consent.
    fn reviews(&self) -> Vec<ReviewContext> {
        let at = self.inquiry.created_at;
        let review = |has_consent, state| Review {
            stars: Stars::Four,
            text: self.texts.addition.to_owned(),
            name: self.texts.first_name.to_owned(),
            has_consent,
            at,
            state,
        };
        let stored = [
            None,
            Some(review(true, ReviewState::Published(at))),
            Some(review(false, ReviewState::Waiting)),
        ];
        let firms = [
            self.texts.firm,
            "Hamburger Vogelabwehr",
            "Dachschutz Meier & Söhne GmbH",
        ];
        let contexts = stored
            .iter()
            .zip(firms)
            .enumerate()
            .map(|(index, (review, firm_name))| {
                let firm = FirmId::parse(&format!("firm-{index}")).unwrap();
                let name = suggested_name(&self.inquiry.answers);
                ReviewContext::new(&firm, firm_name, index + 1, review.as_ref(), &name)
            });
        contexts.collect()
    }

    /// The visitor's page with reviews, of which one was sent with these faults.
    fn reviewed(&self, faults: &[ReviewFault], notice: Option<VisitorNotice>) -> VisitorPage {
        let firms = self.firms([AskedState::Accepted; 3]);
        let mut data = visitor_page(self.described(), VisitorState::Running, firms);
        data.answer_until = Some(self.answer_until());
        data.reviews = self.reviews();
        data.notice = notice;
        if let Some(form) = data.reviews.first_mut().filter(|_| !faults.is_empty()) {
            let sent = SentReview {
                text: self.texts.addition.to_owned(),
                name: self.texts.last_name.to_owned(),
                ..SentReview::default()
            };
            form.set_faults(sent, faults);
        }
        data
    }

    fn visitor_pages(&self) -> Result<Vec<PageState>, BrokenTemplate> {
        use AskedState::{Accepted, Asked, Declined, Silent};
        let running = |firms| {
            let mut data = visitor_page(self.described(), VisitorState::Running, firms);
            data.answer_until = Some(self.answer_until());
            data
        };
        let mut with_photos = running(self.firms([Asked; 3]));
        with_photos.photo_room = 1;
        with_photos.photos = photos(PATH);
        with_photos.notice = Some(VisitorNotice::PhotosSaved);
        let mut all_photos = running(self.firms([Asked; 3]));
        (all_photos.photo_room, all_photos.sends_photos) = (0, false);
        all_photos.photos = photos(PATH);
        all_photos.notice = Some(VisitorNotice::PhotoRemoved);
        let mut photo_wrong = running(self.firms([Asked; 3]));
        photo_wrong.photo_error = Some("„haus.heic“ ist kein Foto, das wir lesen können.".to_owned());
        let mut calls = running(self.firms([Accepted; 3]));
        calls.has_consent = true;
        let mut no_calls = running(self.firms([Accepted; 3]));
        (no_calls.has_consent, no_calls.notice) = (true, Some(VisitorNotice::CallsRevoked));
        no_calls.calls_revoked = Some(german_time(self.inquiry.created_at));
        no_calls.reviews = self.reviews();
        if let Some(closed) = no_calls.reviews.first_mut() {
            closed.opens = Some(german_time(self.inquiry.created_at));
        }
        let mut saved = running(self.firms([Asked; 3]));
        saved.notice = Some(VisitorNotice::Saved);
        let long = with_storey("3. Stock", &format!("{}\n", self.texts.addition).repeat(20));
        let mut too_long = running(self.firms([Asked; 3])).with_additions(&long);
        too_long.notice = Some(VisitorNotice::TooLong);
        let mut by_hand_saved = visitor_page(self.described(), VisitorState::ByHand, vec![]);
        by_hand_saved.notice = Some(VisitorNotice::Saved);
        let mut phone_saved = running(self.firms([Accepted, Asked, Asked]));
        phone_saved.notice = Some(VisitorNotice::PhoneSaved);
        let mut phone_wrong = running(self.firms([Asked; 3]));
        "12".clone_into(&mut phone_wrong.phone);
        phone_wrong.phone_error = Correction::of_phone("12").err();
        let nobody = |firms| visitor_page(self.described(), VisitorState::Nobody, firms);
        let withdrawn = |firms| visitor_page(self.reference(), VisitorState::Withdrawn, firms);
        let some = self.firms([Accepted, Silent, Asked]);
        let refused = self.firms([Declined, Silent, Declined]);
        let every_fault = [ReviewFault::NoStars, ReviewFault::LongText, ReviewFault::NoName];
        let states = [
            ("visitor-reviews", self.reviewed(&[], None)),
            (
                "visitor-review-saved",
                self.reviewed(&[], Some(VisitorNotice::ReviewSaved)),
            ),
            (
                "visitor-review-removed",
                self.reviewed(&[], Some(VisitorNotice::ReviewRemoved)),
            ),
            (
                "visitor-review-faulty",
                self.reviewed(&every_fault, Some(VisitorNotice::ReviewFaulty)),
            ),
            (
                "visitor-alone",
                visitor_page(self.bare(), VisitorState::Running, vec![]),
            ),
            (
                "visitor-by-hand",
                visitor_page(self.bare(), VisitorState::ByHand, vec![]),
            ),
            ("visitor-by-hand-saved", by_hand_saved),
            ("visitor-asked-one", running(vec![self.firm(Asked)])),
            ("visitor-asked", running(self.firms([Asked; 3]))),
            ("visitor-accepted", running(some)),
            ("visitor-accepted-three", running(self.firms([Accepted; 3]))),
            ("visitor-calls", calls),
            ("visitor-no-calls", no_calls),
            ("visitor-saved", saved),
            ("visitor-too-long", too_long),
            ("visitor-phone-saved", phone_saved),
            ("visitor-phone-wrong", phone_wrong),
            ("visitor-photos", with_photos),
            ("visitor-photos-all", all_photos),
            ("visitor-photos-wrong", photo_wrong),
            ("visitor-nobody", nobody(vec![])),
            ("visitor-nobody-left", nobody(refused)),
            ("visitor-withdrawn", withdrawn(self.firms([Asked; 3]))),
            ("visitor-withdrawn-alone", withdrawn(vec![])),
        ];
        let kind = PageKind::Visitor;
        let fill = |(name, data)| {
            let html = self.templates.page(kind, &data)?;
            Ok(PageState { name, kind, html })
        };
        states.into_iter().map(fill).collect()
    }

    fn withdraw_pages(&self) -> Result<Vec<PageState>, BrokenTemplate> {
        let kind = PageKind::VisitorWithdraw;
        let states = [
            ("visitor-withdraw", 3),
            ("visitor-withdraw-one", 1),
            ("visitor-withdraw-alone", 0),
        ];
        let fill = |(name, asked_count)| {
            let data = context! {
                inquiry => self.reference(),
                asked_count,
                link => PATH,
                action => format!("{PATH}/zurueckziehen"),
            };
            let html = self.templates.page(kind, &data)?;
            Ok(PageState { name, kind, html })
        };
        states.into_iter().map(fill).collect()
    }

    fn firm_pages(&self) -> Result<Vec<PageState>, BrokenTemplate> {
        let kind = PageKind::Firm;
        let states = [
            ("firm-open", FirmState::Open, self.described(), 3, 3),
            ("firm-open-bare", FirmState::Open, self.bare(), 1, 1),
            ("firm-new-price", FirmState::Open, self.described(), 3, 3),
            ("firm-passed-over", FirmState::PassedOver, self.described(), 3, 3),
            ("firm-accepted", FirmState::Accepted, self.complete(), 3, 3),
            ("firm-no-calls", FirmState::Accepted, self.complete(), 3, 3),
            ("firm-declined", FirmState::Declined, self.reference(), 3, 3),
            ("firm-full", FirmState::Full, self.reference(), 4, 3),
            ("firm-gone", FirmState::Gone, self.reference(), 3, 3),
            ("firm-withdrawn", FirmState::Withdrawn, self.reference(), 3, 3),
            ("firm-erased", FirmState::Erased, self.reference(), 3, 3),
            ("firm-photos", FirmState::Open, self.described(), 3, 3),
            ("firm-photos-accepted", FirmState::Accepted, self.complete(), 3, 3),
            ("firm-outcome-saved", FirmState::Accepted, self.complete(), 3, 3),
            ("firm-outcome-wrong", FirmState::Accepted, self.complete(), 3, 3),
            ("firm-outcome-closed", FirmState::Erased, self.reference(), 3, 3),
        ];
        let order = OutcomeContext {
            chosen: "order".to_owned(),
            net_sum: "1.234,50".to_owned(),
            ..outcome()
        };
        let outcome = |name: &str, state| match (name, state) {
            ("firm-outcome-saved", _) => Some(OutcomeContext {
                is_saved: true,
                ..order.clone()
            }),
            ("firm-outcome-wrong", _) => Some(OutcomeContext {
                net_sum: "1.23".to_owned(),
                error: Some("Bitte geben Sie die Auftragssumme so an: 1.234,50."),
                ..order.clone()
            }),
            ("firm-outcome-closed", _) => Some(OutcomeContext {
                state: OutcomeState::Over,
                credit: Some(context! { reason => "Rufnummer falsch" }),
                is_refused: true,
                ..order.clone()
            }),
            (_, FirmState::Accepted | FirmState::Erased) => Some(outcome()),
            _ => None,
        };
        let fill = |(name, state, inquiry, asked_count, offers): (&'static str, _, _, _, _)| {
            let data = FirmPage {
                photos: if name.starts_with("firm-photos") {
                    photos("/betrieb/Zm9vYmFy")
                } else {
                    Vec::new()
                },
                inquiry,
                state,
                asked_count,
                offers,
                answer_until: self.answer_until(),
                cost: (offers > 1).then(cost),
                price: (offers > 1).then(|| "25,00 € netto".to_owned()),
                is_price_new: name == "firm-new-price",
                outcome: outcome(name, state),
                consent: (state == FirmState::Accepted).then(|| {
                    context! { wording => consent_wording(1), at => german_time(self.inquiry.created_at) }
                }),
                calls_revoked: (name == "firm-no-calls").then(|| german_time(self.inquiry.created_at)),
                action: "/betrieb/Zm9vYmFy".to_owned(),
            };
            let html = self.templates.page(kind, &data)?;
            Ok(PageState { name, kind, html })
        };
        states.into_iter().map(fill).collect()
    }
}
