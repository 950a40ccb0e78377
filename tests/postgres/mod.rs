//! The PostgreSQL server for the test suites, if one is configured; `scripts/postgres` starts one.

use std::env;
use std::future::Future;
use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

use tokio::sync::oneshot;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, Row};
use uuid::Uuid;

/// The URL of the server, without a schema; `None` when the suites run on redb.
pub fn server() -> Option<String> {
    env::var("TAUBENABWEHR_TEST_POSTGRES")
        .ok()
        .filter(|url| !url.is_empty())
}

/// Whether the suite runs on PostgreSQL.
pub fn is_postgres() -> bool {
    server().is_some()
}

/// Whether to skip a test because it only applies to redb. Prints `why`. The reasons are listed in docs/stored-data.md, "What
/// differs between the engines".
pub fn left_out_on_postgres(why: &str) -> bool {
    left_out("PostgreSQL", is_postgres(), why)
}

/// Whether to skip a test because it only applies to PostgreSQL. Prints `why`.
pub fn left_out_on_redb(why: &str) -> bool {
    left_out("redb", !is_postgres(), why)
}

fn left_out(engine: &str, is_left_out: bool, why: &str) -> bool {
    if is_left_out {
        let test = thread::current();
        let test = test.name().unwrap_or_default();
        // Bypasses the test runner's capture, which hides the output of passing tests.
        let _ = writeln!(io::stderr(), "left out on {engine}: {test}: {why}");
    }
    is_left_out
}

/// A schema for one test, removed on drop: tests share nothing but the server.
pub struct Schema {
    server: String,
    name: String,
}

impl Schema {
    /// Creates a schema on the configured server, if there is one.
    pub fn new() -> Option<Self> {
        server().map(Self::on)
    }

    /// Creates a schema on a server.
    pub fn on(server: String) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        let schema = Self { server, name };
        schema.execute(&format!("CREATE SCHEMA {}", schema.name));
        schema
    }

    /// The URL for `--store`.
    pub fn url(&self) -> String {
        let Self { server, name } = self;
        let separator = if server.contains('?') { '&' } else { '?' };
        format!("{server}{separator}options=-c%20search_path%3D{name}&application_name={name}")
    }

    /// The URL with additional session settings.
    pub fn url_with(&self, settings: &[(&str, &str)]) -> String {
        let mut added = String::new();
        for (name, value) in settings {
            added.extend(["%20-c%20", name, "%3D", value]);
        }
        let end = "&application_name";
        self.url().replace(end, &(added + end))
    }

    /// Whether a transaction is open on a connection to this URL.
    pub fn has_open_transaction(&self) -> bool {
        let open = "SELECT FROM pg_stat_activity WHERE application_name = current_schema() AND xact_start IS NOT NULL";
        !self.query(open).is_empty()
    }

    /// Runs statements in the schema.
    pub fn execute(&self, statements: &str) {
        let statements = format!("SET search_path TO {}; {statements}", self.name);
        on(&self.server, async |client| {
            client.batch_execute(&statements).await
        });
    }

    /// Runs a query in the schema.
    pub fn query(&self, query: &str) -> Vec<Row> {
        on(&self.server, async |client| {
            let path = format!("SET search_path TO {}", self.name);
            client.batch_execute(&path).await?;
            client.query(query, &[]).await
        })
    }
}

/// A table lock that excludes readers until it is dropped.
pub struct Locked {
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Schema {
    pub fn lock(&self, table: &str) -> Locked {
        let (server, lock) = (
            self.server.clone(),
            format!("BEGIN; LOCK TABLE {}.{table}", self.name),
        );
        let (locked, is_locked) = mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            on(&server, async move |client| {
                client.batch_execute(&lock).await?;
                locked.send(()).unwrap();
                // Ends when the other side is dropped.
                let _ = ended.await;
                Ok(())
            });
        });
        is_locked.recv().unwrap();
        Locked {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        drop(self.end.take());
        let _ = self.thread.take().unwrap().join();
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // If the test has stopped the server, the schema is gone anyway.
        if !thread::panicking() {
            let drop = format!("DROP SCHEMA {} CASCADE", self.name);
            on(&self.server, async |client| {
                loop {
                    match client.batch_execute(&drop).await {
                        // A store that is still closing may be in a transaction on some of the tables.
                        Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => {}
                        ended => break ended,
                    }
                }
            });
        }
    }
}

/// A database for one test, removed on drop: for proxies that do not support schemas.
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// Creates a database on a server.
    pub fn on(server: String) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        let create = format!("CREATE DATABASE {name}");
        on(&server, async |client| client.batch_execute(&create).await);
        Self { server, name }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Host and port of the server.
    pub fn address(&self) -> (&str, &str) {
        let (_, rest) = self.server.split_once('@').unwrap();
        let (address, _) = rest.split_once('/').unwrap();
        address.rsplit_once(':').unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !thread::panicking() {
            let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
            on(&self.server, async |client| client.batch_execute(&drop).await);
        }
    }
}

/// Runs something on its own connection and thread, since callers may be asynchronous tests.
fn on<T, F>(url: &str, run: impl FnOnce(Client) -> F + Send) -> T
where
    T: Send,
    F: Future<Output = Result<T, tokio_postgres::Error>>,
{
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
                tokio::spawn(connection);
                run(client).await.unwrap()
            })
        });
        thread.join().unwrap()
    })
}
