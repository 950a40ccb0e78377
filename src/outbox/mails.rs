//! Who gets which mail.

use std::sync::Arc;

use crate::config::Handling;
use crate::inquiry::Inquiry;
use crate::mail::{Address, Mailbox, Outgoing};
use crate::matching::Firm;
use crate::newsletter::{Subscription, SubscriptionState};
use crate::origin::Origin;
use crate::private_path::PrivatePath;
use crate::referral::{self, Asked, Delivery, DeliveryId, Dossier, Message, Referral};
use crate::sending::SendError;
use crate::store::{Claim, Delivering, Store};
use crate::templates::context::{
    FirmAdditionMail, FirmContext, FirmErasureMail, FirmRequestMail, InquiryContext, NewsletterConfirmMail,
    OperatorMail, VisitorAcceptedMail, VisitorMail,
};
use crate::templates::{MailKind, RenderedMail, Templates, german_time};

/// Writes mails from what the store has at that moment.
pub struct MailWriter {
    templates: Arc<Templates>,
    origin: Origin,
    store: Arc<Store>,
}

/// A mail with its recipients.
struct Letter {
    to: Vec<Mailbox>,
    reply_to: Option<Mailbox>,
    mail: RenderedMail,
}

impl MailWriter {
    /// Prepares writing for a site. Private pages are those of the store, whose secret is known once it was reached.
    pub fn new(templates: Arc<Templates>, origin: Origin, store: Arc<Store>) -> Self {
        Self {
            templates,
            origin,
            store,
        }
    }

    /// Writes the mail that a delivery is about.
    ///
    /// # Errors
    /// When it cannot be written any more, or its recipient cannot be reached by mail.
    pub fn write(&self, claim: &Claim, handling: &Handling) -> Result<Outgoing, SendError> {
        let Letter { to, reply_to, mail } = match &claim.what {
            Delivering::Inquiry(dossier) => self.about_inquiry(&claim.delivery, dossier, handling)?,
            Delivering::Subscription(subscription) => self.confirmation(claim.id, subscription)?,
        };
        Ok(Outgoing {
            message_id: message_id(claim.id, &self.origin),
            to,
            reply_to,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            unsubscribe: None,
        })
    }

    fn about_inquiry(
        &self,
        delivery: &Delivery,
        dossier: &Dossier,
        handling: &Handling,
    ) -> Result<Letter, SendError> {
        match delivery.message {
            Message::OperatorNew(to) => self.to_operator(MailKind::OperatorNew, to, dossier, handling),
            Message::OperatorUnmatched(to) => {
                self.to_operator(MailKind::OperatorUnmatched, to, dossier, handling)
            }
            Message::OperatorHeld(to) => self.to_operator(MailKind::OperatorHeld, to, dossier, handling),
            Message::OperatorWithdrawn(to) => self.operator_withdrawn(to, dossier, handling),
            Message::FirmRequest(firm) => self.firm_request(firm, dossier, handling),
            Message::FirmAddition(firm) => self.firm_addition(firm, dossier, handling),
            Message::FirmWithdrawn(firm) => {
                self.firm_erasure(MailKind::FirmWithdrawn, firm, dossier, handling)
            }
            Message::FirmErased(firm) => self.firm_erasure(MailKind::FirmErased, firm, dossier, handling),
            Message::VisitorReceived => self.to_visitor(MailKind::VisitorReceived, dossier),
            Message::VisitorNobody => self.to_visitor(MailKind::VisitorNobody, dossier),
            Message::VisitorAccepted(firm) => self.visitor_accepted(firm, dossier, handling),
            Message::Webhook(_) | Message::NewsletterConfirm => Err(misplaced()),
        }
    }

    fn to_operator(
        &self,
        kind: MailKind,
        to: referral::Mailbox,
        dossier: &Dossier,
        handling: &Handling,
    ) -> Result<Letter, SendError> {
        let inquiry = inquiry(dossier)?;
        let context =
            InquiryContext::with_person(inquiry, addition(&dossier.referral), self.templates.labels());
        let firms = firms(&dossier.referral, handling);
        Ok(Letter {
            to: operator(to, handling)?,
            // A server without SMTPUTF8 would refuse the whole mail.
            reply_to: Address::parse(inquiry.answers.email_address.as_str())
                .ok()
                .filter(Address::is_ascii)
                .map(Mailbox::from),
            mail: self.render(kind, &OperatorMail::new(context, firms))?,
        })
    }

