//! Attempts at deliveries, under one configuration.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::backoff;
use super::farewells::{FAREWELL, Farewell, Farewells};
use crate::base::panics;
use crate::base::text::origin::Origin;
use crate::config::Handling;
use crate::domain::matching::Firm;
use crate::domain::referral::{
    Asked, Delivery, DeliveryId, Event, Failure, HandlingPolicy, InquiryRecord, Message, Outcome,
};
use crate::outbox::mail::{self, SmtpTransport};
use crate::outbox::sending::{SendError, SendErrorKind};
use crate::outbox::webhook::{self, WebhookEndpoint};
use crate::site::templates::Templates;
use crate::store::{Delivering, LeasedDelivery, Store};

/// The pause before storing a result is retried. Until then, the delivery is not attempted.
const SETTLE_PAUSE: Duration = Duration::from_secs(1);

/// Failure reason of an attempt that panicked.
const BUG: &str = "an internal error, whose place the log names; please report it";

/// The dependencies of the outbox.
#[derive(Clone)]
pub struct OutboxSetup {
    /// The store with the deliveries.
    pub store: Arc<Store>,
    /// The templates of mails.
    pub templates: Arc<Templates>,
    /// The site's origin, for links.
    pub origin: Origin,
    /// The current configuration.
    pub handling: watch::Receiver<Arc<Handling>>,
    /// The policy derived from the configuration.
    pub policy: watch::Receiver<Arc<HandlingPolicy>>,
    /// Mails that are not in the store.
    pub farewells: Arc<Farewells>,
    /// Intervals and timeouts.
    pub pace: RetryPace,
}

/// Intervals and timeouts of the outbox.
#[derive(Debug, Clone, Copy)]
pub struct RetryPace {
    /// How often the clock is checked.
    pub look_every: Duration,
    /// Timeouts for mail servers.
    pub mail: mail::SmtpTimes,
    /// Timeout for each step of a webhook call.
    pub webhook: Duration,
}

impl Default for RetryPace {
    fn default() -> Self {
        Self {
            look_every: Duration::from_mins(1),
            mail: mail::SmtpTimes::default(),
            webhook: webhook::STEP_TIME,
        }
    }
}

/// A finished attempt.
pub struct Tried {
    /// The delivery.
    pub delivery: DeliveryId,
    /// The kind of message.
    pub kind: &'static str,
    /// The outcome of the attempt.
    pub outcome: Outcome,
}

/// Makes attempts under one configuration.
pub struct Dispatcher {
    pub(super) setup: OutboxSetup,
    pub(super) handling: Arc<Handling>,
    transport: Option<SmtpTransport>,
    webhook: Option<WebhookEndpoint>,
}

impl Dispatcher {
    /// Prepares attempts under a configuration.
    pub fn new(setup: &OutboxSetup, handling: Arc<Handling>) -> Self {
        let mail = handling.mail.clone();
        let webhook = handling.notify.webhook.clone();
        Self {
            setup: setup.clone(),
            transport: mail.map(|mail| SmtpTransport::new(mail, setup.origin.host(), setup.pace.mail)),
            webhook: webhook.map(|webhook| WebhookEndpoint::new(webhook, setup.pace.webhook)),
            handling,
        }
    }

    /// Attempts a delivery, and stores the result. If the process ends before that, the delivery is attempted again.
    pub async fn try_once(&self, claim: &LeasedDelivery) -> Tried {
        let outcome = caught(self.send(claim)).await.map_err(|error| {
            let now = self.setup.store.now();
            let is_refused = error.kind == SendErrorKind::NoMailbox;
            let firm = self.firm_of(claim).filter(|_| is_refused);
            Failure {
                refused: firm.map(|firm| firm.email.clone()),
                ..backoff::failure(error, claim.delivery.round_at(now), now)
            }
        });
        while self.setup.store.settle(claim, outcome.clone()).await.is_err() {
            tokio::time::sleep(SETTLE_PAUSE).await;
        }
        Tried {
            delivery: claim.id,
            kind: claim.delivery.message.id(),
            outcome,
        }
    }

    /// The firm that a delivery is mailed to.
    fn firm_of(&self, claim: &LeasedDelivery) -> Option<&Firm> {
        let Delivering::Inquiry(record) = &claim.what else {
            return None;
        };
        let asked = record.referral.firm(claim.delivery.message.to_firm()?)?;
        Firm::find(&self.handling.firms, &asked.firm)
    }

