//! Who gets which mail.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use super::farewells::Farewell;
use super::figures::DeliveryFigures;
use crate::base::text::origin::Origin;
use crate::config::Handling;
use crate::domain::inquiry::Inquiry;
use crate::domain::matching::Firm;
use crate::domain::newsletter::{Subscription, SubscriptionState};
use crate::domain::referral::{self, Asked, DeliveryId, InquiryRecord, Message};
use crate::outbox::mail::{Address, Mailbox, Outgoing};
use crate::outbox::sending::SendError;
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::{
    FirmAdditionMail, FirmContactMail, FirmContext, FirmErasureMail, FirmRequestMail, InquiryContext,
    NewsletterConfirmMail, OperatorAcceptedMail, OperatorDigestMail, OperatorMail, OperatorSuspectedMail,
    OperatorUnreachableMail, VisitorAcceptedMail, VisitorMail, VisitorReceivedMail,
};
use crate::site::templates::{MailKind, Templates, german_cost, german_time};
use crate::store::{Delivering, LeasedDelivery, Store};

/// Writes mails from what the store has at that moment.
pub struct MailWriter {
    templates: Arc<Templates>,
    origin: Origin,
    store: Arc<Store>,
}

/// An inquiry that a mail is about, and what is known of it.
struct About<'a> {
    writer: &'a MailWriter,
    id: DeliveryId,
    record: &'a InquiryRecord,
    handling: &'a Handling,
}

impl MailWriter {
    /// Prepares writing for a site. The addresses of private pages need the store's secret, which is known once it was reached.
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
    /// When it can no longer be written, or its recipient cannot be reached by mail.
    pub fn write(&self, claim: &LeasedDelivery, handling: &Handling) -> Result<Outgoing, SendError> {
        match &claim.what {
            Delivering::Inquiry(record) => About {
                writer: self,
                id: claim.id,
                record,
                handling,
            }
            .write(claim.delivery.message),
            Delivering::Subscription(subscription) => self.confirmation(claim.id, subscription),
        }
    }

    fn confirmation(&self, id: DeliveryId, subscription: &Subscription) -> Result<Outgoing, SendError> {
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
        let to = vec![recipient(None, &subscription.email)?];
        self.mail(id, to, MailKind::NewsletterConfirm, &data)
    }

    /// Writes a mail to the operator about many inquiries; `None` if there is nothing left to report.
    ///
    /// # Errors
    /// When it cannot be written, or has no recipient.
    pub fn notice(
        &self,
        claim: &LeasedDelivery,
        (since, until): (Timestamp, Timestamp),
        figures: &DeliveryFigures,
        handling: &Handling,
    ) -> Result<Option<Outgoing>, SendError> {
        match claim.delivery.message {
            Message::OperatorDigest(to, _) => {
                let data = OperatorDigestMail {
                    since: german_time(since),
                    until: german_time(until),
                    counts: figures.counts,
                };
                let to = operator(to, handling)?;
                self.mail(claim.id, to, MailKind::OperatorDigest, &data).map(Some)
            }
            Message::OperatorSuspected(_) if figures.counts.suspected == 0 => Ok(None),
            Message::OperatorSuspected(to) => {
                let latest = figures.latest_suspected.iter().rev();
                let inquiries = latest.filter_map(|record| {
                    let addition = Some(record.referral.addition.as_str());
                    let inquiry = record.inquiry.as_ref()?;
                    Some(InquiryContext::with_person(inquiry, addition))
                });
                let data = OperatorSuspectedMail {
                    count: figures.counts.suspected,
                    inquiries: inquiries.collect(),
                };
                let to = operator(to, handling)?;
                self.mail(claim.id, to, MailKind::OperatorSuspected, &data)
                    .map(Some)
            }
            _ => Err(misplaced()),
        }
    }

    /// Writes the mail that confirms a withdrawal.
    ///
    /// # Errors
    /// When mail cannot be sent to the address.
    pub fn farewell(&self, farewell: &Farewell) -> Result<Outgoing, SendError> {
        let token = self.store.secret().visitor_token(farewell.inquiry);
        let data = VisitorMail {
            inquiry: InquiryContext::reference(farewell.inquiry, farewell.created_at),
            asked_count: farewell.asked_count,
            link: PrivatePath::Visitor(&token).link(&self.origin),
        };
        let to = vec![recipient(None, &farewell.address)?];
        self.mail(farewell.id(), to, MailKind::VisitorWithdrawn, &data)
    }

