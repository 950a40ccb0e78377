//! Kills the server at random moments under load: every acknowledged inquiry is exported exactly once, and unacknowledged ones can
//! be sent again with their key (`docs/behaviour.md`, "Repeated requests").

use std::collections::{HashMap, HashSet};
use std::env;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::rng::Rng;
use crate::harness::server::stored;
use crate::harness::{Connection, Request, Server, Setup, record};

/// Concurrent clients, so that commits contain several inquiries.
const CLIENTS: usize = 16;

/// The longest life of a server under load: enough for hundreds of commits, short enough for many kills.
const LIFE: Duration = Duration::from_millis(300);

/// The longest life of a server that is killed at start: from before it opens its file until it listens.
const START: Duration = Duration::from_millis(60);

/// The number of kills in the suite, which take about three seconds.
const FEW: usize = 8;

/// The number of kills after which the long test starts over in an empty directory, so that exports stay short.
const MANY: usize = 20;

/// The variable with the duration of the long test in seconds; set by `scripts/crash`.
const SECONDS: &str = "TAUBENABWEHR_CRASH_SECONDS";

/// A client that sends one inquiry after another.
struct Client {
    number: usize,
    /// Acknowledged inquiries, with the stored record.
    acknowledged: Vec<(Inquiry, Value)>,
    /// The inquiry that was sent but not acknowledged.
    pending: Option<Inquiry>,
}

/// An inquiry, sent identically each time.
struct Inquiry {
    key: String,
    record: Value,
}

impl Inquiry {
    fn request(&self) -> Request {
        post(&self.record)
            .header("Idempotency-Key", &self.key)
            .header("Prefer", "return=representation")
    }

    /// Whether a stored record matches what was sent.
    fn is(&self, stored: &Value) -> bool {
        let mut expected = self.record.clone();
        expected["id"] = stored["id"].clone();
        let time = |record: &Value| record["created_at"].as_str().unwrap().parse::<Timestamp>();
        let same_time = time(&expected).unwrap() == time(stored).unwrap();
        expected["created_at"] = stored["created_at"].clone();
        same_time && expected == *stored
    }
}

impl Client {
    fn new(number: usize) -> Self {
        Self {
            number,
            acknowledged: Vec::new(),
            pending: None,
        }
    }

    fn next(&self) -> Inquiry {
        let name = format!("Klient {} Nr. {}", self.number, self.acknowledged.len());
        let mut record = record(&name);
        // Whole milliseconds, as they are stored.
        let now = Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap();
        record["created_at"] = now.to_string().into();
        let key = name.replace(' ', "-");
        Inquiry { key, record }
    }

    /// Repeats the last acknowledged inquiry, and then sends pending and new ones until the server is gone.
    fn send_until_the_end(&mut self, mut connection: Connection) {
        if let Some((inquiry, stored)) = self.acknowledged.last() {
            match ask(&mut connection, inquiry) {
                Some(again) => assert_eq!(&again, stored, "{} got another answer", inquiry.key),
                None => return,
            }
        }
        while self.send(&mut connection) {}
    }

    /// Sends one inquiry; returns false if there was no response.
    fn send(&mut self, connection: &mut Connection) -> bool {
        let inquiry = self.pending.take().unwrap_or_else(|| self.next());
        let Some(stored) = ask(connection, &inquiry) else {
            self.pending = Some(inquiry);
            return false;
        };
        assert!(inquiry.is(&stored), "{stored} is not {}", inquiry.record);
        self.acknowledged.push((inquiry, stored));
        true
    }
}

/// The stored record, if there is a response.
fn ask(connection: &mut Connection, inquiry: &Inquiry) -> Option<Value> {
    connection.send_raw(inquiry.request().bytes("localhost")).ok()?;
    let response = connection.try_receive("POST").ok()?;
    assert_eq!(response.status, 201, "{}", response.text());
    Some(response.json()[0].clone())
}

/// Asserts that an export contains all acknowledged inquiries exactly once, and beyond them only pending ones.
fn check(rows: &[Value], clients: &[Client]) {
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    assert!(
        rows.is_sorted_by(|a, b| id(a) < id(b)),
        "ids are not in order, or one stands twice"
    );
    let mut rows: HashMap<String, &Value> = rows.iter().map(|row| (id(row), row)).collect();
    for (inquiry, stored) in clients.iter().flat_map(|client| &client.acknowledged) {
        let row = rows.remove(&id(stored));
        assert_eq!(row, Some(stored), "{} was acknowledged", inquiry.key);
    }
    let pending: Vec<&Inquiry> = clients
        .iter()
        .filter_map(|client| client.pending.as_ref())
        .collect();
    let mut found = HashSet::new();
    for row in rows.values() {
        let inquiry = pending.iter().find(|inquiry| inquiry.is(row));
        let inquiry = inquiry.unwrap_or_else(|| panic!("nobody waits for {row}"));
        assert!(found.insert(&inquiry.key), "{} is there twice", inquiry.key);
    }
}

/// Puts a server under load and kills it after `context`.
fn kill_under_load(server: Server, clients: &mut [Client], context: Duration) -> Setup {
    // Connect before the clients start: once the server is gone, a server of another test may get its port.
    let connections: Vec<Connection> = clients.iter().map(|_| server.connect()).collect();
    thread::scope(|scope| {
        for (client, connection) in clients.iter_mut().zip(connections) {
            scope.spawn(move || client.send_until_the_end(connection));
        }
        // A plain sleep, because the kill must hit an arbitrary moment.
        thread::sleep(context);
        server.kill()
    })
}

/// Kills servers on one directory repeatedly; returns the number of acknowledged inquiries.
fn campaign(rng: &mut Rng, deaths: usize) -> usize {
    let mut clients: Vec<Client> = (0..CLIENTS).map(Client::new).collect();
    let mut server = Server::start();
    for _ in 0..deaths {
        let setup = kill_under_load(server, &mut clients, rng.duration_below(LIFE));
        while rng.below(3) == 0 {
            setup.start_and_kill(rng.duration_below(START));
        }
        // Either a command or the next server is the first to open the file of the killed server.
        if rng.below(2) == 0 {
            check(&stored(&setup.dir), &clients);
        }
        server = setup.start();
        check(&server.stored(), &clients);
    }
    for client in &mut clients {
        let mut connection = server.connect();
        while client.pending.is_some() {
            assert!(client.send(&mut connection), "the server is gone");
        }
    }
    let rows = server.stored();
    check(&rows, &clients);
    assert!(rows.len() > deaths, "hardly anything was sent: {}", rows.len());
    rows.len()
}

#[test]
fn everything_acknowledged_survives_kill_9_exactly_once() {
    campaign(&mut Rng::from_env(), FEW);
}

#[test]
#[ignore = "takes as long as it is told: scripts/crash"]
fn everything_acknowledged_survives_many_kills() {
    let seconds = env::var(SECONDS).unwrap_or_else(|_| panic!("set {SECONDS}"));
    let length = Duration::from_secs(seconds.parse().unwrap());
    let (mut rng, started) = (Rng::from_env(), Instant::now());
    let (mut deaths, mut inquiries) = (0, 0);
    while started.elapsed() < length {
        inquiries += campaign(&mut rng, MANY);
        deaths += MANY;
        println!("{deaths} kills under load, {inquiries} inquiries, each exported once");
    }
}
