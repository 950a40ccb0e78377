//! A mail server in threads of this process.

mod session;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use session::Session;
use tokio_rustls::rustls::ServerConfig;

/// How long a test waits for a mail: twice what a delivery waits that a killed server has leased in a database.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Where a server can misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Greeting,
    Ehlo,
    StartTls,
    Auth,
    Mail,
    Rcpt,
    Data,
    /// After the final dot.
    Content,
    Quit,
}

impl Step {
    pub const ALL: [Self; 9] = [
        Self::Greeting,
        Self::Ehlo,
        Self::StartTls,
        Self::Auth,
        Self::Mail,
        Self::Rcpt,
        Self::Data,
        Self::Content,
        Self::Quit,
    ];
}

/// How it misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Never answers.
    Hang,
    /// Closes the connection.
    Drop,
    /// Keeps the mail, then closes the connection instead of saying so.
    KeepAndDrop,
    /// Keeps the mail, then never says so.
    KeepAndHang,
    /// Answers this instead, without the final line break. If it is positive, it goes on as usual.
    Answer(&'static str),
    /// Answers this instead of the usual text, and goes on as usual.
    Say(&'static [u8]),
    /// Answers this instead, and waits for the next command.
    Refuse(&'static str),
    /// Says this again and again, for as long as the client listens.
    Endless(&'static str),
}

/// What a server offers.
#[derive(Clone)]
pub enum Security {
    Clear,
    StartTls(Arc<ServerConfig>),
    Implicit(Arc<ServerConfig>),
}

/// A mail that was taken.
#[derive(Debug, Clone)]
pub struct Mail {
    pub from: String,
    /// The parameters behind `MAIL FROM:<…>`.
    pub parameters: String,
    pub to: String,
    pub content: Vec<u8>,
    pub was_encrypted: bool,
    /// What came with `AUTH PLAIN`.
    pub credentials: Option<String>,
}

impl Mail {
    /// Returns the raw value of a header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let content = String::from_utf8_lossy(&self.content).replace("\r\n ", " ");
        let head = content.split("\r\n\r\n").next().unwrap_or_default();
        let mut lines = head.lines();
        lines.find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }
}

/// The server. It ends with the process.
pub struct SmtpSink {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    security: Security,
    /// What is behind `250-` in the answer to `EHLO`, besides STARTTLS.
    extensions: Vec<&'static str>,
    policy: Mutex<Vec<HandlingPolicy>>,
    /// Addresses that are refused, and how.
    refused: Mutex<Vec<(&'static str, &'static str)>>,
    state: Mutex<State>,
    changed: Condvar,
}

struct HandlingPolicy {
    step: Step,
    behaviour: Behaviour,
    times: usize,
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// The steps that were reached, over all connections.
    steps: Vec<Step>,
    /// How many bytes of endless answers were taken.
    endless: usize,
    /// How many connections are open, and the most that were at the same time.
    open: usize,
    most_open: usize,
}

impl State {
    fn count_of(&self, step: Step) -> usize {
        self.steps.iter().filter(|&&seen| seen == step).count()
    }
}

impl Shared {
    fn count(&self, more: isize) {
        let mut state = self.state.lock().unwrap();
        state.open = state.open.saturating_add_signed(more);
        state.most_open = state.most_open.max(state.open);
    }
}

impl SmtpSink {
    /// Starts a server that offers a log-in and everything else that one can.
    pub fn start(security: Security) -> Self {
        Self::start_at(
            Ipv4Addr::LOCALHOST.into(),
            security,
            &["AUTH PLAIN LOGIN", "8BITMIME", "SMTPUTF8"],
        )
    }

    /// Starts a server at an address of this machine, with these extensions.
    pub fn start_at(address: IpAddr, security: Security, extensions: &[&'static str]) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            security,
            extensions: extensions.to_vec(),
            policy: Mutex::default(),
            refused: Mutex::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let sink = Self {
            address,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&shared);
                // A client that goes away is part of the tests.
                shared.count(1);
                thread::spawn(move || {
                    drop(Session::new(&shared).serve(stream.unwrap()));
                    shared.count(-1);
                });
            }
        });
        sink
    }

    /// Misbehaves at a step from now on.
    pub fn always(&self, step: Step, behaviour: Behaviour) {
        self.next(step, behaviour, usize::MAX);
    }

    /// Misbehaves at a step the next few times.
    pub fn next(&self, step: Step, behaviour: Behaviour, times: usize) {
        let policy = HandlingPolicy {
            step,
            behaviour,
            times,
        };
        self.shared.policy.lock().unwrap().push(policy);
    }

    /// Refuses a recipient from now on.
    pub fn refuse(&self, address: &'static str, answer: &'static str) {
        self.shared.refused.lock().unwrap().push((address, answer));
    }

    /// Behaves well again.
    pub fn recover(&self) {
        self.shared.refused.lock().unwrap().clear();
        self.shared.policy.lock().unwrap().clear();
    }

    /// Returns the mails that were taken so far.
    pub fn mails(&self) -> Vec<Mail> {
        self.shared.state.lock().unwrap().mails.clone()
    }

    /// Waits until this many mails were taken.
    pub fn wait_for(&self, count: usize) -> Vec<Mail> {
        self.wait_until(|state| state.mails.len() >= count);
        self.mails()
    }

    /// Returns the most connections that were open at the same time.
    pub fn most_open(&self) -> usize {
        self.shared.state.lock().unwrap().most_open
    }

    /// Returns how many bytes of endless answers the clients have taken, what the system's buffers hold included.
    pub fn endless_bytes(&self) -> usize {
        self.shared.state.lock().unwrap().endless
    }

    /// Returns how often clients have come to a step.
    pub fn count_of(&self, step: Step) -> usize {
        self.shared.state.lock().unwrap().count_of(step)
    }

    /// Waits until a client has come to a step this often, in all.
    pub fn wait_for_step(&self, step: Step, times: usize) {
        self.wait_until(|state| state.count_of(step) >= times);
    }

    fn wait_until(&self, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + TIMEOUT;
        let mut state = self.shared.state.lock().unwrap();
        while !done(&state) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "{} mails after {:?}",
                state.mails.len(),
                state.steps
            );
            state = self.shared.changed.wait_timeout(state, left).unwrap().0;
        }
    }
}
