//! The statements that write what a batch has changed, and how they leave together.

use futures_util::future::{BoxFuture, join_all};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

/// Notes the batch and stores inquiries and their keys, all in one: what a single visitor waits for is mostly what each statement
/// costs, however little it does. A key that is there already is an error. `schema_2.sql` has what it does.
pub const INQUIRIES: &str = "SELECT store_inquiries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
pub const REPLACED_KEYS: &str = "DELETE FROM keys WHERE name = ANY($1) AND expires_at <= $2";
pub const CHANGED_INQUIRIES: &str = "UPDATE inquiries i SET value = n.value FROM unnest($1::uuid[], $2::bytea[]) n (id, value) \
                                 WHERE i.id = n.id";
pub const REMOVED_INQUIRIES: &str = "DELETE FROM inquiries WHERE id = ANY($1)";
pub const REFERRALS: &str = "INSERT INTO referrals (id, value, clock_due, mail_due, webhook_due, leases) \
                         SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], \
                         $5::timestamptz[], $6::bytea[]) \
                         ON CONFLICT (id) DO UPDATE SET value = excluded.value, clock_due = excluded.clock_due, \
                         mail_due = excluded.mail_due, webhook_due = excluded.webhook_due, leases = excluded.leases";
pub const REMOVED_REFERRALS: &str = "DELETE FROM referrals WHERE id = ANY($1)";
pub const NOT_DUE: &str = "UPDATE referrals SET clock_due = NULL WHERE id = ANY($1)";
pub const SUBSCRIPTIONS: &str = "INSERT INTO subscriptions (key, value, clock_due, mail_due, leases) \
                             SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], $5::bytea[]) \
                             ON CONFLICT (key) DO UPDATE SET value = excluded.value, clock_due = excluded.clock_due, \
                             mail_due = excluded.mail_due, leases = excluded.leases";
pub const REMOVED_SUBSCRIPTIONS: &str = "DELETE FROM subscriptions WHERE key = ANY($1)";
pub const ASKS: &str = "INSERT INTO asks (firm, last, value) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) \
                    ON CONFLICT (firm) DO UPDATE SET last = excluded.last, value = excluded.value";
pub const CONFIRMATIONS: &str = "INSERT INTO confirmations (address, times, last) \
                             SELECT address, ARRAY[first, second, third], last FROM unnest($1::bytea[], $2::bigint[], \
                             $3::bigint[], $4::bigint[], $5::timestamptz[]) n (address, first, second, third, last) \
                             ON CONFLICT (address) DO UPDATE SET times = excluded.times, last = excluded.last";
pub const COUNTS: &str = "INSERT INTO counts AS c (day, name, count) SELECT * FROM unnest($1::date[], $2::text[], $3::bigint[]) \
                      ON CONFLICT (day, name) DO UPDATE SET count = c.count + excluded.count";
pub const FACTS: &str = "INSERT INTO meta (name, value) SELECT * FROM unnest($1::text[], $2::bigint[]) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value";
pub const REMOVED_FACTS: &str = "DELETE FROM meta WHERE name = ANY($1)";
pub const ERASED: &str = "INSERT INTO erased (id, erased_at) SELECT id, $2 FROM unnest($1::uuid[]) n (id) \
                      ON CONFLICT (id) DO UPDATE SET erased_at = excluded.erased_at";
pub const FORGET_KEYS: &str = "DELETE FROM keys WHERE name IN (SELECT name FROM keys WHERE expires_at <= $1 \
                           ORDER BY expires_at LIMIT 2000 FOR UPDATE SKIP LOCKED)";
pub const FORGET_CONFIRMATIONS: &str = "DELETE FROM confirmations WHERE address IN (SELECT address FROM confirmations \
                                    WHERE last <= $1 - interval '24 hours' ORDER BY last LIMIT 2000 \
                                    FOR UPDATE SKIP LOCKED)";
pub const FORGET_WRITERS: &str = "DELETE FROM writers WHERE id IN (SELECT id FROM writers \
                              WHERE seen_at <= $1 - interval '7 days' FOR UPDATE SKIP LOCKED)";

/// Statements that leave together, in order.
pub struct Steps<'c> {
    client: &'c Client,
    steps: Vec<BoxFuture<'c, Result<(), tokio_postgres::Error>>>,
}

/// A value and its type.
pub type Parameter = (Box<dyn ToSql + Sync + Send>, Type);

impl<'c> Steps<'c> {
    /// Begins with none.
    pub fn new(client: &'c Client) -> Self {
        Self {
            client,
            steps: Vec::new(),
        }
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Puts a statement without parameters before all others.
    pub fn begin(&mut self, statement: &'static str) {
        self.steps
            .insert(0, Box::pin(self.client.batch_execute(statement)));
    }

    /// Sends all of them, and waits for what becomes of each.
    ///
    /// # Errors
    /// The first one: statements come in order, so that is the one that has ended the transaction.
    pub async fn send(self) -> Result<(), tokio_postgres::Error> {
        join_all(self.steps).await.into_iter().collect()
    }

    /// Adds a statement without parameters.
    pub fn simple(&mut self, statement: &'static str) {
        let client = self.client;
        self.steps.push(Box::pin(client.batch_execute(statement)));
    }

    /// Adds a statement.
    pub fn add(&mut self, statement: &'static str, parameters: Vec<Parameter>) {
        let client = self.client;
        self.steps.push(Box::pin(async move {
            let parameters: Vec<(&(dyn ToSql + Sync), Type)> = parameters
                .iter()
                .map(|(value, of)| (&**value as &(dyn ToSql + Sync), of.clone()))
                .collect();
            client.query_typed(statement, &parameters).await.map(drop)
        }));
    }
}

/// Returns a parameter.
pub fn boxed(value: impl ToSql + Sync + Send + 'static, of: Type) -> Parameter {
    (Box::new(value), of)
}
