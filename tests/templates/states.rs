//! Every mail and every private page in every state, of made-up people and firms.

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::commission::{Euro, Percent, Terms};
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::inquiry::{Inquiry, NewInquiry, consent_wording};
use taubenabwehr::matching::{Firm, FirmId, PostalPrefix};
use taubenabwehr::referral::{Review, ReviewFault, ReviewState, Stars, suggested_name};
use taubenabwehr::templates::context::{
    AskedState, ConsentContext, DigestCounts, FirmAdditionMail, FirmContactMail, FirmContext,
    FirmErasureMail, FirmPage, FirmRequestMail, FirmState, InquiryContext, NewsletterConfirmMail,
    OperatorAcceptedMail, OperatorDigestMail, OperatorMail, OperatorSuspectedMail, OutcomeContext,
    OutcomeState, PhotoContext, PlainPage, QuestionPage, ReviewContext, SentReview, VisitorAcceptedMail,
    VisitorMail, VisitorNotice, VisitorPage, VisitorReceivedMail, VisitorState, VisitorWithdrawPage,
};
use taubenabwehr::templates::{
    BrokenTemplate, MailKind, PageKind, RenderedMail, Templates, german_cost, german_time,
};
use taubenabwehr::text::origin::Origin;
use uuid::Uuid;

/// What people and firms have written.
pub struct Texts {
    pub firm: &'static str,
    pub first_name: &'static str,
    pub last_name: &'static str,
    pub addition: &'static str,
}

/// Texts of people who mean well.
pub const USUAL: Texts = Texts {
    firm: "Nordnetz GmbH",
    first_name: "Jörg",
    last_name: "Weiß-Krüger",
    addition: "Dritter Stock, Hofseite, etwa 6 m Balkon.\nMorgens ist immer jemand da, bitte bei Krüger klingeln.",
};

/// A mail in one state.
pub struct MailState {
    pub name: &'static str,
    pub kind: MailKind,
    pub mail: RenderedMail,
}

/// A page in one state.
pub struct PageState {
    pub name: &'static str,
    pub kind: PageKind,
    pub html: String,
}

const LINK: &str = "https://www.example.de/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";
const PATH: &str = "/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";

/// What accepting costs.
fn cost() -> String {
    german_cost(&Terms {
        per_acceptance: Euro::from_cents(2_500),
        per_order: Euro::ZERO,
        share: Percent::parse("7.5").unwrap(),
    })
}

/// An outcome that a firm may change.
fn outcome() -> OutcomeContext {
    OutcomeContext {
        state: OutcomeState::Open,
        chosen: "open".to_owned(),
        net_sum: String::new(),
        cost: Some(cost()),
        until: "18.\u{a0}Februar 2027".to_owned(),
        error: None,
        is_refused: false,
        is_saved: false,
    }
}

/// Photos below a page.
fn photos(page: &str) -> Vec<PhotoContext> {
    let photos = (1..=4).map(|place| PhotoContext {
        place,
        link: format!("{page}/foto/{place}"),
        small: format!("{page}/foto/{place}/klein"),
    });
    photos.collect()
}

/// What the states are made of.
pub struct Stage {
    templates: Templates,
    inquiry: Inquiry,
    texts: Texts,
}

impl Stage {
    pub fn new(settings: &SiteSettings, texts: Texts) -> Self {
        let origin = Origin::parse("https://www.example.de").unwrap();
        let now: Timestamp = "2026-11-20T13:05:00Z".parse().unwrap();
        let body = serde_json::json!({
            "postal_code": "22765",
            "property_type": "residential",
            "types_of_problems": "nesting,droppings",
            "problem_locations": "balcony,roof",
            "first_name": texts.first_name,
            "last_name": texts.last_name,
            "email_address": "joerg@example.com",
            "phone_number": "0176 12345678",
        });
        let new = NewInquiry::parse(body.to_string().as_bytes(), now).unwrap();
        let id = Uuid::parse_str("019a3c5e-7b1c-7000-8000-0123456789ab").unwrap();
        Self {
            templates: Templates::new(settings, &origin).unwrap(),
            inquiry: new.with_id(id),
            texts,
        }
    }

    fn reference(&self) -> InquiryContext {
        InquiryContext::reference(self.inquiry.id, self.inquiry.created_at)
    }

