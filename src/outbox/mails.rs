//! Who gets which mail.

use std::sync::Arc;

use jiff::Timestamp;

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
    asked_firm, inquiry_reference, inquiry_with_person, inquiry_without_person,
};
use crate::site::templates::{MailKind, Serde, Templates, Value, context, german_cost, german_time};
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
        let data = context! {
            link => PrivatePath::Confirmation(&token).link(&self.origin),
            valid_until => german_time(until),
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
        let counts = figures.counts;
        let (to, kind, data) = match claim.delivery.message {
            Message::OperatorDigest(to, _) => {
                let (since, until) = (german_time(since), german_time(until));
                let data = context! { since, until, ..Serde(counts) };
                (to, MailKind::OperatorDigest, data)
            }
            Message::OperatorSuspected(_) if counts.suspected == 0 => return Ok(None),
            Message::OperatorSuspected(to) => {
                let latest = figures.latest_suspected.iter().rev();
                let inquiries = latest.filter_map(|record| {
                    let inquiry = record.inquiry.as_ref()?;
                    let addition = &record.referral.addition;
                    Some(inquiry_with_person(inquiry, addition))
                });
                let data = context! { count => counts.suspected, inquiries => inquiries.collect::<Vec<_>>() };
                (to, MailKind::OperatorSuspected, data)
            }
            _ => return Err(misplaced()),
        };
        self.mail(claim.id, operator(to, handling)?, kind, &data)
            .map(Some)
    }

    /// Writes the mail that confirms a withdrawal.
    ///
    /// # Errors
    /// When mail cannot be sent to the address.
    pub fn farewell(&self, farewell: &Farewell) -> Result<Outgoing, SendError> {
        let token = self.store.secret().visitor_token(farewell.inquiry);
        let data = context! {
            inquiry => inquiry_reference(farewell.inquiry, farewell.created_at),
            asked_count => farewell.asked_count,
            link => PrivatePath::Visitor(&token).link(&self.origin),
        };
        let to = vec![recipient(None, &farewell.address)?];
        self.mail(farewell.id(), to, MailKind::VisitorWithdrawn, &data)
    }

    fn mail(
        &self,
        id: DeliveryId,
        to: Vec<Mailbox>,
        kind: MailKind,
        data: &Value,
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
    /// Writes a mail. The reader decides which values it gets, and the kind how much of the inquiry they tell.
    fn write(&self, message: Message) -> Result<Outgoing, SendError> {
        match message {
            Message::OperatorNew(to) => self.to_operator_for_reply(MailKind::OperatorNew, to),
            Message::OperatorUnmatched(to) => self.to_operator_for_reply(MailKind::OperatorUnmatched, to),
            Message::OperatorHeld(to) => self.to_operator_for_reply(MailKind::OperatorHeld, to),
            Message::OperatorWithdrawn(to) => {
                self.to_operator(MailKind::OperatorWithdrawn, to, self.reference(), None)
            }
            Message::OperatorAccepted(firm, to) => {
                let asked = self.asked(firm)?;
                self.to_operator(MailKind::OperatorAccepted, to, self.with_person()?, Some(asked))
            }
            Message::OperatorUnreachable(firm, to) => {
                let (asked, _) = self.firm(firm)?;
                self.to_operator(MailKind::OperatorUnreachable, to, self.reference(), Some(asked))
            }
            Message::FirmRequest(firm) => self.to_firm(MailKind::FirmRequest, firm, self.without_person()?),
            Message::FirmReminder(firm) => self.to_firm(MailKind::FirmReminder, firm, self.without_person()?),
            Message::FirmContact(firm) => self.to_firm(MailKind::FirmContact, firm, self.with_person()?),
            Message::FirmAddition(firm) => self.to_firm(MailKind::FirmAddition, firm, self.without_person()?),
            Message::FirmWithdrawn(firm) => self.to_firm(MailKind::FirmWithdrawn, firm, self.reference()),
            Message::FirmErased(firm) => self.to_firm(MailKind::FirmErased, firm, self.reference()),
            Message::VisitorReceived => self.to_visitor(MailKind::VisitorReceived, None),
            Message::VisitorNobody => self.to_visitor(MailKind::VisitorNobody, None),
            Message::VisitorAccepted(firm) => {
                self.to_visitor(MailKind::VisitorAccepted, Some(self.asked(firm)?))
            }
            Message::Webhook(_)
            | Message::FirmWebhook(..)
            | Message::NewsletterConfirm
            | Message::OperatorSuspected(_)
            | Message::OperatorDigest(..) => Err(misplaced()),
        }
    }

    /// Writes a mail to the operator, who replies to the visitor.
    fn to_operator_for_reply(&self, kind: MailKind, to: referral::Mailbox) -> Result<Outgoing, SendError> {
        let mail = self.to_operator(kind, to, self.with_person()?, None)?;
        let visitor = self.inquiry()?.answers.email_address.as_str();
        Ok(Outgoing {
            // A server without SMTPUTF8 would refuse the whole mail.
            reply_to: Address::parse(visitor)
                .ok()
                .filter(Address::is_ascii)
                .map(Mailbox::from),
            ..mail
        })
    }

    fn to_operator(
        &self,
        kind: MailKind,
        to: referral::Mailbox,
        inquiry: Value,
        about: Option<&Asked>,
    ) -> Result<Outgoing, SendError> {
        let configured = about.and_then(|asked| Firm::find(&self.handling.firms, &asked.firm));
        let firms: Vec<_> = self.reached().map(|asked| self.described(asked)).collect();
        let data = context! {
            inquiry,
            asked_count => firms.len(),
            firms,
            accepted_count => self.record.referral.accepted(),
            offers => self.handling.matching.offers,
            firm => about.map(|asked| self.described(asked)),
            firm_id => about.map(|asked| asked.firm.as_str()),
            firm_email => configured.map(|firm| &firm.email),
        };
        self.mail(operator(to, self.handling)?, kind, &data)
    }

    fn to_firm(&self, kind: MailKind, number: u8, inquiry: Value) -> Result<Outgoing, SendError> {
        let (asked, firm) = self.firm(number)?;
        let referral = &self.record.referral;
        let answer_within = self.handling.matching.answer_within();
        let token = self.writer.store.secret().firm_token(self.record.id, &asked.firm);
        let data = context! {
            inquiry,
            firm => self.described(asked),
            // The firm that reads the mail was asked.
            asked_count => self.reached().count().max(1),
            offers => self.handling.matching.offers,
            answer_until => german_time(asked.until_if_told(self.writer.store.now(), answer_within)),
            cost => firm.commission.as_ref().map(german_cost),
            has_price => firm.commission.is_some_and(|terms| !terms.is_free()),
            has_consent => referral.consent.is_some(),
            photo_count => referral.photo_numbers().len(),
            link => PrivatePath::Firm(&token).link(&self.writer.origin),
        };
        self.mail(vec![recipient(Some(&firm.name), &firm.email)?], kind, &data)
    }

    /// The visitor's name and whatever was typed are left out: the address may be somebody else's.
    fn to_visitor(&self, kind: MailKind, accepted: Option<&Asked>) -> Result<Outgoing, SendError> {
        let address = self.inquiry()?.answers.email_address.as_str();
        let token = self.writer.store.secret().visitor_token(self.record.id);
        let data = context! {
            inquiry => self.reference(),
            asked_count => self.reached().count(),
            answer_hours => self.handling.matching.answer_hours,
            firm => accepted.map(|asked| self.described(asked)),
            link => PrivatePath::Visitor(&token).link(&self.writer.origin),
        };
        self.mail(vec![recipient(None, address)?], kind, &data)
    }

    fn mail(&self, to: Vec<Mailbox>, kind: MailKind, data: &Value) -> Result<Outgoing, SendError> {
        self.writer.mail(self.id, to, kind, data)
    }

    fn inquiry(&self) -> Result<&Inquiry, SendError> {
        let inquiry = self.record.inquiry.as_ref();
        inquiry.ok_or_else(|| SendError::permanent("the inquiry was erased before the mail was sent"))
    }

    fn asked(&self, number: u8) -> Result<&Asked, SendError> {
        self.record.referral.firm(number).ok_or_else(misplaced)
    }

    /// Returns a firm that was asked, with what the configuration knows of it.
    fn firm(&self, number: u8) -> Result<(&Asked, &Firm), SendError> {
        let asked = self.asked(number)?;
        let firm = Firm::find(&self.handling.firms, &asked.firm).ok_or_else(|| {
            SendError::transient(format_args!("the configuration has no firm `{}`", asked.firm))
        })?;
        Ok((asked, firm))
    }

    fn reached(&self) -> impl Iterator<Item = &Asked> {
        self.record.referral.reached()
    }

    fn described(&self, asked: &Asked) -> Value {
        asked_firm(asked, &self.handling.firms)
    }

    fn reference(&self) -> Value {
        inquiry_reference(self.record.id, self.record.created_at())
    }

    fn with_person(&self) -> Result<Value, SendError> {
        let addition = &self.record.referral.addition;
        Ok(inquiry_with_person(self.inquiry()?, addition))
    }

    fn without_person(&self) -> Result<Value, SendError> {
        let addition = &self.record.referral.addition;
        Ok(inquiry_without_person(self.inquiry()?, addition))
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