    fn operator_withdrawn(
        &self,
        to: referral::Mailbox,
        dossier: &Dossier,
        handling: &Handling,
    ) -> Result<Letter, SendError> {
        let context = InquiryContext::reference(dossier.id, dossier.created_at());
        let firms = firms(&dossier.referral, handling);
        Ok(Letter {
            to: operator(to, handling)?,
            reply_to: None,
            mail: self.render(MailKind::OperatorWithdrawn, &OperatorMail::new(context, firms))?,
        })
    }

    fn firm_request(&self, number: u8, dossier: &Dossier, handling: &Handling) -> Result<Letter, SendError> {
        let (asked, firm) = firm(number, &dossier.referral, handling)?;
        let data = FirmRequestMail {
            inquiry: self.without_person(dossier)?,
            firm: FirmContext::of(asked, &handling.firms),
            asked_count: dossier.referral.asked.len(),
            offers: handling.matching.offers,
            answer_until: german_time(
                asked.until_if_told(self.store.now(), handling.matching.answer_within()),
            ),
            link: self.firm_page(dossier, asked),
        };
        self.to_firm(firm, MailKind::FirmRequest, &data)
    }

    fn firm_addition(&self, number: u8, dossier: &Dossier, handling: &Handling) -> Result<Letter, SendError> {
        let (asked, firm) = firm(number, &dossier.referral, handling)?;
        let data = FirmAdditionMail {
            inquiry: self.without_person(dossier)?,
            firm: FirmContext::of(asked, &handling.firms),
            link: self.firm_page(dossier, asked),
        };
        self.to_firm(firm, MailKind::FirmAddition, &data)
    }

    fn firm_erasure(
        &self,
        kind: MailKind,
        number: u8,
        dossier: &Dossier,
        handling: &Handling,
    ) -> Result<Letter, SendError> {
        let (asked, firm) = firm(number, &dossier.referral, handling)?;
        let data = FirmErasureMail {
            inquiry: InquiryContext::reference(dossier.id, dossier.created_at()),
            firm: FirmContext::of(asked, &handling.firms),
        };
        self.to_firm(firm, kind, &data)
    }

    fn to_visitor(&self, kind: MailKind, dossier: &Dossier) -> Result<Letter, SendError> {
        let data = VisitorMail {
            inquiry: InquiryContext::reference(dossier.id, dossier.created_at()),
            asked_count: dossier.referral.asked.len(),
            link: self.visitor_page(dossier),
        };
        self.visitor_mail(dossier, kind, &data)
    }

    fn visitor_accepted(
        &self,
        number: u8,
        dossier: &Dossier,
        handling: &Handling,
    ) -> Result<Letter, SendError> {
        let asked = dossier.referral.firm(number).ok_or_else(misplaced)?;
        let data = VisitorAcceptedMail {
            inquiry: InquiryContext::reference(dossier.id, dossier.created_at()),
            firm: FirmContext::of(asked, &handling.firms),
            link: self.visitor_page(dossier),
        };
        self.visitor_mail(dossier, MailKind::VisitorAccepted, &data)
    }

    fn confirmation(&self, id: DeliveryId, subscription: &Subscription) -> Result<Letter, SendError> {
        let SubscriptionState::Pending(until) = subscription.state else {
            return Err(SendError::permanent("the subscription was confirmed before"));
        };
        let key = id.inquiry.into_bytes();
        let token = self
            .store
            .secret()
            .confirmation_token(key, subscription.requested_at);
        let data = NewsletterConfirmMail {
            link: PrivatePath::Confirmation(&token).link(&self.origin),
            valid_until: german_time(until),
        };
        Ok(Letter {
            to: vec![recipient(None, &subscription.email)?],
            reply_to: None,
            mail: self.render(MailKind::NewsletterConfirm, &data)?,
        })
    }

