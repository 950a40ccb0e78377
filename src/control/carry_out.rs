//! Carrying out requests: by the server, or by the command itself where there is none.

use std::io::{self, Write};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use super::LEFT_OUT;
use super::body::{Body, write_line};
use super::error::Refusal;
use super::request::{FoundSubscription, Request, Tokens};
use super::retry::{change, changed, pause, retry, retry_inquiry};
use crate::commission::Percent;
use crate::photo::PhotoSize;
use crate::referral::{Change, InquiryRecord, ReviewId};
use crate::store::{EraseError, InquiryRecords, Selection, Store, Unavailable};

impl Request {
    /// Carries it out. Must run inside the runtime.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn carry_out(self, store: Arc<Store>) -> Result<Body, Refusal> {
        let unreadable = |Unavailable| Refusal::Unreadable;
        let unwritable = |Unavailable| Refusal::Unwritable;
        Ok(match self {
            Self::Inquiries(selection) => {
                let snapshot = store.snapshot().await.map_err(unreadable)?;
                let total = snapshot.count();
                let records = snapshot.into_records(selection.range);
                Body::stream(Some(total), move |out| write_inquiries(records, selection, out))
            }
            Self::InquiryRecords(range) => {
                let snapshot = store.snapshot().await.map_err(unreadable)?;
                let total = snapshot.count();
                let mut records = snapshot.into_records(range);
                Body::stream(Some(total), move |out| {
                    while let Some(record) = records.blocking_next().map_err(io::Error::other)? {
                        write_line(out, &record)?;
                    }
                    Ok(HeaderMap::new())
                })
            }
            Self::Subscriptions => {
                let mut subscriptions = store.subscriptions().await.map_err(unreadable)?;
                Body::stream(None, move |out| {
                    while let Some(subscription) = subscriptions.blocking_next().map_err(io::Error::other)? {
                        write_line(out, &FoundSubscription::new(subscription, &store))?;
                    }
                    Ok(HeaderMap::new())
                })
            }
            Self::Backup => backup(&store).await?,
            Self::InquiryRecord(id) => Body::value(&record(&store, id).await.map_err(unreadable)?),
            Self::Photo(id, number) => {
                let photo = store.photo(id, number, PhotoSize::Large).await;
                Body::value(&photo.map_err(unreadable)?.map(|jpeg| STANDARD.encode(jpeg)))
            }
            Self::RequestHistory => Body::value(&store.asks().await.map_err(unreadable)?),
            Self::Counts(since) => Body::value(&store.counts(since).await.map_err(unreadable)?),
            Self::Ledger { month, vat } => {
                let (closing, acceptances) = store.ledger(month).await.map_err(unreadable)?;
                Body::value(&(closing, acceptances, vat.unwrap_or(Percent::USUAL_VAT)))
            }
            Self::Reviews => Body::value(&store.reviews().await.map_err(unreadable)?),
            Self::Facts => Body::value(&store.facts().await.map_err(unreadable)?),
            Self::Check => Body::value(&store.check().await.map_err(unreadable)?),
            Self::Erase(what) => match store.erase(what).await {
                Ok(count) => Body::value(&Ok::<_, Uuid>(count)),
                Err(EraseError::Unknown(id)) => Body::value(&Err::<u64, _>(id)),
                Err(failed) => {
                    tracing::error!(error = %failed, "an erasure failed");
                    return Err(Refusal::Failed(failed.to_string()));
                }
            },
            Self::Release(id) => {
                let released = change(&store, id, Change::Release).await;
                Body::value(&released.map_err(unwritable)?)
            }
            Self::Ask(id, firm) => {
                let asked = changed(&store, id, Change::Ask(firm)).await;
                Body::value(&asked.map_err(unwritable)?)
            }
            Self::Judge(ReviewId { inquiry, firm }, verdict) => {
                let judged = change(&store, inquiry, Change::Judge(firm, verdict)).await;
                Body::value(&judged.map_err(unwritable)?)
            }
            Self::Pause(firm, end) => Body::value(&pause(&store, firm, end).await.map_err(unwritable)?),
            Self::Resume(firm) => {
                store.resume(firm).await.map_err(unwritable)?;
                store.rematch().await.map_err(unwritable)?;
                Body::value(&())
            }
            Self::Retry(delivery) => Body::value(&retry(&store, delivery).await.map_err(unwritable)?),
            Self::RetryInquiry(id) => {
                let retried = retry_inquiry(&store, id).await;
                Body::value(&retried.map_err(unwritable)?)
            }
            Self::EndSubscription(email) => {
                let key = store.subscription_key(&email);
                Body::value(&store.unsubscribe(key).await.map_err(unwritable)?)
            }
            Self::CloseMonth { month, vat } => {
                let vat = vat.unwrap_or(Percent::USUAL_VAT);
                let closed = store.close_month(month, vat).await.map_err(unwritable)?;
                Body::value(&closed.map_err(|refusal| refusal.to_string()))
            }
            Self::OfferDeskCode(address) => {
                let code = store.offer_desk_code().await.map_err(unwritable)?;
                Body::value(&(code, address))
            }
            Self::EndDeskSessions => Body::value(&store.end_desk_sessions().await.map_err(unwritable)?),
            Self::NoteBackup(made_at) => Body::value(&store.note_backup(made_at).await.map_err(unwritable)?),
            Self::BelieveClock => Body::value(&store.believe_clock().await.map_err(unwritable)?),
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

async fn backup(store: &Store) -> Result<Body, Refusal> {
    let made_at = store.now();
    let rows = store.rows().await.map_err(|failed| {
        tracing::error!(error = %failed, "a backup failed");
        Refusal::Failed(failed.to_string())
    })?;
    Ok(Body::stream(None, move |out| {
        let packed = rows.pack(made_at, out);
        packed.inspect_err(|error| tracing::warn!(%error, "a backup broke off"))?;
        Ok(HeaderMap::new())
    }))
}

async fn record(store: &Store, id: Uuid) -> Result<Option<(InquiryRecord, Tokens)>, Unavailable> {
    let Some(record) = store.record(id).await? else {
        return Ok(None);
    };
    let secret = store.secret();
    let firms = record.referral.asked.iter();
    let tokens = Tokens {
        visitor: secret.visitor_token(id),
        firms: firms.map(|asked| secret.firm_token(id, &asked.firm)).collect(),
    };
    Ok(Some((record, tokens)))
}