    fn mail(
        &self,
        id: DeliveryId,
        to: Vec<Mailbox>,
        kind: MailKind,
        data: &impl Serialize,
    ) -> Result<Outgoing, SendError> {
        // Another build may know it, so the mail waits.
        let mail = self.templates.mail(kind, data).map_err(SendError::transient)?;
        Ok(Outgoing {
            // The same at each repetition.
            message_id: format!("{id}@{}", self.origin.host()),
            to,
            reply_to: None,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
        })
    }
}

impl About<'_> {
    fn write(&self, message: Message) -> Result<Outgoing, SendError> {
        match message {
            Message::OperatorNew(to) => self.to_operator(MailKind::OperatorNew, to),
            Message::OperatorUnmatched(to) => self.to_operator(MailKind::OperatorUnmatched, to),
            Message::OperatorHeld(to) => self.to_operator(MailKind::OperatorHeld, to),
            Message::OperatorWithdrawn(to) => self.operator_withdrawn(to),
            Message::OperatorAccepted(firm, to) => self.operator_accepted(firm, to),
            Message::OperatorUnreachable(firm, to) => self.operator_unreachable(firm, to),
            Message::FirmRequest(firm) => self.firm_request(MailKind::FirmRequest, firm),
            Message::FirmReminder(firm) => self.firm_request(MailKind::FirmReminder, firm),
            Message::FirmContact(firm) => self.firm_contact(firm),
            Message::FirmAddition(firm) => self.firm_addition(firm),
            Message::FirmWithdrawn(firm) => self.firm_erasure(MailKind::FirmWithdrawn, firm),
            Message::FirmErased(firm) => self.firm_erasure(MailKind::FirmErased, firm),
            Message::VisitorReceived => self.visitor_received(),
            Message::VisitorNobody => self.to_visitor(MailKind::VisitorNobody, &self.visitor_mail()),
            Message::VisitorAccepted(firm) => self.visitor_accepted(firm),
            Message::Webhook(_)
            | Message::FirmWebhook(..)
            | Message::NewsletterConfirm
            | Message::OperatorSuspected(_)
            | Message::OperatorDigest(..) => Err(misplaced()),
        }
    }

    fn to_operator(&self, kind: MailKind, to: referral::Mailbox) -> Result<Outgoing, SendError> {
        let inquiry = self.inquiry()?;
        let data = OperatorMail::new(self.with_person()?, self.firms());
        let mail = self.mail(operator(to, self.handling)?, kind, &data)?;
        Ok(Outgoing {
            // A server without SMTPUTF8 would refuse the whole mail.
            reply_to: Address::parse(inquiry.answers.email_address.as_str())
                .ok()
                .filter(Address::is_ascii)
                .map(Mailbox::from),
            ..mail
        })
    }

    fn operator_withdrawn(&self, to: referral::Mailbox) -> Result<Outgoing, SendError> {
        let data = OperatorMail::new(self.reference(), self.firms());
        self.mail(operator(to, self.handling)?, MailKind::OperatorWithdrawn, &data)
    }

    fn operator_accepted(&self, number: u8, to: referral::Mailbox) -> Result<Outgoing, SendError> {
        let asked = self.record.referral.firm(number).ok_or_else(misplaced)?;
        let data = OperatorAcceptedMail {
            inquiry: self.with_person()?,
            firm: FirmContext::of(asked, &self.handling.firms),
            accepted_count: self.record.referral.accepted(),
            offers: self.handling.matching.offers,
        };
        self.mail(operator(to, self.handling)?, MailKind::OperatorAccepted, &data)
    }

    fn operator_unreachable(&self, number: u8, to: referral::Mailbox) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let data = OperatorUnreachableMail {
            inquiry: self.reference(),
            firm: FirmContext::of(asked, &self.handling.firms),
            firm_id: firm.id.to_string(),
            firm_email: firm.email.clone(),
        };
        self.mail(operator(to, self.handling)?, MailKind::OperatorUnreachable, &data)
    }

    fn firm_contact(&self, number: u8) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let data = FirmContactMail {
            has_price: firm.commission.is_some_and(|terms| !terms.is_free()),
            has_consent: self.record.referral.consent.is_some(),
            photo_count: self.record.referral.photo_numbers().len(),
            inquiry: self.with_person()?,
            firm: FirmContext::of(asked, &self.handling.firms),
            link: self.firm_page(asked),
        };
        self.to_firm(firm, MailKind::FirmContact, &data)
    }

    fn firm_request(&self, kind: MailKind, number: u8) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let answer_within = self.handling.matching.answer_within();
        let data = FirmRequestMail {
            photo_count: self.record.referral.photo_numbers().len(),
            inquiry: self.without_person()?,
            firm: FirmContext::of(asked, &self.handling.firms),
            // The firm that reads the mail was asked.
            asked_count: self.record.referral.reached().count().max(1),
            offers: self.handling.matching.offers,
            answer_until: german_time(asked.until_if_told(self.writer.store.now(), answer_within)),
            cost: firm.commission.as_ref().map(german_cost),
            link: self.firm_page(asked),
        };
        self.to_firm(firm, kind, &data)
    }

    fn firm_addition(&self, number: u8) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let data = FirmAdditionMail {
            photo_count: self.record.referral.photo_numbers().len(),
            inquiry: self.without_person()?,
            firm: FirmContext::of(asked, &self.handling.firms),
            link: self.firm_page(asked),
        };
        self.to_firm(firm, MailKind::FirmAddition, &data)
    }

    fn firm_erasure(&self, kind: MailKind, number: u8) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let data = FirmErasureMail {
            inquiry: self.reference(),
            firm: FirmContext::of(asked, &self.handling.firms),
        };
        self.to_firm(firm, kind, &data)
    }

    fn visitor_received(&self) -> Result<Outgoing, SendError> {
        let data = VisitorReceivedMail {
            mail: self.visitor_mail(),
            answer_hours: self.handling.matching.answer_hours,
        };
        self.to_visitor(MailKind::VisitorReceived, &data)
    }

    fn visitor_mail(&self) -> VisitorMail {
        VisitorMail {
            inquiry: self.reference(),
            asked_count: self.record.referral.reached().count(),
            link: self.visitor_page(),
        }
    }

    fn visitor_accepted(&self, number: u8) -> Result<Outgoing, SendError> {
        let asked = self.record.referral.firm(number).ok_or_else(misplaced)?;
        let data = VisitorAcceptedMail {
            inquiry: self.reference(),
            firm: FirmContext::of(asked, &self.handling.firms),
            link: self.visitor_page(),
        };
        self.to_visitor(MailKind::VisitorAccepted, &data)
    }

    fn to_firm(&self, firm: &Firm, kind: MailKind, data: &impl Serialize) -> Result<Outgoing, SendError> {
        self.mail(vec![recipient(Some(&firm.name), &firm.email)?], kind, data)
    }

    /// The visitor's name is left out: the address may be somebody else's.
    fn to_visitor(&self, kind: MailKind, data: &impl Serialize) -> Result<Outgoing, SendError> {
        let address = self.inquiry()?.answers.email_address.as_str();
        self.mail(vec![recipient(None, address)?], kind, data)
    }

    fn mail(&self, to: Vec<Mailbox>, kind: MailKind, data: &impl Serialize) -> Result<Outgoing, SendError> {
        self.writer.mail(self.id, to, kind, data)
    }

    fn inquiry(&self) -> Result<&Inquiry, SendError> {
        let inquiry = self.record.inquiry.as_ref();
        inquiry.ok_or_else(|| SendError::permanent("the inquiry was erased before the mail was sent"))
    }

    /// Returns a firm that was asked, with what the configuration knows of it.
    fn firm(&self, number: u8) -> Result<(&Asked, &Firm), SendError> {
        let asked = self.record.referral.firm(number).ok_or_else(misplaced)?;
        let firm = Firm::find(&self.handling.firms, &asked.firm).ok_or_else(|| {
            SendError::transient(format_args!("the configuration has no firm `{}`", asked.firm))
        })?;
        Ok((asked, firm))
    }

    fn firms(&self) -> Vec<FirmContext> {
        let reached = self.record.referral.reached();
        reached
            .map(|asked| FirmContext::of(asked, &self.handling.firms))
            .collect()
    }

    fn addition(&self) -> Option<&str> {
        Some(self.record.referral.addition.as_str()).filter(|text| !text.is_empty())
    }

    fn reference(&self) -> InquiryContext {
        InquiryContext::reference(self.record.id, self.record.created_at())
    }

    fn with_person(&self) -> Result<InquiryContext, SendError> {
        Ok(InquiryContext::with_person(self.inquiry()?, self.addition()))
    }

    fn without_person(&self) -> Result<InquiryContext, SendError> {
        Ok(InquiryContext::without_person(self.inquiry()?, self.addition()))
    }

    fn visitor_page(&self) -> String {
        let token = self.writer.store.secret().visitor_token(self.record.id);
        PrivatePath::Visitor(&token).link(&self.writer.origin)
    }

    fn firm_page(&self, asked: &Asked) -> String {
        let token = self.writer.store.secret().firm_token(self.record.id, &asked.firm);
        PrivatePath::Firm(&token).link(&self.writer.origin)
    }
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

fn misplaced() -> SendError {
    SendError::permanent("the delivery is not what the store says it is; please report it")
}
