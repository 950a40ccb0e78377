//! Composes mails: recipient, values and template for each message.

use jiff::Timestamp;

use super::dispatcher::Dispatcher;
use super::farewells::{FAREWELL, Farewell};
use super::figures::DeliveryFigures;
use crate::config::Handling;
use crate::domain::inquiry::Inquiry;
use crate::domain::matching::Firm;
use crate::domain::newsletter::{Subscription, SubscriptionState};
use crate::domain::referral::{Asked, DeliveryId, InquiryRecord, Message, Status};
use crate::outbox::mail::{Address, Mailbox, Outgoing, mailbox};
use crate::outbox::sending::SendError;
use crate::site::private_path::{DESK_LOGIN, PrivatePath};
use crate::site::templates::context::{
    asked_firm, inquiry_reference, inquiry_with_person, inquiry_without_person,
};
use crate::site::templates::{Serde, Value, context, german_cost, german_time};
use crate::store::{DESK_CODE_TIME, Delivering, LeasedDelivery};

/// The recipient of a mail, and the data of its template.
type Draft = (Mailbox, Value);

impl Dispatcher {
    /// Writes the mail of a delivery from the current state of the store; `None` if there is nothing left to report.
    ///
    /// # Errors
    /// When the store no longer allows it, or the recipient cannot be reached by mail.
    pub(super) async fn mail(&self, claim: &LeasedDelivery) -> Result<Option<Outgoing>, SendError> {
        let message = claim.delivery.message;
        let draft = match &claim.what {
            Delivering::Subscription(subscription) => Some(self.confirmation(claim.id, subscription)?),
            Delivering::Inquiry(record) => match record.referral.status {
                Status::Notice(at) => self.notice(message, at).await?,
                _ => Some(self.about(record, message)?),
            },
        };
        let Some((to, data)) = draft else {
            return Ok(None);
        };
        // Only the operator can use the desk.
        let desk = match message.operator() {
            Some(_) => self.desk().await?,
            None => None,
        };
        let mail = self.filled(claim.id, to, message.id(), &context! { desk, ..data })?;
        let reply_to = reply_to(claim);
        Ok(Some(Outgoing { reply_to, ..mail }))
    }

    /// The address of the desk opened last, if any.
    async fn desk(&self) -> Result<Option<String>, SendError> {
        let desk = self.setup.store.desk_address().await;
        desk.map_err(|_| SendError::transient("the store cannot be read now"))
    }

    /// Writes the mail with a link that logs in at the desk, as of when it was requested; `None` once it would be too late. The
    /// code is generated for this attempt, so that the store does not contain it.
    async fn login(&self, message: Message, requested_at: Timestamp) -> Result<Option<Draft>, SendError> {
        let store = &self.setup.store;
        if store.now().duration_since(requested_at) >= DESK_CODE_TIME {
            return Ok(None);
        }
        let offered = store.offer_desk_code().await;
        let (code, desk) = offered.map_err(|_| SendError::transient("no code can be stored now"))?;
        let desk = desk.ok_or_else(|| SendError::transient("no server has a desk"))?;
        let to = message.operator().ok_or_else(misplaced)?;
        let data = context! { link => format!("{desk}{DESK_LOGIN}{code}") };
        Ok(Some((operator(to, &self.handling)?, data)))
    }

    /// Writes a mail about an inquiry. The reader decides which values it gets, and the message how much of the inquiry it shows.
    fn about(&self, record: &InquiryRecord, message: Message) -> Result<Draft, SendError> {
        let firm = message
            .firm()
            .map(|number| record.referral.firm(number).ok_or_else(misplaced));
        match (message.operator(), firm.transpose()?) {
            (Some(to), firm) => self.to_operator(record, message, to, firm),
            (None, Some(firm)) if message.to_firm().is_some() => self.to_firm(record, message, firm),
            (None, firm) if message.is_to_visitor() => self.to_visitor(record, message, firm),
            _ => Err(misplaced()),
        }
    }

