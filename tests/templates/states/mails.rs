//! Every mail in every state.

use jiff::SignedDuration;
use minijinja::context;
use minijinja::value::Value;
use taubenabwehr::site::templates::context::{AskedState, described_firm};
use taubenabwehr::site::templates::{BrokenTemplate, RenderedMail, german_time};

use super::{Stage, cost};

/// The name of a state, the mail's text, and the data it is rendered with.
type State = (&'static str, &'static str, Value);

/// A mail in one state.
pub struct MailState {
    pub name: &'static str,
    /// The name of its text.
    pub kind: &'static str,
    pub mail: RenderedMail,
}
const LINK: &str = "https://www.example.de/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";

impl Stage {
    /// Renders every mail in every state.
    pub fn mails(&self) -> Result<Vec<MailState>, BrokenTemplate> {
        let mut states = self.operator_mails();
        states.extend(self.summaries());
        states.extend(self.firm_mails());
        states.extend(self.visitor_mails());
        let data = context! {
            link => "https://www.example.de/newsletter/bestaetigen/Zm9vYmFy",
            valid_until => self.answer_until(),
        };
        states.push(("newsletter-confirm", "newsletter-confirm", data));
        let fill = |(name, kind, data): State| {
            // The operator's mails link to the desk if there is one.
            let desk = (!name.ends_with("-alone")).then_some("https://desk.example.de");
            let mail = self.templates.mail(kind, &context! { desk, ..data })?;
            Ok(MailState { name, kind, mail })
        };
        states.into_iter().map(fill).collect()
    }

    fn operator_mails(&self) -> Vec<State> {
        use AskedState::{Accepted, Asked, Declined, Silent};
        let refused = self.firms([Declined, Silent, Declined]);
        let complete = [
            ("operator-new", "operator-new", self.firms([Asked; 3])),
            ("operator-new-alone", "operator-new", vec![]),
            ("operator-unmatched", "operator-unmatched", vec![]),
            ("operator-unmatched-left", "operator-unmatched", refused),
            ("operator-held", "operator-held", vec![]),
        ];
        let complete = complete.map(|(name, kind, firms)| (name, kind, self.complete(), firms));
        let withdrawn = [
            ("operator-withdrawn", self.firms([Accepted, Declined, Asked])),
            ("operator-withdrawn-alone", vec![]),
        ];
        let withdrawn = withdrawn.map(|(name, firms)| (name, "operator-withdrawn", self.reference(), firms));
        let states = complete.into_iter().chain(withdrawn);
        states
            .map(|(name, kind, inquiry, firms)| {
                let data = context! { inquiry, asked_count => firms.len(), firms };
                (name, kind, data)
            })
            .collect()
    }

    /// Mails to the operator about acceptances, unreachable firms and several inquiries at once, and the test mail.
    fn summaries(&self) -> Vec<State> {
        let accepted = context! {
            inquiry => self.complete(),
            firm => self.firm(AskedState::Accepted),
            accepted_count => 2,
            offers => 3,
        };
        let unreachable = context! {
            inquiry => self.reference(),
            firm => self.firm(AskedState::Asked),
            firm_id => "nordnetz",
            firm_email => "auftrag@nordnetz.example",
        };
        let mut states = vec![
            ("operator-accepted", "operator-accepted", accepted),
            ("operator-unreachable", "operator-unreachable", unreachable),
        ];
        for (name, count) in [("operator-suspected", 12), ("operator-suspected-one", 1)] {
            let data = context! { count, inquiries => vec![self.complete()] };
            states.push((name, "operator-suspected", data));
        }
        for (name, many) in [("operator-digest", 4), ("operator-digest-quiet", 0)] {
            let data = context! {
                since => german_time(self.inquiry.created_at - SignedDuration::from_hours(24)),
                until => german_time(self.inquiry.created_at),
                new => 3 * many,
                accepted => 2 * many,
                pending => many,
                unmatched => many,
                suspected => many,
                failed => many,
            };
            states.push((name, "operator-digest", data));
        }
        let link = "https://desk.example.de/anmelden/Zm9vYmFyYmF6cXV4Zm9vYg";
        states.push(("operator-login", "operator-login", context! { link }));
        states.push(("operator-test", "operator-test", context! {}));
        states
    }

    fn firm_mails(&self) -> Vec<State> {
        let mut states = Vec::new();
        for (name, is_bare) in [("firm-contact", false), ("firm-contact-bare", true)] {
            let data = context! {
                has_price => !is_bare,
                has_consent => !is_bare,
                may_call => !is_bare,
                photo_count => 3,
                inquiry => self.complete(),
                firm => self.firm(AskedState::Accepted),
                link => LINK,
            };
            states.push((name, "firm-contact", data));
        }
        for (name, kind, inquiry, asked_count, offers) in [
            ("firm-request", "firm-request", self.described(), 3, 3),
            ("firm-request-two", "firm-request", self.described(), 2, 3),
            ("firm-request-bare", "firm-request", self.bare(), 1, 1),
            ("firm-reminder", "firm-reminder", self.described(), 3, 3),
        ] {
            let data = context! {
                photo_count => 3,
                inquiry,
                firm => self.firm(AskedState::Asked),
                asked_count,
                offers,
                answer_until => self.answer_until(),
                cost => (offers > 1).then(cost),
                link => LINK,
            };
            states.push((name, kind, data));
        }
        for (name, inquiry) in [
            ("firm-addition", self.described()),
            ("firm-addition-removed", self.bare()),
        ] {
            let firm = self.firm(AskedState::Asked);
            let data = context! { photo_count => 1, inquiry, firm, link => LINK };
            states.push((name, "firm-addition", data));
        }
        for name in ["firm-withdrawn", "firm-erased", "firm-corrected", "firm-outcome"] {
            let firm = self.firm(AskedState::Accepted);
            let data = context! { inquiry => self.reference(), firm, link => LINK };
            states.push((name, name, data));
        }
        states
    }

    fn visitor_mails(&self) -> Vec<State> {
        let mut states = Vec::new();
        for (name, kind, asked_count) in [
            ("visitor-received", "visitor-received", 3),
            ("visitor-received-one", "visitor-received", 1),
            ("visitor-received-none", "visitor-received", 0),
            ("visitor-nobody", "visitor-nobody", 3),
            ("visitor-nobody-one", "visitor-nobody", 1),
            ("visitor-nobody-none", "visitor-nobody", 0),
            ("visitor-withdrawn", "visitor-withdrawn", 3),
            ("visitor-withdrawn-one", "visitor-withdrawn", 1),
            ("visitor-withdrawn-none", "visitor-withdrawn", 0),
        ] {
            let inquiry = self.reference();
            let data = context! { inquiry, asked_count, answer_hours => 24, link => LINK };
            states.push((name, kind, data));
        }
        let unlisted = described_firm(self.texts.firm, None, AskedState::Accepted);
        for (name, firm) in [
            ("visitor-accepted", self.firm(AskedState::Accepted)),
            ("visitor-accepted-bare", unlisted),
        ] {
            let data = context! { inquiry => self.reference(), firm, link => LINK };
            states.push((name, "visitor-accepted", data));
        }
        states
    }
}
