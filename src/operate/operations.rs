//! Reading and changing the store as an operator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use uuid::Uuid;

use super::error::CallError;
use super::funnel::Funnel;
use super::report::{self, FirmFigures, ReportFigures};
use crate::domain::commission::Percent;
use crate::domain::inquiry::Person;
use crate::domain::ledger::{Acceptance, Month, Statement};
use crate::domain::matching::{Firm, FirmId, Pause};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{HandlingPolicy, InquiryRecord, Pausing, PhotoSize, Refusal};
use crate::outbox::firm_changes::{pass_on, rematch};
use crate::store::{Erasure, RowSource, Store, TimeRange};

/// A store, with the state that only its server has.
#[derive(Debug, Clone)]
pub struct Operations {
    /// The store.
    pub store: Arc<Store>,
    /// Counts that are not yet in the store; `None` outside the server.
    pub funnel: Option<Arc<Funnel>>,
    /// How the server handles inquiries; `None` outside the server.
    pub policy: Option<watch::Receiver<Arc<HandlingPolicy>>>,
}

/// An inquiry with everything stored about it.
#[derive(Debug, Serialize, Deserialize)]
pub struct FoundInquiry {
    /// The record.
    pub record: InquiryRecord,
    /// The token of the visitor's private page.
    pub visitor_token: String,
    /// The tokens of the firms' private pages, in the order in which the firms were asked.
    pub firm_tokens: Vec<String>,
    /// Its acceptances in the ledger.
    pub acceptances: Vec<Acceptance>,
}

/// A subscription to the newsletter, with its identifiers.
#[derive(Debug, Serialize, Deserialize)]
pub struct FoundSubscription {
    /// The subscription.
    pub subscription: Subscription,
    /// Identifies it in the ids of its deliveries.
    pub key: [u8; 16],
    /// The token in the address of the page that ends it.
    pub token: String,
}

impl FoundSubscription {
    /// Derives the identifiers of a subscription in a store.
    pub fn new(subscription: Subscription, store: &Store) -> Self {
        let key = store.subscription_key(&subscription.email);
        Self {
            subscription,
            key,
            token: store.secret().newsletter_token(key),
        }
    }
}

impl From<Arc<Store>> for Operations {
    fn from(store: Arc<Store>) -> Self {
        Self {
            store,
            funnel: None,
            policy: None,
        }
    }
}

impl Operations {
    fn policy(&self) -> Option<Arc<HandlingPolicy>> {
        self.policy.as_ref().map(|policy| Arc::clone(&policy.borrow()))
    }

    /// The VAT rate: the given one, else the server's, else the usual one.
    fn vat(&self, own: Option<Percent>) -> Percent {
        let vat = own.or_else(|| self.policy().map(|policy| policy.vat));
        vat.unwrap_or(Percent::USUAL_VAT)
    }

    /// Writes the latest counts to the store.
    async fn flush_counts(&self) {
        if let Some(funnel) = &self.funnel {
            funnel.flush(&self.store).await;
        }
    }

    /// An inquiry with everything stored about it, if it exists.
    pub async fn inquiry(&self, id: Uuid) -> Result<Option<FoundInquiry>, CallError> {
        let Some(record) = self.store.record(id).await? else {
            return Ok(None);
        };
        let secret = self.store.secret();
        let firms = record.referral.asked.iter();
        let firm_tokens = firms.map(|asked| secret.firm_token(id, &asked.firm)).collect();
        let acceptances = self.store.acceptances(id).await?;
        Ok(Some(FoundInquiry {
            record,
            visitor_token: secret.visitor_token(id),
            firm_tokens,
            acceptances,
        }))
    }

    /// The large JPEG of an inquiry's photo in Base64; `None` if there is no photo with this number.
    pub async fn photo(&self, id: Uuid, number: u16) -> Result<Option<String>, CallError> {
        let photo = self.store.photo(id, number, PhotoSize::Large).await?;
        Ok(photo.map(|jpeg| STANDARD.encode(jpeg)))
    }

    /// The answers of each firm, counting only inquiries that it was asked about since the given time.
    pub async fn firm_figures(&self, range: TimeRange) -> Result<BTreeMap<FirmId, FirmFigures>, CallError> {
        let add = move |firms: &mut BTreeMap<FirmId, FirmFigures>, record: InquiryRecord| {
            for asked in &record.referral.asked {
                if range.contains(asked.at) {
                    firms.entry(asked.firm.clone()).or_default().add(asked);
                }
            }
        };
        Ok(self
            .store
            .fold(TimeRange::default(), BTreeMap::new(), add)
            .await?)
    }