    fn to_firm(
        &self,
        firm: &Firm,
        kind: MailKind,
        data: &impl serde::Serialize,
    ) -> Result<Letter, SendError> {
        Ok(Letter {
            to: vec![recipient(Some(&firm.name), &firm.email)?],
            reply_to: None,
            mail: self.render(kind, data)?,
        })
    }

    /// The visitor's name is left out: whoever typed it may not own the address.
    fn visitor_mail(
        &self,
        dossier: &Dossier,
        kind: MailKind,
        data: &impl serde::Serialize,
    ) -> Result<Letter, SendError> {
        Ok(Letter {
            to: vec![recipient(None, inquiry(dossier)?.answers.email_address.as_str())?],
            reply_to: None,
            mail: self.render(kind, data)?,
        })
    }

    fn render(&self, kind: MailKind, data: &impl serde::Serialize) -> Result<RenderedMail, SendError> {
        // Another build may have what this one lacks, so the mail waits for it.
        self.templates.mail(kind, data).map_err(SendError::transient)
    }

    fn without_person(&self, dossier: &Dossier) -> Result<InquiryContext, SendError> {
        Ok(InquiryContext::without_person(
            inquiry(dossier)?,
            addition(&dossier.referral),
            self.templates.labels(),
        ))
    }

    fn visitor_page(&self, dossier: &Dossier) -> String {
        PrivatePath::Visitor(&self.store.secret().visitor_token(dossier.id)).link(&self.origin)
    }

    fn firm_page(&self, dossier: &Dossier, asked: &Asked) -> String {
        PrivatePath::Firm(&self.store.secret().firm_token(dossier.id, &asked.firm)).link(&self.origin)
    }
}

/// Returns what stands in `Message-ID`, the same at each repetition.
fn message_id(id: DeliveryId, origin: &Origin) -> String {
    format!("{id}@{}", origin.host())
}

fn inquiry(dossier: &Dossier) -> Result<&Inquiry, SendError> {
    let inquiry = dossier.inquiry.as_ref();
    inquiry.ok_or_else(|| SendError::permanent("the inquiry was erased before the mail was sent"))
}

fn addition(referral: &Referral) -> Option<&str> {
    Some(referral.addition.as_str()).filter(|text| !text.is_empty())
}

fn operator(to: referral::Mailbox, handling: &Handling) -> Result<Vec<Mailbox>, SendError> {
    let all = handling.notify.mail.as_slice();
    if all.is_empty() {
        return Err(SendError::transient("notify.mail names nobody to tell"));
    }
    let meant = match to {
        None => Some(all),
        Some(number) => all.get(usize::from(number)).map(std::slice::from_ref),
    };
    let meant =
        meant.ok_or_else(|| SendError::permanent("notify.mail has fewer addresses than it had then"))?;
    meant.iter().map(|address| recipient(None, address)).collect()
}

fn recipient(name: Option<&str>, address: &str) -> Result<Mailbox, SendError> {
    let parsed = Address::parse(address).map_err(|error| {
        SendError::permanent(format_args!(
            "no mail server takes the recipient's address: it {error}"
        ))
    })?;
    Ok(Mailbox::new(name, parsed))
}

/// Returns a firm that was asked, with what the configuration knows of it.
fn firm<'a>(
    number: u8,
    referral: &'a Referral,
    handling: &'a Handling,
) -> Result<(&'a Asked, &'a Firm), SendError> {
    let asked = referral.firm(number).ok_or_else(misplaced)?;
    let firm = Firm::find(&handling.firms, &asked.firm).ok_or_else(|| {
        SendError::transient(format_args!("the configuration has no firm `{}`", asked.firm))
    })?;
    Ok((asked, firm))
}

fn firms(referral: &Referral, handling: &Handling) -> Vec<FirmContext> {
    let asked = referral.asked.iter();
    asked
        .map(|asked| FirmContext::of(asked, &handling.firms))
        .collect()
}

fn misplaced() -> SendError {
    SendError::permanent("the delivery is not what the store says it is; please report it")
}