    async fn send(&self, claim: &LeasedDelivery) -> Result<(), SendError> {
        let message = claim.delivery.message;
        if let Delivering::Inquiry(record) = &claim.what {
            self.must_be_kept(record)?;
            if let Message::Webhook(event) | Message::FirmWebhook(event, _) = message {
                let endpoint = self.webhook.as_ref();
                let endpoint = endpoint
                    .ok_or_else(|| SendError::transient("the configuration has no notify.webhook"))?;
                let body = body(event, &claim.delivery, record, &self.handling)?;
                let id = claim.id.to_string();
                return endpoint.send(&id, self.setup.store.now(), body).await;
            }
        }
        let transport = self.transport()?;
        match self.mail(claim).await? {
            Some(mail) => transport.send(&mail).await.map(drop),
            None => Ok(()),
        }
    }

    /// Makes the only attempt to confirm a withdrawal to a visitor by mail: erased data must not be kept for longer.
    pub async fn try_farewell(&self, farewell: &Farewell) -> Tried {
        let sent = caught(async {
            let transport = self.transport()?;
            transport.send(&self.farewell(farewell)?).await.map(drop)
        });
        Tried {
            delivery: farewell.id(),
            kind: FAREWELL,
            outcome: sent.await.map_err(|error| backoff::failure_by(error, None)),
        }
    }

    fn transport(&self) -> Result<&SmtpTransport, SendError> {
        let transport = self.transport.as_ref();
        transport.ok_or_else(|| SendError::transient("the configuration has no [mail]"))
    }

    /// Checks that an inquiry is within its retention period. After a downtime, deliveries may be due for expired inquiries, since
    /// erasing happens in the background and can take minutes.
    fn must_be_kept(&self, record: &InquiryRecord) -> Result<(), SendError> {
        let since = self.handling.retention.kept_since(self.setup.store.now());
        let is_kept = match (record.received_at(), since) {
            (Some(received_at), Some(since)) => received_at >= since,
            _ => true,
        };
        if is_kept || record.inquiry.is_none() {
            return Ok(());
        }
        Err(SendError::transient(
            "the inquiry is older than retention.inquiries_days, and is about to be erased",
        ))
    }
}

/// Sends something. A panic counts as a failed attempt, which is retried and given up like any other and blocks nothing else.
async fn caught(sending: impl Future<Output = Result<(), SendError>>) -> Result<(), SendError> {
    let sent = panics::caught(Box::pin(sending)).await;
    sent.unwrap_or_else(|| Err(SendError::transient(BUG).perhaps_taken()))
}

/// The body of a webhook call.
///
/// # Errors
/// When the inquiry, and with it the content of the call, has been erased.
pub fn body(
    event: Event,
    delivery: &Delivery,
    record: &InquiryRecord,
    handling: &Handling,
) -> Result<Bytes, SendError> {
    let mut data = match &record.inquiry {
        _ if event == Event::Withdrawn => json!({ "id": record.id.to_string() }),
        Some(inquiry) => json!(inquiry.row()),
        None => {
            return Err(SendError::permanent(
                "the inquiry was erased before the webhook was told",
            ));
        }
    };
    if let Value::Object(data) = &mut data {
        data.insert("firms".to_owned(), firms(record, handling));
        if event != Event::Withdrawn {
            let addition = record.referral.addition.clone();
            data.insert("addition".to_owned(), addition.into());
        }
        let meant = delivery
            .message
            .firm()
            .and_then(|number| record.referral.firm(number));
        if let Some(asked) = meant {
            data.insert("firm".to_owned(), firm(asked, handling));
        }
    }
    let body = json!({ "type": event.id(), "timestamp": delivery.since.to_string(), "data": data });
    Ok(body.to_string().into())
}

fn firms(record: &InquiryRecord, handling: &Handling) -> Value {
    let asked = record.referral.asked.iter();
    asked.map(|asked| firm(asked, handling)).collect()
}

fn firm(asked: &Asked, handling: &Handling) -> Value {
    let known = Firm::find(&handling.firms, &asked.firm).map(|firm| firm.name.as_str());
    let answered_at = asked.answered_at();
    json!({
        "id": asked.firm,
        "name": asked.name.as_deref().or(known),
        "state": asked.answer.id(),
        "asked_at": asked.at.to_string(),
        "answered_at": answered_at.map(|at| at.to_string()),
    })
}