    fn to_operator(
        &self,
        record: &InquiryRecord,
        message: Message,
        to: u8,
        about: Option<&Asked>,
    ) -> Result<Draft, SendError> {
        let configured = about.map(|asked| self.configured(asked));
        let configured = match message {
            Message::OperatorUnreachable(..) => configured.transpose()?,
            _ => configured.and_then(Result::ok),
        };
        let firms: Vec<_> = record
            .referral
            .reached()
            .map(|asked| self.described(asked))
            .collect();
        let data = context! {
            inquiry => told(record, message)?,
            asked_count => firms.len(),
            firms,
            accepted_count => record.referral.accepted(),
            offers => self.handling.matching.offers,
            firm => about.map(|asked| self.described(asked)),
            firm_id => about.map(|asked| asked.firm.as_str()),
            firm_email => configured.map(|firm| &firm.email),
        };
        Ok((operator(to, &self.handling)?, data))
    }

    fn to_firm(&self, record: &InquiryRecord, message: Message, asked: &Asked) -> Result<Draft, SendError> {
        let inquiry = told(record, message)?;
        let firm = self.configured(asked)?;
        let (referral, matching) = (&record.referral, &self.handling.matching);
        let token = self.setup.store.secret().firm_token(record.id, &asked.firm);
        let answer_until = asked.until_if_told(self.setup.store.now(), matching.answer_within());
        let data = context! {
            inquiry,
            firm => self.described(asked),
            // The firm that reads the mail was asked.
            asked_count => referral.reached().count().max(1),
            offers => matching.offers,
            answer_until => german_time(answer_until),
            cost => firm.commission.map(|terms| german_cost(&terms, self.handling.vat())),
            has_price => firm.commission.is_some_and(|terms| !terms.is_free()),
            has_consent => referral.consent.is_some(),
            may_call => referral.calls_revoked.is_none(),
            photo_count => referral.photo_numbers().len(),
            link => PrivatePath::Firm(&token).link(&self.setup.origin),
        };
        Ok((recipient(Some(&firm.name), &firm.email)?, data))
    }

    fn to_visitor(
        &self,
        record: &InquiryRecord,
        message: Message,
        firm: Option<&Asked>,
    ) -> Result<Draft, SendError> {
        let address = whole(record)?.answers.email_address.as_str();
        let token = self.setup.store.secret().visitor_token(record.id);
        let data = context! {
            inquiry => told(record, message)?,
            asked_count => record.referral.reached().count(),
            answer_hours => self.handling.matching.answer_hours,
            firm => firm.map(|asked| self.described(asked)),
            link => PrivatePath::Visitor(&token).link(&self.setup.origin),
        };
        Ok((recipient(None, address)?, data))
    }

    /// Writes the mail with the link that confirms a subscription.
    fn confirmation(&self, id: DeliveryId, subscription: &Subscription) -> Result<Draft, SendError> {
        let SubscriptionState::Pending(until) = subscription.state else {
            return Err(SendError::permanent("the subscription was confirmed before"));
        };
        let key = id.inquiry.into_bytes();
        let secret = self.setup.store.secret();
        let token = secret.confirmation_token(key, subscription.requested_at);
        let data = context! {
            link => PrivatePath::Confirmation(&token).link(&self.setup.origin),
            valid_until => german_time(until),
        };
        Ok((recipient(None, &subscription.email)?, data))
    }

    /// Writes a summary mail to the operator, as of a time; `None` if there is nothing left to report.
    async fn notice(&self, message: Message, until: Timestamp) -> Result<Option<Draft>, SendError> {
        let since = match message {
            Message::OperatorLogin(_) => return self.login(message, until).await,
            Message::OperatorDigest(_, period) => period.since(until),
            _ => until,
        };
        let figures = DeliveryFigures::count(&self.setup.store, since, until).await;
        let figures = figures.map_err(|_| SendError::transient("the inquiries cannot be counted now"))?;
        let data = match message {
            Message::OperatorDigest(..) => {
                let (since, until) = (german_time(since), german_time(until));
                context! { since, until, ..Serde(&figures) }
            }
            _ if figures.suspected == 0 => return Ok(None),
            _ => {
                let latest = figures.latest_suspected.iter().rev();
                let inquiries = latest.filter_map(|record| {
                    let inquiry = record.inquiry.as_ref()?;
                    Some(inquiry_with_person(inquiry, &record.referral.addition))
                });
                context! { count => figures.suspected, inquiries => inquiries.collect::<Vec<_>>() }
            }
        };
        let to = message.operator().ok_or_else(misplaced)?;
        Ok(Some((operator(to, &self.handling)?, data)))
    }

