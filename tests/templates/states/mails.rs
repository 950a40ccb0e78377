//! Every mail in every state.

use jiff::SignedDuration;
use taubenabwehr::site::templates::context::{
    AskedState, DigestCounts, FirmAdditionMail, FirmContactMail, FirmContext, FirmErasureMail,
    FirmRequestMail, NewsletterConfirmMail, OperatorAcceptedMail, OperatorDigestMail, OperatorMail,
    OperatorSuspectedMail, OperatorUnreachableMail, PlainPage, VisitorAcceptedMail, VisitorMail,
    VisitorReceivedMail,
};
use taubenabwehr::site::templates::{BrokenTemplate, MailKind, RenderedMail, german_time};

use super::{Stage, cost};

/// A mail in one state.
pub struct MailState {
    pub name: &'static str,
    pub kind: MailKind,
    pub mail: RenderedMail,
}
const LINK: &str = "https://www.example.de/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";

impl Stage {
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
        let kind = MailKind::OperatorUnreachable;
        let data = OperatorUnreachableMail {
            inquiry: self.reference(),
            firm: self.firm(AskedState::Asked),
            firm_id: "nordnetz".to_owned(),
            firm_email: "auftrag@nordnetz.example".to_owned(),
        };
        let mail = self.templates.mail(kind, &data)?;
        let name = "operator-unreachable";
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
}