    /// Everything about a person: the ids of their inquiries, and their subscriptions. There is at most one subscription, unless
    /// an older version stored two spellings of the same address.
    pub async fn person(&self, person: &Person) -> Result<(BTreeSet<Uuid>, Vec<Subscription>), CallError> {
        let meant = person.clone();
        let add = move |ids: &mut BTreeSet<Uuid>, record: InquiryRecord| {
            let inquiry = record.inquiry.as_ref();
            if inquiry.is_some_and(|inquiry| meant.has_given(&inquiry.answers)) {
                ids.insert(record.id);
            }
        };
        let ids = self
            .store
            .fold(TimeRange::default(), BTreeSet::new(), add)
            .await?;
        let (mut found, mut subscriptions) = (Vec::new(), self.store.subscriptions().await?);
        while let Some(subscription) = subscriptions.next().await? {
            found.extend(Some(subscription).filter(|subscription| person.has_address(&subscription.email)));
        }
        Ok((ids, found))
    }

    /// Erases everything about a person; returns the number of inquiries.
    pub async fn erase_person(&self, person: &Person) -> Result<u64, CallError> {
        let (ids, subscriptions) = self.person(person).await?;
        let count = ids.len() as u64;
        if !ids.is_empty() {
            self.store.erase(Erasure::Ids(ids)).await?;
        }
        for Subscription { email, .. } in subscriptions {
            self.store
                .unsubscribe(self.store.subscription_key(&email))
                .await?;
        }
        Ok(count)
    }

    /// Whether a firm was ever asked or paused, or is in the server's configuration.
    pub async fn knows_firm(&self, firm: FirmId) -> Result<bool, CallError> {
        let policy = self.policy();
        let is_served = policy.is_some_and(|policy| Firm::find(&policy.firms, &firm).is_some());
        Ok(is_served
            || self.store.asks().await?.contains_key(&firm)
            || self.store.facts().await?.paused.contains_key(&firm))
    }

    /// The report of a range as HTML. Firms without a name are shown by their ids; `site` is the name of the site.
    pub async fn report(
        &self,
        range: TimeRange,
        names: BTreeMap<FirmId, String>,
        site: &str,
    ) -> Result<String, CallError> {
        self.flush_counts().await;
        let counts = self.store.counts(report::first_day(range)).await?;
        let add = |figures: &mut ReportFigures, record: InquiryRecord| figures.add(&record);
        let figures = self.store.fold(range, ReportFigures::new(names), add).await?;
        report::html(figures, counts, range, site)
    }

    /// The statement of a month, for all firms or one. Unless the month is closed, it uses the given VAT rate, or else the
    /// server's.
    pub async fn statement(
        &self,
        month: Month,
        firm: Option<FirmId>,
        vat: Option<Percent>,
    ) -> Result<Statement, CallError> {
        let (closing, mut acceptances) = self.store.ledger(month).await?;
        if let Some(firm) = firm {
            acceptances.retain(|acceptance| acceptance.firm == firm);
        }
        Ok(Statement::new(
            month,
            closing.as_ref(),
            self.vat(vat),
            acceptances,
        ))
    }

    /// All rows for a backup, including the latest counts.
    pub async fn rows(&self) -> Result<RowSource, CallError> {
        self.flush_counts().await;
        Ok(self.store.rows().await?)
    }

    /// Pauses a firm. If the pause begins at once, passes on its unanswered inquiries, and returns their number.
    pub async fn pause(&self, firm: FirmId, pause: Pause) -> Result<u64, CallError> {
        if !self.store.pause(firm.clone(), pause).await? {
            return Err(Refusal::UnknownFirm.into());
        }
        if !pause.holds(self.store.now()) {
            return Ok(0);
        }
        Ok(pass_on(&self.store, &firm, Pausing::Begins).await?)
    }

    /// Ends a firm's pause.
    pub async fn resume(&self, firm: FirmId) -> Result<(), CallError> {
        self.store.resume(firm).await?;
        rematch(&self.store).await?;
        Ok(())
    }

    /// Credits an acceptance, for a reason from [`Credit::parse_reason`](crate::domain::ledger::Credit::parse_reason); returns
    /// the changed acceptance.
    pub async fn credit(&self, inquiry: Uuid, firm: FirmId, reason: String) -> Result<Acceptance, CallError> {
        let credited = self.store.credit(inquiry, firm, reason).await?;
        credited.map_err(|refusal| CallError::Refused(refusal.into()))
    }

    /// Closes a month with the given VAT rate, or else the server's. A month that is already closed keeps its rate.
    pub async fn close_month(&self, month: Month, vat: Option<Percent>) -> Result<(), CallError> {
        let closed = self.store.close_month(month, self.vat(vat)).await?;
        closed.map_err(|refusal| CallError::Refused(refusal.into()))
    }
}
