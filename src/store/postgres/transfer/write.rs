//! Writing rows into empty tables by COPY.

use std::pin::Pin;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio_postgres::Client;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::error::TransferError;
use crate::matching::RequestHistory;
use crate::referral::{Due, Lane};
use crate::store::core::{acceptance_record, record, referral_record, subscription_record};
use crate::store::error::Damaged;
use crate::store::transfer::{Row, Section};

/// Writes rows, which come by section, in order.
pub struct Writer<'c> {
    client: &'c Client,
    open: Option<(Section, Pin<Box<BinaryCopyInWriter>>)>,
}

impl<'c> Writer<'c> {
    /// Prepares writing in the transaction of a connection.
    pub fn new(client: &'c Client) -> Self {
        Self { client, open: None }
    }

    /// Writes a row.
    pub async fn write(&mut self, row: &Row) -> Result<(), TransferError> {
        let section = row.section();
        if self.open.as_ref().is_none_or(|(open, _)| *open != section) {
            self.finish().await?;
            let (statement, types) = copy_in(section);
            let sink = self.client.copy_in(statement).await?;
            self.open = Some((section, Box::pin(BinaryCopyInWriter::new(sink, types))));
        }
        match row {
            Row::Secret { name, value } => self.put(&[name, value]).await,
            Row::Fact { name, value } => self.put(&[name, &signed(*value)]).await,
            Row::Inquiry { id, value } => {
                let inquiry = record::decode(*id, value).ok_or(Damaged("an inquiry cannot be read"))?;
                self.put(&[&inquiry.id, &inquiry.created_at, value]).await
            }
            Row::Referral { id, value } => {
                let due = referral_record::decode(id, value)?.due();
                let [clock, mail, webhook] = lanes(&due);
                self.put(&[&Uuid::from_bytes(*id), value, &clock, &mail, &webhook])
                    .await
            }
            Row::Key {
                name,
                tag,
                id,
                expires_at,
            } => {
                let (name, tag) = (name.as_slice(), tag.as_slice());
                self.put(&[&name, &tag, &Uuid::from_bytes(*id), &time(*expires_at)])
                    .await
            }
            Row::RequestHistory { firm, value } => {
                let asks = RequestHistory::from_bytes(value)
                    .ok_or(Damaged("what a firm was asked cannot be read"))?;
                self.put(&[firm, &signed(asks.last()), value]).await
            }
            Row::Confirmation { at, address } => self.put(&[&address.as_slice(), &signed(*at)]).await,
            Row::Count { day, name, count } => self.put(&[&date(*day), name, &signed(*count)]).await,
            Row::Subscription { key, value } => {
                let due = subscription_record::decode(value)?.due();
                let [clock, mail, _] = lanes(&due);
                self.put(&[&Uuid::from_bytes(*key), value, &clock, &mail]).await
            }
            Row::Acceptance { id, firm, value } => {
                let inquiry = Uuid::from_bytes(*id);
                let at = acceptance_record::decode(inquiry, firm, value)?.at;
                self.put(&[&inquiry, firm, &at, value]).await
            }
            Row::Closing { month, at, vat } => {
                self.put(&[&month.cast_signed(), &time(*at), &vat.cast_signed()])
                    .await
            }
            Row::Photo {
                id,
                number,
                size,
                jpeg,
            } => {
                let (number, size) = (i32::from(*number), i16::from(*size));
                self.put(&[&Uuid::from_bytes(*id), &number, &size, jpeg]).await
            }
            Row::Erased { id, at } => self.put(&[&Uuid::from_bytes(*id), &time(*at)]).await,
        }
    }

    /// Ends what was begun.
    pub async fn finish(&mut self) -> Result<(), TransferError> {
        let Some((section, mut open)) = self.open.take() else {
            return Ok(());
        };
        open.as_mut().finish().await?;
        if section == Section::Confirmations {
            self.client.batch_execute(GATHER_CONFIRMATIONS).await?;
        }
        Ok(())
    }

