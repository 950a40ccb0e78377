//! Notifications to the service manager, and the sockets that it passes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{self, UnixDatagram};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::full_disk::leave_no_room;
use crate::harness::command::{clean, finish, program};
use crate::harness::hanging_store::HangingStore;
use crate::harness::inquiry::post;
use crate::harness::server::stored;
use crate::harness::tls::{HOST, install};
use crate::harness::wait::TIMEOUT;
use crate::harness::{Dir, Request, Setup, leave_out_on_postgres, leave_out_on_redb, record, until_true};
use crate::sinks::Certificate;

/// The longest interval between watchdog notifications with the packaged unit (`WatchdogSec=60`, notified twice as often).
const HALF_A_MINUTE: Duration = Duration::from_secs(30);

/// A service manager: a socket that receives notifications.
struct Manager(UnixDatagram);

impl Manager {
    fn listen(setup: Setup) -> (Self, Setup) {
        let path = setup.dir.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        let setup = setup.env("NOTIFY_SOCKET", path.to_str().unwrap());
        (Self(socket), setup)
    }

    /// Listens on an abstract socket.
    fn listen_abstract(setup: Setup) -> (Self, Setup) {
        let name = setup.dir.path().join("notify");
        let name = name.to_str().unwrap();
        let socket = UnixDatagram::bind_addr(&net::SocketAddr::from_abstract_name(name).unwrap()).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        (Self(socket), setup.env("NOTIFY_SOCKET", &format!("@{name}")))
    }

    /// The next message.
    fn told(&self) -> String {
        let mut message = [0; 256];
        let length = self.0.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    }

    /// Whether no message arrives in this time.
    fn is_silent_for(&self, time: Duration) -> bool {
        self.0.set_read_timeout(Some(time)).unwrap();
        let came = self.0.recv(&mut [0; 256]);
        self.0.set_read_timeout(Some(TIMEOUT)).unwrap();
        came.is_err()
    }
}

