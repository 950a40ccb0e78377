//! Pebble, the ACME test authority, with a DNS server that resolves every name to this machine.

use std::env;
use std::fs;
use std::io::copy;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use super::{Certificate, tls_client};

/// Far more than Pebble needs to start on a busy machine.
const START_TIME: Duration = Duration::from_secs(30);

/// Whether Pebble is installed. The project's own machines require it; elsewhere its tests are skipped with a message.
pub fn is_installed() -> bool {
    let is_there = |name: &str| {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    let installed = is_there("pebble") && is_there("pebble-challtestsrv");
    assert!(
        installed || env::var_os("CI").is_none(),
        "pebble is missing: apt-get install pebble"
    );
    if !installed {
        eprintln!("SKIPPED: pebble is not installed; scripts/test installs it");
    }
    installed
}

/// A stable address for an ACME directory that may be down or move to another port.
pub struct Gate {
    address: SocketAddr,
    passage: Arc<Mutex<Passage>>,
    identity: Identity,
}

/// How connections are handled.
#[derive(Clone, Copy)]
enum Passage {
    /// They are kept waiting.
    Held,
    /// They are closed at once.
    Closed,
    /// They are forwarded to the address.
    Open(SocketAddr),
}

/// The directory's own certificate, in files.
struct Identity {
    folder: TempDir,
}

impl Gate {
    /// Creates a gate that keeps connections waiting until a Pebble is started.
    pub fn new() -> Self {
        let identity = Identity::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let passage = Arc::new(Mutex::new(Passage::Held));
        let shared = Arc::clone(&passage);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let passage = Arc::clone(&shared);
                thread::spawn(move || lead(&stream, &passage));
            }
        });
        Self {
            address,
            passage,
            identity,
        }
    }

    /// The address for `--acme-directory`.
    pub fn directory(&self) -> String {
        format!("https://localhost:{}/dir", self.address.port())
    }

    /// The file for `--acme-ca`.
    pub fn ca(&self) -> PathBuf {
        self.identity.path("ca.pem")
    }

    /// Forwards connections to a Pebble from now on.
    pub fn open(&self, pebble: &Pebble) {
        *self.passage.lock().unwrap() = Passage::Open(pebble.address);
    }

    /// Closes every connection from now on.
    pub fn close(&self) {
        *self.passage.lock().unwrap() = Passage::Closed;
    }

    /// Starts a Pebble behind the gate.
    pub fn start(&self, ports: Ports, lifetime: Duration) -> Pebble {
        let pebble = Pebble::start(self, ports, lifetime);
        self.open(&pebble);
        pebble
    }
}

impl Identity {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let certificate = Certificate::of(&["localhost"]);
        fs::write(folder.path().join("ca.pem"), &certificate.authority_pem).unwrap();
        fs::write(folder.path().join("leaf.pem"), &certificate.pem).unwrap();
        fs::write(folder.path().join("key.pem"), &certificate.key_pem).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn lead(client: &TcpStream, passage: &Mutex<Passage>) {
    let upstream = loop {
        let now = *passage.lock().unwrap();
        match now {
            Passage::Held => thread::sleep(Duration::from_millis(5)),
            Passage::Closed => return,
            Passage::Open(upstream) => break upstream,
        }
    };
    let Ok(server) = TcpStream::connect(upstream) else {
        return;
    };
    let pass = |mut from: &TcpStream, mut to: &TcpStream| {
        let _ = copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    };
    thread::scope(|scope| {
        scope.spawn(|| pass(client, &server));
        pass(&server, client);
    });
}

/// The ports at which Pebble validates challenges.
#[derive(Clone, Copy)]
pub struct Ports {
    /// HTTP-01.
    pub http: u16,
    /// TLS-ALPN-01.
    pub tls: u16,
}

/// A port without a listener: validations at it fail.
pub const CLOSED: u16 = 1;

/// A running Pebble. Dropping it stops it and discards its state.
pub struct Pebble {
    address: SocketAddr,
    management: SocketAddr,
    children: Vec<Child>,
    _folder: TempDir,
}

impl Pebble {
    fn start(gate: &Gate, ports: Ports, lifetime: Duration) -> Self {
        // Another process may take a port before Pebble does.
        for _ in 0..5 {
            if let Some(pebble) = Self::try_start(&gate.identity, ports, lifetime) {
                return pebble;
            }
        }
        panic!("pebble does not start");
    }

    fn try_start(identity: &Identity, ports: Ports, lifetime: Duration) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let [address, management, names, names_management] = free_addresses();
        let config = json!({ "pebble": {
            "listenAddress": address.to_string(),
            "managementListenAddress": management.to_string(),
            "certificate": identity.path("leaf.pem"),
            "privateKey": identity.path("key.pem"),
            "httpPort": ports.http,
            "tlsPort": ports.tls,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
            "certificateValidityPeriod": lifetime.as_secs(),
        }});
        let path = folder.path().join("pebble.json");
        fs::write(&path, config.to_string()).unwrap();
        let mut name_server = Command::new("pebble-challtestsrv");
        name_server
            .args(["-defaultIPv4", "127.0.0.1", "-defaultIPv6", ""])
            .args(["-http01", "", "-https01", "", "-tlsalpn01", ""])
            .args(["-dns01", &names.to_string()])
            .args(["-management", &names_management.to_string()]);
        let mut authority = Command::new("pebble");
        authority
            .env("PEBBLE_VA_NOSLEEP", "1")
            .env("PEBBLE_WFE_NONCEREJECT", "0")
            // Otherwise it randomly reuses validations.
            .env("PEBBLE_AUTHZREUSE", "0")
            .args(["-dnsserver", &names.to_string(), "-config"])
            .arg(&path);
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let children = [name_server, authority].map(|mut command| {
            command
                .stdin(Stdio::null())
                .stdout(log.try_clone().unwrap())
                .stderr(log.try_clone().unwrap());
            command.spawn().unwrap()
        });
        let mut pebble = Self {
            address,
            management,
            children: children.into(),
            _folder: folder,
        };
        let is_up = pebble.wait_for(names) && pebble.wait_for(address) && pebble.wait_for(management);
        is_up.then_some(pebble)
    }

    /// Waits until something listens at an address; `false` if a process has exited first.
    fn wait_for(&mut self, address: SocketAddr) -> bool {
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            if self
                .children
                .iter_mut()
                .any(|child| child.try_wait().unwrap().is_some())
            {
                return false;
            }
            assert!(start.elapsed() < START_TIME, "pebble does not listen");
            thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// Fetches the root of its certificates.
    pub fn root(&self, gate: &Gate) -> CertificateDer<'static> {
        let own = CertificateDer::from_pem_file(gate.ca()).unwrap();
        let answer = tls_client::get(self.management, &own, "/roots/0").unwrap();
        CertificateDer::from_pem_slice(answer.as_bytes()).unwrap()
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn free_addresses<const N: usize>() -> [SocketAddr; N] {
    // All are held at once, so that no two are the same.
    let held = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    held.map(|listener| listener.local_addr().unwrap())
}