    async fn put(&mut self, values: &[&(dyn ToSql + Sync)]) -> Result<(), TransferError> {
        if let Some((_, open)) = &mut self.open {
            open.as_mut().write(values).await?;
        }
        Ok(())
    }
}

/// What each confirmation becomes part of: the last three of each address.
const GATHER_CONFIRMATIONS: &str = "INSERT INTO confirmations (address, times, last) \
    SELECT address, (array_agg(at ORDER BY at DESC) || ARRAY[0, 0, 0]::bigint[])[1:3], to_timestamp(max(at) / 1000.0) \
    FROM copied_confirmations GROUP BY address ORDER BY address";

/// Where confirmations wait to be gathered.
pub const CONFIRMATIONS: &str =
    "CREATE TEMPORARY TABLE copied_confirmations (address bytea, at bigint) ON COMMIT DROP";

fn copy_in(section: Section) -> (&'static str, &'static [Type]) {
    match section {
        Section::Secrets => (
            "COPY secrets (name, value) FROM STDIN BINARY",
            &[Type::TEXT, Type::BYTEA],
        ),
        Section::Facts => (
            "COPY meta (name, value) FROM STDIN BINARY",
            &[Type::TEXT, Type::INT8],
        ),
        Section::Inquiries => (
            "COPY inquiries (id, created_at, value) FROM STDIN BINARY",
            &[Type::UUID, Type::TIMESTAMPTZ, Type::BYTEA],
        ),
        Section::Referrals => (
            "COPY referrals (id, value, clock_due, mail_due, webhook_due) FROM STDIN BINARY",
            &[
                Type::UUID,
                Type::BYTEA,
                Type::TIMESTAMPTZ,
                Type::TIMESTAMPTZ,
                Type::TIMESTAMPTZ,
            ],
        ),
        Section::Keys => (
            "COPY keys (name, tag, id, expires_at) FROM STDIN BINARY",
            &[Type::BYTEA, Type::BYTEA, Type::UUID, Type::TIMESTAMPTZ],
        ),
        Section::RequestHistory => (
            "COPY asks (firm, last, value) FROM STDIN BINARY",
            &[Type::TEXT, Type::INT8, Type::BYTEA],
        ),
        Section::Confirmations => (
            "COPY copied_confirmations (address, at) FROM STDIN BINARY",
            &[Type::BYTEA, Type::INT8],
        ),
        Section::Counts => (
            "COPY counts (day, name, count) FROM STDIN BINARY",
            &[Type::DATE, Type::TEXT, Type::INT8],
        ),
        Section::Subscriptions => (
            "COPY subscriptions (key, value, clock_due, mail_due) FROM STDIN BINARY",
            &[Type::UUID, Type::BYTEA, Type::TIMESTAMPTZ, Type::TIMESTAMPTZ],
        ),
        Section::Ledger => (
            "COPY ledger (inquiry, firm, accepted_at, value) FROM STDIN BINARY",
            &[Type::UUID, Type::TEXT, Type::TIMESTAMPTZ, Type::BYTEA],
        ),
        Section::Closings => (
            "COPY closings (month, closed_at, vat) FROM STDIN BINARY",
            &[Type::INT4, Type::TIMESTAMPTZ, Type::INT4],
        ),
        Section::Photos => (
            "COPY photos (inquiry, number, size, jpeg) FROM STDIN BINARY",
            &[Type::UUID, Type::INT4, Type::INT2, Type::BYTEA],
        ),
        Section::Erased => (
            "COPY erased (id, erased_at) FROM STDIN BINARY",
            &[Type::UUID, Type::TIMESTAMPTZ],
        ),
    }
}

fn lanes(due: &Due) -> [Option<Timestamp>; 3] {
    [Lane::Clock, Lane::Mail, Lane::Webhook].map(|lane| due.of(lane))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn time(millis: u64) -> Timestamp {
    Timestamp::from_millisecond(signed(millis)).unwrap_or(Timestamp::MAX)
}

fn date(day: u32) -> Date {
    let epoch = Date::constant(1970, 1, 1);
    epoch
        .checked_add(jiff::Span::new().days(i64::from(day)))
        .unwrap_or(epoch)
}