    /// Writes the mail that confirms a withdrawal.
    ///
    /// # Errors
    /// When the address cannot receive mail.
    pub(super) fn farewell(&self, farewell: &Farewell) -> Result<Outgoing, SendError> {
        let token = self.setup.store.secret().visitor_token(farewell.inquiry);
        let data = context! {
            inquiry => inquiry_reference(farewell.inquiry, farewell.created_at),
            asked_count => farewell.asked_count,
            link => PrivatePath::Visitor(&token).link(&self.setup.origin),
        };
        let to = recipient(None, &farewell.address)?;
        self.filled(farewell.id(), to, FAREWELL, &data)
    }

    /// Fills the template with this name. The message id is derived from the delivery's, so that a retry keeps it.
    fn filled(&self, id: DeliveryId, to: Mailbox, name: &str, data: &Value) -> Result<Outgoing, SendError> {
        // Another build may have the template, so retry the mail.
        let mail = self.setup.templates.mail(name, data);
        let mail = mail.map_err(SendError::transient)?;
        Ok(Outgoing {
            message_id: format!("{id}@{}", self.setup.origin.host()),
            to,
            reply_to: None,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
        })
    }

    fn described(&self, asked: &Asked) -> Value {
        asked_firm(asked, &self.handling.firms)
    }

    /// The configuration of a firm that was asked.
    fn configured(&self, asked: &Asked) -> Result<&Firm, SendError> {
        Firm::find(&self.handling.firms, &asked.firm).ok_or_else(|| {
            SendError::transient(format_args!("the configuration has no firm `{}`", asked.firm))
        })
    }
}

/// The visitor, for the mails that the operator answers by writing to them.
fn reply_to(claim: &LeasedDelivery) -> Option<Mailbox> {
    let (Message::OperatorNew(_) | Message::OperatorUnmatched(_) | Message::OperatorHeld(_)) =
        claim.delivery.message
    else {
        return None;
    };
    let Delivering::Inquiry(record) = &claim.what else {
        return None;
    };
    let visitor = Address::parse(record.inquiry.as_ref()?.answers.email_address.as_str()).ok()?;
    // A server without SMTPUTF8 would refuse the whole mail.
    visitor.is_ascii().then(|| mailbox(None, &visitor))
}

/// The part of an inquiry that a message shows its reader. Only the operator and a firm that has accepted get the contact data,
/// and a message that outlives its inquiry shows no visitor input. Nor do those to visitors: the address may be someone else's.
fn told(record: &InquiryRecord, message: Message) -> Result<Value, SendError> {
    let addition = &record.referral.addition;
    if message.outlives_inquiry() || message.is_to_visitor() {
        let id = record.id.to_string();
        Ok(context! { id, ..inquiry_reference(record.id, record.created_at()) })
    } else if message.operator().is_some() || matches!(message, Message::FirmContact(_)) {
        Ok(inquiry_with_person(whole(record)?, addition))
    } else {
        Ok(inquiry_without_person(whole(record)?, addition))
    }
}

fn whole(record: &InquiryRecord) -> Result<&Inquiry, SendError> {
    let inquiry = record.inquiry.as_ref();
    inquiry.ok_or_else(|| SendError::permanent("the inquiry was erased before the mail was sent"))
}

fn operator(to: u8, handling: &Handling) -> Result<Mailbox, SendError> {
    let all = handling.notify.mail.as_slice();
    if all.is_empty() {
        return Err(SendError::transient("notify.mail names nobody to tell"));
    }
    let meant = all.get(usize::from(to));
    let meant =
        meant.ok_or_else(|| SendError::permanent("notify.mail has fewer addresses than it had then"))?;
    recipient(None, meant)
}

fn recipient(name: Option<&str>, address: &str) -> Result<Mailbox, SendError> {
    let parsed = Address::parse(address).map_err(|error| {
        SendError::permanent(format_args!(
            "no mail server takes the recipient's address: it {error}"
        ))
    })?;
    Ok(mailbox(name, &parsed))
}

fn misplaced() -> SendError {
    SendError::permanent("the delivery is not what the store says it is; please report it")
}
