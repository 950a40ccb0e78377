//! The PostgreSQL server that the suites run on when they are told one; `scripts/postgres` starts one.

use std::env;
use std::future::Future;
use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

use tokio::sync::oneshot;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, Row};
use uuid::Uuid;

/// Returns the URL of the server, without a schema; `None` when the suites run on redb.
pub fn server() -> Option<String> {
    env::var("TAUBENABWEHR_TEST_POSTGRES")
        .ok()
        .filter(|url| !url.is_empty())
}

/// Whether the suite runs on PostgreSQL.
pub fn is_postgres() -> bool {
    server().is_some()
}

/// Whether a test is to end here, because what it is about is there on redb alone. `why` names it, and is printed.
/// docs/stored-data.md, "What differs between the engines", lists
/// the reasons.
pub fn left_out_on_postgres(why: &str) -> bool {
    left_out("PostgreSQL", is_postgres(), why)
}

/// Whether a test is to end here, because what it is about is there on PostgreSQL alone.
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

/// A schema of its own, removed when dropped: tests share a server and nothing else.
pub struct Schema {
    server: String,
    name: String,
}

impl Schema {
    /// Creates a schema on the server that the suites run on, if they do.
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

    /// Returns the URL that `--store` takes.
    pub fn url(&self) -> String {
        let Self { server, name } = self;
        let separator = if server.contains('?') { '&' } else { '?' };
        format!("{server}{separator}options=-c%20search_path%3D{name}&application_name={name}")
    }

    /// Returns the URL with more settings of its sessions.
    pub fn url_with(&self, settings: &[(&str, &str)]) -> String {
        let mut added = String::new();
        for (name, value) in settings {
            added.extend(["%20-c%20", name, "%3D", value]);
        }
        let end = "&application_name";
        self.url().replace(end, &(added + end))
    }

    /// Whether a transaction is open on a connection that was opened by the URL.
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

/// A table that is locked against all readers until this is dropped.
pub struct Locked {
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Schema {
    /// Locks a table.
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
        // A server that was ended by the test has lost it anyway.
        if !thread::panicking() {
            let drop = format!("DROP SCHEMA {} CASCADE", self.name);
            on(&self.server, async |client| {
                loop {
                    match client.batch_execute(&drop).await {
                        // A store that still ends may be in a transaction on some of the tables.
                        Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => {}
                        ended => break ended,
                    }
                }
            });
        }
    }
}

/// A database of its own, removed when dropped: for what stands between, and knows no schemas.
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

    /// Returns host and port of the server.
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

/// Runs something on a connection of its own, in a thread of its own: tests that call it may be asynchronous themselves.
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
