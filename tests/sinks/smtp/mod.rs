//! A mail server in threads of this process.

mod session;

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use mail_parser::MessageParser;
use session::Session;
use tokio_rustls::rustls::ServerConfig;

/// How long a test waits for a mail: twice as long as a database keeps the lease of a killed server.
const TIMEOUT: Duration = Duration::from_secs(90);

/// The steps at which the server can misbehave.
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

/// How the server misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Never answers.
    Hang,
    /// Closes the connection.
    Drop,
    /// Keeps the mail, then closes the connection without a reply.
    KeepAndDrop,
    /// Keeps the mail, then never answers.
    KeepAndHang,
    /// Sends this reply instead, without the final line break. If it is positive, the session continues as usual.
    Answer(&'static str),
    /// Sends this text instead of the usual reply, and continues as usual.
    Say(&'static [u8]),
    /// Sends this reply instead, and waits for the next command.
    Refuse(&'static str),
    /// Repeats this until the client disconnects.
    Endless(&'static str),
}

/// The encryption that a server offers.
#[derive(Clone)]
pub enum Security {
    Clear,
    StartTls(Arc<ServerConfig>),
    Implicit(Arc<ServerConfig>),
}

#[derive(Debug, Clone)]
pub struct Mail {
    pub from: String,
    /// The parameters after `MAIL FROM:<…>`.
    pub parameters: String,
    pub to: String,
    pub content: Vec<u8>,
    pub was_encrypted: bool,
    /// The argument of `AUTH PLAIN`.
    pub credentials: Option<String>,
}

impl Mail {
    /// The raw value of a header, unfolded.
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

pub fn message_ids(mails: &[Mail]) -> BTreeSet<String> {
    let ids = mails.iter().map(|mail| mail.header("Message-ID").unwrap());
    ids.collect()
}

/// The server. It runs until the process ends.
pub struct SmtpSink {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    security: Security,
    /// The extensions in the reply to `EHLO`, besides STARTTLS.
    extensions: Vec<&'static str>,
    policy: Mutex<Vec<HandlingPolicy>>,
    /// Addresses that are refused, with the reply.
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
    /// How many bytes of endless replies were written.
    endless: usize,
    /// The current and the maximum number of open connections.
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
    /// Starts a server with authentication and all supported extensions.
    pub fn start(security: Security) -> Self {
        Self::start_at(
            Ipv4Addr::LOCALHOST.into(),
            security,
            &["AUTH PLAIN LOGIN", "8BITMIME", "SMTPUTF8"],
        )
    }

    /// Starts a server at an address of this machine, with the given extensions.
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
                // Some tests disconnect clients.
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

    /// Misbehaves at a step the next `times` times.
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

    /// Stops misbehaving.
    pub fn recover(&self) {
        self.shared.refused.lock().unwrap().clear();
        self.shared.policy.lock().unwrap().clear();
    }

    /// The mails accepted so far.
    pub fn mails(&self) -> Vec<Mail> {
        self.shared.state.lock().unwrap().mails.clone()
    }

    /// The text of the mail to `to` whose subject contains `subject`, once it has arrived.
    pub fn text(&self, to: &str, subject: &str) -> Option<String> {
        let mails = self.mails();
        let mut messages = mails
            .iter()
            .filter(|mail| mail.to == to)
            .map(|mail| MessageParser::new().parse(&mail.content).unwrap());
        let found = messages.find(|message| message.subject().unwrap().contains(subject))?;
        Some(found.body_text(0).unwrap().replace('\n', " "))
    }

    /// Waits until `count` mails have been accepted.
    pub fn wait_for(&self, count: usize) -> Vec<Mail> {
        self.wait_until(|state| state.mails.len() >= count);
        self.mails()
    }

    /// The maximum number of connections that were open at the same time.
    pub fn most_open(&self) -> usize {
        self.shared.state.lock().unwrap().most_open
    }

    /// How many bytes of endless replies the clients have taken, including the system's buffers.
    pub fn endless_bytes(&self) -> usize {
        self.shared.state.lock().unwrap().endless
    }

    /// How often clients have reached a step.
    pub fn count_of(&self, step: Step) -> usize {
        self.shared.state.lock().unwrap().count_of(step)
    }

    /// Waits until clients have reached a step `times` times in total.
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