    fn described(&self) -> InquiryContext {
        InquiryContext::without_person(&self.inquiry, Some(self.texts.addition), self.templates.labels())
    }

    /// An inquiry in which nothing was chosen and nothing added.
    fn bare(&self) -> InquiryContext {
        let mut inquiry = self.inquiry.clone();
        inquiry.answers.types_of_problems.clear();
        inquiry.answers.problem_locations.clear();
        InquiryContext::without_person(&inquiry, None, self.templates.labels())
    }

    fn complete(&self) -> InquiryContext {
        InquiryContext::with_person(&self.inquiry, Some(self.texts.addition), self.templates.labels())
    }

    fn firm(&self, state: AskedState) -> FirmContext {
        let firm = Firm {
            id: FirmId::parse("nordnetz").unwrap(),
            name: self.texts.firm.to_owned(),
            email: "auftrag@nordnetz.example".to_owned(),
            phone: Some("+49 (0)40 123 45 67".to_owned()),
            website: Some("https://www.nordnetz.example/".to_owned()),
            postal_codes: vec![PostalPrefix::parse("22").unwrap()],
            property_types: None,
            problems: None,
            per_week: None,
            paused: false,
            commission: None,
            checked: None,
        };
        FirmContext::new(&firm, state)
    }

    /// Three firms with these answers.
    fn firms(&self, states: [AskedState; 3]) -> Vec<FirmContext> {
        let [first, second, third] = states;
        vec![
            self.firm(first),
            FirmContext::named("Hamburger Vogelabwehr", second),
            FirmContext::named("Dachschutz Meier & Söhne GmbH", third),
        ]
    }

    fn answer_until(&self) -> String {
        german_time(self.inquiry.created_at + SignedDuration::from_hours(24))
    }

    /// Returns every mail in every state.
    pub fn mails(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        let mut states = self.operator_mails()?;
        states.extend(self.summaries()?);
        states.extend(self.firm_mails()?);
        states.extend(self.visitor_mails()?);
        let kind = MailKind::NewsletterConfirm;
        let data = NewsletterConfirmMail {
            link: "https://www.example.de/newsletter/bestaetigen/Zm9vYmFy".to_owned(),
            valid_until: self.answer_until(),
        };
        let mail = self.templates.mail(kind, &data)?;
        let name = "newsletter-confirm";
        states.push(MailState { name, kind, mail });
        Ok(states)
    }

    fn operator_mails(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        use AskedState::{Accepted, Asked, Declined, Silent};
        use MailKind::{OperatorHeld, OperatorNew, OperatorUnmatched};
        let refused = self.firms([Declined, Silent, Declined]);
        let states = [
            ("operator-new", OperatorNew, self.firms([Asked; 3])),
            ("operator-new-alone", OperatorNew, vec![]),
            ("operator-unmatched", OperatorUnmatched, vec![]),
            ("operator-unmatched-left", OperatorUnmatched, refused),
            ("operator-held", OperatorHeld, vec![]),
        ];
        let fill = |(name, kind, inquiry, firms)| {
            let data = OperatorMail::new(inquiry, firms);
            let mail = self.templates.mail(kind, &data)?;
            Ok(MailState { name, kind, mail })
        };
        let complete = states.map(|(name, kind, firms)| (name, kind, self.complete(), firms));
        let withdrawn = [
            ("operator-withdrawn", self.firms([Accepted, Declined, Asked])),
            ("operator-withdrawn-alone", vec![]),
        ];
        let withdrawn =
            withdrawn.map(|(name, firms)| (name, MailKind::OperatorWithdrawn, self.reference(), firms));
        complete.into_iter().chain(withdrawn).map(fill).collect()
    }

