//! Carrying out requests: by the server, or by the command itself where there is none.

use std::io::{self, Write};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use super::LEFT_OUT;
use super::body::{Body, write_line};
use super::error::RequestError;
use super::request::{FoundInquiry, FoundSubscription, Request, Tokens};
use super::retry::{change, changed, pause, retry, retry_inquiry};
use crate::domain::commission::Percent;
use crate::domain::referral::PhotoSize;
use crate::domain::referral::{Change, ReviewId};
use crate::store::{EraseError, InquiryRecords, Selection, Store, Unavailable, pack};

/// Why there is no answer.
enum Unanswered {
    /// The store does not answer.
    Unavailable,
    /// It says why.
    Failed(String),
}

impl From<Unavailable> for Unanswered {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

impl Request {
    /// Carries it out. Must run inside the runtime.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn carry_out(self, store: Arc<Store>) -> Result<Body, RequestError> {
        let changes = self.changes();
        self.answer(store).await.map_err(|error| match error {
            Unanswered::Unavailable if changes => RequestError::Unwritable,
            Unanswered::Unavailable => RequestError::Unreadable,
            Unanswered::Failed(reason) => RequestError::Failed(reason),
        })
    }

    async fn answer(self, store: Arc<Store>) -> Result<Body, Unanswered> {
        Ok(match self {
            Self::Inquiries(selection) => {
                let records = store.records(selection.range).await?;
                Body::stream(Some(records.total()), move |out| {
                    write_inquiries(records, selection, out)
                })
            }
            Self::InquiryRecords(range) => {
                let mut records = store.records(range).await?;
                Body::stream(Some(records.total()), move |out| {
                    while let Some(record) = records.blocking_next().map_err(io::Error::other)? {
                        write_line(out, &record)?;
                    }
                    Ok(HeaderMap::new())
                })
            }
            Self::Subscriptions => {
                let mut subscriptions = store.subscriptions().await?;
                Body::stream(None, move |out| {
                    while let Some(subscription) = subscriptions.blocking_next().map_err(io::Error::other)? {
                        write_line(out, &FoundSubscription::new(subscription, &store))?;
                    }
                    Ok(HeaderMap::new())
                })
            }
            Self::Backup => backup(&store).await?,
            Self::InquiryRecord(id) => Body::value(&record(&store, id).await?),
            Self::Photo(id, number) => {
                let photo = store.photo(id, number, PhotoSize::Large).await;
                Body::value(&photo?.map(|jpeg| STANDARD.encode(jpeg)))
            }
            Self::RequestHistory => Body::value(&store.asks().await?),
            Self::KnowsFirm { firm, is_configured } => Body::value(
                &(is_configured
                    || store.asks().await?.contains_key(&firm)
                    || store.facts().await?.paused.contains_key(&firm)),
            ),
            Self::Counts(since) => Body::value(&store.counts(since).await?),
            Self::Ledger { month, vat } => {
                let (closing, acceptances) = store.ledger(month).await?;
                Body::value(&(closing, acceptances, vat.unwrap_or(Percent::USUAL_VAT)))
            }
            Self::Reviews => Body::value(&store.reviews().await?),
            Self::Facts => Body::value(&store.facts().await?),
            Self::Check => Body::value(&store.check().await?),
            Self::Erase(what) => match store.erase(what).await {
                Ok(count) => Body::value(&Ok::<_, Uuid>(count)),
                Err(EraseError::Unknown(id)) => Body::value(&Err::<u64, _>(id)),
                Err(failed) => {
                    tracing::error!(error = %failed, "an erasure failed");
                    return Err(Unanswered::Failed(failed.to_string()));
                }
            },
            Self::Release(id, read) => {
                let released = change(&store, id, Change::Release(read)).await;
                Body::value(&released?)
            }
            Self::Ask(id, firm) => {
                let asked = changed(&store, id, Change::Ask(firm)).await;
                Body::value(&asked?)
            }
            Self::Judge(ReviewId { inquiry, firm }, verdict, read) => {
                let judged = change(&store, inquiry, Change::Judge(firm, verdict, read)).await;
                Body::value(&judged?)
            }
            Self::Pause(firm, end) => Body::value(&pause(&store, firm, end).await?),
            Self::Resume(firm) => {
                store.resume(firm).await?;
                store.rematch().await?;
                Body::value(&())
            }
            Self::Retry(delivery) => Body::value(&retry(&store, delivery).await?),
            Self::RetryInquiry(id) => Body::value(&retry_inquiry(&store, id).await?),
            Self::EndSubscription(email) => {
                let key = store.subscription_key(&email);
                Body::value(&store.unsubscribe(key).await?)
            }
            Self::CloseMonth { month, vat } => {
                let vat = vat.unwrap_or(Percent::USUAL_VAT);
                Body::value(&store.close_month(month, vat).await?)
            }
            Self::OfferDeskCode => Body::value(&store.offer_desk_code().await?),
            Self::EndDeskSessions => Body::value(&store.end_desk_sessions().await?),
            Self::NoteBackup(made_at) => Body::value(&store.note_backup(made_at).await?),
            Self::BelieveClock => Body::value(&store.believe_clock().await?),
        })
    }
}

/// Writes the inquiries of a selection, and in a trailer how many suspected ones were left out.
fn write_inquiries(
    mut records: InquiryRecords,
    selection: Selection,
    out: &mut impl Write,
) -> io::Result<HeaderMap> {
    let mut left_out = 0_u64;
    while let Some(record) = records.blocking_next().map_err(io::Error::other)? {
        let (Some(inquiry), Some(row)) = (&record.inquiry, record.export_row()) else {
            continue;
        };
        if selection.suspected.takes(inquiry) {
            write_line(out, &row)?;
        } else {
            left_out += u64::from(inquiry.suspected);
        }
    }
    let trailer = (HeaderName::from_static(LEFT_OUT), HeaderValue::from(left_out));
    Ok(HeaderMap::from_iter([trailer]))
}

async fn backup(store: &Store) -> Result<Body, Unanswered> {
    let made_at = store.now();
    let rows = store.rows().await?;
    Ok(Body::stream(None, move |out| {
        let packed = pack(rows, made_at, out);
        packed.map_err(|error| {
            tracing::warn!(%error, "a backup broke off");
            io::Error::other(error)
        })?;
        Ok(HeaderMap::new())
    }))
}

async fn record(store: &Store, id: Uuid) -> Result<Option<FoundInquiry>, Unavailable> {
    let Some(record) = store.record(id).await? else {
        return Ok(None);
    };
    let secret = store.secret();
    let firms = record.referral.asked.iter();
    let tokens = Tokens {
        visitor: secret.visitor_token(id),
        firms: firms.map(|asked| secret.firm_token(id, &asked.firm)).collect(),
    };
    let acceptances = store.acceptances(id).await?.into_iter();
    Ok(Some(FoundInquiry {
        record,
        tokens,
        acceptances: acceptances.map(|(acceptance, _)| acceptance).collect(),
    }))
}