#[test]
fn start_reload_and_end_are_told() {
    let (manager, setup) = Manager::listen(Setup::new().config(""));
    let server = setup.start();
    assert_eq!(manager.told(), "READY=1\n");
    assert_eq!(server.get("/healthz").status, 200);
    server.signal("HUP");
    let reloading = manager.told();
    assert!(
        reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="),
        "{reloading}"
    );
    assert_eq!(manager.told(), "READY=1\n");
    let ended = server.terminate();
    assert_eq!(manager.told(), "STOPPING=1\n");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[test]
fn a_manager_may_listen_on_an_abstract_socket() {
    let (manager, setup) = Manager::listen_abstract(Setup::new());
    let server = setup.start();
    assert_eq!(manager.told(), "READY=1\n");
    server.terminate();
    assert_eq!(manager.told(), "STOPPING=1\n");
}

#[test]
fn a_start_that_fails_tells_nothing() {
    let (manager, setup) = Manager::listen(Setup::new());
    setup.fail_on("192.0.2.1:1").failure();
    assert!(manager.is_silent_for(Duration::from_millis(1)));
}

#[test]
fn a_disk_that_hangs_starves_the_watchdog() {
    leave_out_on_postgres!("a disk that hangs");
    let (store, setup) = HangingStore::new();
    let (manager, setup) = Manager::listen(setup.env("WATCHDOG_USEC", "400000"));
    let server = setup.start();
    assert_eq!(manager.told(), "READY=1\n");
    for _ in 0..3 {
        assert_eq!(manager.told(), "WATCHDOG=1\n");
    }
    store.hang();
    // For some seconds, a recent write of the store counts as a working disk.
    until_true("the watchdog to starve", || {
        manager.is_silent_for(Duration::from_secs(7))
    });
    assert_eq!(server.get("/faq").status, 200);
    store.recover();
    assert_eq!(manager.told(), "WATCHDOG=1\n");
}

#[test]
fn a_database_that_hangs_does_not_starve_the_watchdog() {
    leave_out_on_redb!("a database that hangs");
    let (store, setup) = HangingStore::new();
    let (manager, setup) = Manager::listen(setup.env("WATCHDOG_USEC", "400000"));
    let server = setup.start();
    assert_eq!(manager.told(), "READY=1\n");
    store.hang();
    until_true("the health check to notice", || {
        server.get("/healthz").status == 503
    });
    // Skips the messages so far.
    while !manager.is_silent_for(Duration::from_millis(1)) {}
    for _ in 0..3 {
        let asked = Instant::now();
        assert_eq!(manager.told(), "WATCHDOG=1\n");
        assert!(asked.elapsed() < HALF_A_MINUTE, "{:?}", asked.elapsed());
    }
    assert_eq!(server.get("/faq").status, 200);
}

#[test]
fn a_full_disk_does_not_starve_the_watchdog() {
    let (manager, setup) = Manager::listen(Setup::new());
    let server = setup.env("WATCHDOG_USEC", "2000000").start();
    assert_eq!(manager.told(), "READY=1\n");
    leave_no_room(&server);
    until_true("the health check to notice", || {
        server.get("/healthz").status == 503
    });
    // The messages so far are fewer than these.
    for _ in 0..15 {
        assert_eq!(manager.told(), "WATCHDOG=1\n");
    }
    assert_eq!(server.get("/healthz").status, 503);
}

/// A server with sockets passed like systemd passes them.
struct Passed {
    child: Child,
}

/// A command that starts a server with these sockets.
fn passing(dir: &Dir, names: &str, sockets: &[&TcpListener], args: &[&str]) -> Command {
    // The shell moves the sockets to their places: the first is its standard input, a second one its standard output.
    let moves = ["3<&0", "4<&1"];
    let moves = moves
        .iter()
        .take(sockets.len())
        .copied()
        .collect::<Vec<_>>()
        .join(" ");
    let script = format!(
        "export LISTEN_PID=$$ LISTEN_FDS={} LISTEN_FDNAMES={names}; exec \"$0\" \"$@\" {moves} </dev/null >/dev/null",
        sockets.len()
    );
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(program());
    let mut command = clean(shell, dir.path());
    let mut handles = sockets
        .iter()
        .map(|socket| std::os::fd::OwnedFd::from(socket.try_clone().unwrap()));
    if let Some(first) = handles.next() {
        command.stdin(Stdio::from(first));
    }
    command.stdout(handles.next().map_or_else(Stdio::null, Stdio::from));
    command.arg("serve").args(args).stderr(Stdio::piped());
    command
}

impl Passed {
    fn start(dir: &Dir, names: &str, sockets: &[&TcpListener], args: &[&str]) -> Self {
        let mut command = passing(dir, names, sockets, args);
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        Self { child }
    }

    /// Stops the server as a service manager does.
    fn stop(mut self) {
        terminate(&self.child);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Passed {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Requests a page on a new connection; `None` without a response.
fn ask(address: SocketAddr, request: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(TIMEOUT)).ok()?;
    stream.write_all(request).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()
}

#[test]
fn a_socket_for_tls_needs_no_flag_that_names_one() {
    let dir = Dir::new();
    let https = TcpListener::bind("127.0.0.1:0").unwrap();
    let certificate = install(&dir, &Certificate::of(&[HOST]));
    let mut args = vec!["--listen", "127.0.0.1:0", "--public-url", "http://localhost"];
    args.extend(certificate.iter().map(String::as_str));
    let mut child = passing(&dir, "https", &[&https], &args).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    // The last line logged at start.
    let warning = log.by_ref().find(|line| {
        assert!(
            !line.contains("ignored") && !line.contains("nothing listens"),
            "{line}"
        );
        line.contains("is not reached by TLS")
    });
    assert!(warning.is_some());
    terminate(&child);
    for line in log {
        assert!(!line.contains("nothing listens for TLS"), "{line}");
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn sockets_are_taken_over_and_flags_of_their_kind_ignored() {
    let dir = Dir::new();
    let [http, metrics] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    // Listening on these addresses is impossible, so the start would fail if the flags were used.
    let args = [
        "--listen",
        "192.0.2.1:1",
        "--metrics-listen",
        "192.0.2.1:2",
        "--threads",
        "2",
    ];
    let mut command = passing(&dir, "http:metrics", &[&http, &metrics], &args);
    let mut child = command.spawn().unwrap();
    let page = b"GET /faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let numbers = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    // The system queues the first connection until the server accepts it.
    for _ in 0..20 {
        assert_eq!(ask(http.local_addr().unwrap(), page), Some(200));
    }
    assert_eq!(ask(metrics.local_addr().unwrap(), numbers), Some(200));
    terminate(&child);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{log}");
    for flag in ["--listen", "--metrics-listen"] {
        assert!(log.contains(&format!("{flag} is ignored")), "{log}");
    }
}

#[test]
fn strange_sockets_are_refused() {
    let dir = Dir::new();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    for name in ["taubenabwehr.socket", "htttp"] {
        let failed = finish(&mut passing(&dir, name, &[&socket], &[]));
        let line = failed.failure();
        assert_has!(line, &format!("named `{name}`"));
        assert_has!(line, "FileDescriptorName=");
    }
    let script = "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=http; exec \"$0\" serve 3</dev/null";
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(program());
    let failed = finish(&mut clean(shell, dir.path()));
    failed.fails_with("pass a TCP socket");
    assert!(!dir.has_store(), "nothing was opened");
}

/// Sends SIGTERM to a program.
fn terminate(child: &Child) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.unwrap().success());
}

/// Restarts a server `times` times while clients send requests without pause. Returns the number of responses.
fn restart(times: usize) -> usize {
    let dir = Dir::new();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let start = || Passed::start(&dir, "http", &[&socket], &["--threads", "2", "--rate-limit", "0"]);
    let inquiry = post(&record("Krause")).header("Connection", "close").bytes("x");
    let page = Request::get("/faq").header("Connection", "close").bytes("x");
    let (is_over, answered, accepted) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let mut last = None;
    thread::scope(|scope| {
        for number in 0..6 {
            let (page, inquiry, is_over, answered, accepted) =
                (&page, &inquiry, &is_over, &answered, &accepted);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    if number == 0 {
                        assert_eq!(ask(address, inquiry), Some(201));
                        accepted.fetch_add(1, Ordering::Relaxed);
                    } else {
                        assert_eq!(ask(address, page), Some(200));
                    }
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..times {
            let server = start();
            let before = answered.load(Ordering::Relaxed);
            let begun = Instant::now();
            // After a failure, a client stops, so waiting is bounded.
            until_true("some answers", || {
                answered.load(Ordering::Relaxed) > before + 20 || begun.elapsed() > TIMEOUT / 2
            });
            server.stop();
        }
        // The clients still wait for their last responses.
        last = Some(start());
        is_over.store(true, Ordering::Relaxed);
    });
    last.into_iter().for_each(Passed::stop);
    assert_eq!(stored(&dir).len(), accepted.load(Ordering::Relaxed));
    answered.load(Ordering::Relaxed)
}

#[test]
fn no_connection_is_refused_over_fifty_restarts() {
    let answered = restart(50);
    assert!(answered > 1000, "{answered}");
}