    /// Mails to the operator that are not about one inquiry alone, or about a firm.
    fn summaries(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        let mut states = Vec::new();
        let kind = MailKind::OperatorAccepted;
        let data = OperatorAcceptedMail {
            inquiry: self.complete(),
            firm: self.firm(AskedState::Accepted),
            accepted_count: 2,
            offers: 3,
        };
        let mail = self.templates.mail(kind, &data)?;
        let name = "operator-accepted";
        states.push(MailState { name, kind, mail });
        let kind = MailKind::OperatorSuspected;
        for (name, count) in [("operator-suspected", 12), ("operator-suspected-one", 1)] {
            let data = OperatorSuspectedMail {
                count,
                inquiries: vec![self.complete()],
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        let kind = MailKind::OperatorDigest;
        for (name, many) in [("operator-digest", 4), ("operator-digest-quiet", 0)] {
            let data = OperatorDigestMail {
                since: german_time(self.inquiry.created_at - SignedDuration::from_hours(24)),
                until: german_time(self.inquiry.created_at),
                counts: DigestCounts {
                    new: 3 * many,
                    accepted: 2 * many,
                    pending: many,
                    unmatched: many,
                    suspected: many,
                    failed: many,
                },
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        let kind = MailKind::OperatorTest;
        let mail = self.templates.mail(kind, &PlainPage {})?;
        let name = "operator-test";
        states.push(MailState { name, kind, mail });
        Ok(states)
    }

    fn firm_mails(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        let mut states = Vec::new();
        let kind = MailKind::FirmContact;
        for (name, is_bare) in [("firm-contact", false), ("firm-contact-bare", true)] {
            let data = FirmContactMail {
                has_price: !is_bare,
                has_consent: !is_bare,
                photo_count: 3,
                inquiry: self.complete(),
                firm: self.firm(AskedState::Accepted),
                link: LINK.to_owned(),
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        for (name, kind, inquiry, asked_count, offers) in [
            ("firm-request", MailKind::FirmRequest, self.described(), 3, 3),
            ("firm-request-two", MailKind::FirmRequest, self.described(), 2, 3),
            ("firm-request-bare", MailKind::FirmRequest, self.bare(), 1, 1),
            ("firm-reminder", MailKind::FirmReminder, self.described(), 3, 3),
        ] {
            let data = FirmRequestMail {
                photo_count: 3,
                inquiry,
                firm: self.firm(AskedState::Asked),
                asked_count,
                offers,
                answer_until: self.answer_until(),
                cost: (offers > 1).then(cost),
                link: LINK.to_owned(),
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        for (name, inquiry) in [
            ("firm-addition", self.described()),
            ("firm-addition-removed", self.bare()),
        ] {
            let kind = MailKind::FirmAddition;
            let data = FirmAdditionMail {
                photo_count: 1,
                inquiry,
                firm: self.firm(AskedState::Asked),
                link: LINK.to_owned(),
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        for (name, kind) in [
            ("firm-withdrawn", MailKind::FirmWithdrawn),
            ("firm-erased", MailKind::FirmErased),
        ] {
            let data = FirmErasureMail {
                inquiry: self.reference(),
                firm: self.firm(AskedState::Accepted),
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        Ok(states)
    }

    fn visitor_mails(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        let mut states = Vec::new();
        for (name, kind, asked_count) in [
            ("visitor-received", MailKind::VisitorReceived, 3),
            ("visitor-received-one", MailKind::VisitorReceived, 1),
            ("visitor-received-none", MailKind::VisitorReceived, 0),
            ("visitor-nobody", MailKind::VisitorNobody, 3),
            ("visitor-nobody-one", MailKind::VisitorNobody, 1),
            ("visitor-nobody-none", MailKind::VisitorNobody, 0),
            ("visitor-withdrawn", MailKind::VisitorWithdrawn, 3),
            ("visitor-withdrawn-one", MailKind::VisitorWithdrawn, 1),
            ("visitor-withdrawn-none", MailKind::VisitorWithdrawn, 0),
        ] {
            let mail = VisitorMail {
                inquiry: self.reference(),
                asked_count,
                link: LINK.to_owned(),
            };
            let mail = if kind == MailKind::VisitorReceived {
                let answer_hours = 24;
                self.templates
                    .mail(kind, &VisitorReceivedMail { mail, answer_hours })?
            } else {
                self.templates.mail(kind, &mail)?
            };
            states.push(MailState { name, kind, mail });
        }
        let unlisted = FirmContext::named(self.texts.firm, AskedState::Accepted);
        for (name, firm) in [
            ("visitor-accepted", self.firm(AskedState::Accepted)),
            ("visitor-accepted-bare", unlisted),
        ] {
            let kind = MailKind::VisitorAccepted;
            let data = VisitorAcceptedMail {
                inquiry: self.reference(),
                firm,
                link: LINK.to_owned(),
            };
            let mail = self.templates.mail(kind, &data)?;
            states.push(MailState { name, kind, mail });
        }
        Ok(states)
    }

    /// Returns every private page in every state.
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
            let html = self.templates.page(kind, &PlainPage {})?;
            let name = kind.name();
            states.push(PageState { name, kind, html });
        }
        for kind in [PageKind::NewsletterConfirm, PageKind::NewsletterUnsubscribe] {
            let action = "/newsletter/Zm9vYmFy".to_owned();
            let html = self.templates.page(kind, &QuestionPage { action })?;
            let name = kind.name();
            states.push(PageState { name, kind, html });
        }
        Ok(states)
    }

    /// A form that is empty, one whose review is published, and one that lacks the consent.
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

    fn visitor_pages(&self) -> Result<Vec<PageState>, BrokenTemplate> {
        use AskedState::{Accepted, Asked, Declined, Silent};
        let action = || format!("{PATH}/fotos");
        let page = |inquiry, state, firms| {
            VisitorPage::new(inquiry, state, firms, PATH.to_owned()).taking_photos(5, action())
        };
        let running = |firms| {
            let mut data = page(self.described(), VisitorState::Running, firms);
            data.answer_until = Some(self.answer_until());
            data
        };
        let mut with_photos = running(self.firms([Asked; 3])).taking_photos(1, action());
        with_photos.photos = photos(PATH);
        with_photos.notice = Some(VisitorNotice::PhotosSaved);
        let mut all_photos = running(self.firms([Asked; 3])).taking_photos(0, action());
        all_photos.photos = photos(PATH);
        all_photos.notice = Some(VisitorNotice::PhotoRemoved);
        let mut photo_wrong = running(self.firms([Asked; 3]));
        photo_wrong.photo_error = Some("„haus.heic“ ist kein Foto, das wir lesen können.".to_owned());
        let mut saved = running(self.firms([Asked; 3]));
        saved.notice = Some(VisitorNotice::Saved);
        let mut too_long = running(self.firms([Asked; 3]));
        too_long.notice = Some(VisitorNotice::TooLong);
        too_long.addition = format!("{}\n", self.texts.addition).repeat(20);
        let mut by_hand_saved = page(self.described(), VisitorState::ByHand, vec![]);
        by_hand_saved.notice = Some(VisitorNotice::Saved);
        let nobody = |firms| page(self.described(), VisitorState::Nobody, firms);
        let withdrawn = |firms| page(self.reference(), VisitorState::Withdrawn, firms);
        let some = self.firms([Accepted, Silent, Asked]);
        let refused = self.firms([Declined, Silent, Declined]);
        let reviews = |faults: &[ReviewFault], notice| {
            let mut data = running(self.firms([Accepted; 3]));
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
        };
        let every_fault = [ReviewFault::NoStars, ReviewFault::LongText, ReviewFault::NoName];
        let states = [
            ("visitor-reviews", reviews(&[], None)),
            (
                "visitor-review-saved",
                reviews(&[], Some(VisitorNotice::ReviewSaved)),
            ),
            (
                "visitor-review-removed",
                reviews(&[], Some(VisitorNotice::ReviewRemoved)),
            ),
            (
                "visitor-review-faulty",
                reviews(&every_fault, Some(VisitorNotice::ReviewFaulty)),
            ),
            ("visitor-alone", page(self.bare(), VisitorState::Running, vec![])),
            ("visitor-by-hand", page(self.bare(), VisitorState::ByHand, vec![])),
            ("visitor-by-hand-saved", by_hand_saved),
            ("visitor-asked-one", running(vec![self.firm(Asked)])),
            ("visitor-asked", running(self.firms([Asked; 3]))),
            ("visitor-accepted", running(some)),
            ("visitor-accepted-three", running(self.firms([Accepted; 3]))),
            ("visitor-saved", saved),
            ("visitor-too-long", too_long),
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
            let data = VisitorWithdrawPage {
                inquiry: self.reference(),
                asked_count,
                link: PATH.to_owned(),
                action: format!("{PATH}/zurueckziehen"),
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
                state: OutcomeState::Closed,
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
                is_price_new: name == "firm-new-price",
                outcome: outcome(name, state),
                consent: (state == FirmState::Accepted).then(|| ConsentContext {
                    wording: consent_wording(1).unwrap(),
                    at: german_time(self.inquiry.created_at),
                }),
                action: "/betrieb/Zm9vYmFy".to_owned(),
            };
            let html = self.templates.page(kind, &data)?;
            Ok(PageState { name, kind, html })
        };
        states.into_iter().map(fill).collect()
    }
}
