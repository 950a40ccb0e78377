//! The example in `packaging/cluster`: two instances, haproxy and PostgreSQL, and an update without a pause.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, thread};

use super::SEVERAL;
use crate::harness::capture::Capture;
use crate::harness::command::{command, finish, program};
use crate::harness::inquiry::post;
use crate::harness::{Dir, Request, http, left_out_on_redb, record, until};

/// What the script has started. Dropping it ends all of it.
struct Cluster {
    child: Child,
    directory: PathBuf,
    address: SocketAddr,
    _dir: Dir,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/cluster/run")
}

/// Returns a port that is free, as are the three behind it.
fn free_ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        let rest: Vec<_> = (1..4)
            .filter_map(|next| TcpListener::bind((Ipv4Addr::LOCALHOST, port.checked_add(next)?)).ok())
            .collect();
        if rest.len() == 3 {
            return port;
        }
    }
}

impl Cluster {
    /// Starts it; `None` where there is no haproxy.
    fn start() -> Option<Self> {
        if !fs::exists("/usr/sbin/haproxy").unwrap() {
            assert!(std::env::var_os("CI").is_none(), "apt-get install haproxy");
            println!("left out: this machine has no haproxy");
            return None;
        }
        let dir = Dir::new();
        // The database's user must be able to reach its directory.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let directory = dir.path().join("cluster");
        let mut child = Command::new(script())
            .arg(&directory)
            .env("CLUSTER_PORT", free_ports().to_string())
            .env("TAUBENABWEHR_BIN", program())
            .env("TAUBENABWEHR_RATE_LIMIT", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = Capture::start(child.stdout.take().unwrap());
        let mut stderr = Capture::start(child.stderr.take().unwrap());
        let Some(line) = stdout.wait_for_line("listening on http://") else {
            panic!("the cluster did not start: {}", stderr.complete());
        };
        let address = line.split_once("http://").unwrap().1.parse().unwrap();
        Some(Self {
            child,
            directory,
            address,
            _dir: dir,
        })
    }

    fn process_of(&self, instance: usize) -> String {
        fs::read_to_string(self.directory.join(format!("instance-{instance}.pid"))).unwrap()
    }

    fn restart(&self) {
        let restarted = Command::new(script())
            .arg(&self.directory)
            .arg("restart")
            .output()
            .unwrap();
        assert!(restarted.status.success(), "{restarted:?}");
    }

    fn stored(&self) -> usize {
        let port = self.address.port() + 3;
        let url = format!("postgres://taubenabwehr@127.0.0.1:{port}/postgres");
        let dir = Dir::new();
        let exported = finish(
            command(dir.path())
                .args(["export", "--format", "json", "--store", &url])
                .env("PGPASSFILE", self.directory.join("pgpass")),
        );
        let rows: Vec<serde_json::Value> = serde_json::from_str(exported.success()).unwrap();
        rows.len()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        let _ = self.child.wait();
    }
}

#[test]
fn a_rolling_restart_refuses_nobody() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let Some(cluster) = Cluster::start() else { return };
    let before: Vec<String> = (1..=2).map(|instance| cluster.process_of(instance)).collect();
    let is_over = AtomicBool::new(false);
    let stored: usize = thread::scope(|scope| {
        let clients: Vec<_> = (0..6)
            .map(|client| {
                let (is_over, address) = (&is_over, cluster.address);
                scope.spawn(move || {
                    let mut stored = 0;
                    while !is_over.load(Ordering::SeqCst) || stored == 0 {
                        // Without a key, so that nothing is sent twice, and each on a connection of its own.
                        let sent = http::once(address, &post(&record(&format!("Meier {client}"))));
                        assert_eq!(sent.status, 201, "{}", sent.text());
                        stored += 1;
                        assert_eq!(http::once(address, &Request::get("/fragebogen")).status, 200);
                    }
                    stored
                })
            })
            .collect();
        cluster.restart();
        is_over.store(true, Ordering::SeqCst);
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    for (instance, before) in (1..=2).zip(&before) {
        assert_ne!(cluster.process_of(instance), *before);
    }
    assert_eq!(cluster.stored(), stored);
}

#[test]
fn a_killed_instance_is_left_out_and_comes_back() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let Some(cluster) = Cluster::start() else { return };
    let before = cluster.process_of(1);
    let killed = Command::new("kill")
        .args(["-KILL", before.trim()])
        .status()
        .unwrap();
    assert!(killed.success());
    for number in 0..40 {
        let request = post(&record("Krause")).header("Idempotency-Key", &format!("killed-{number}"));
        let sent = http::once(cluster.address, &request);
        assert_eq!(sent.status, 201, "{}", sent.text());
        assert_eq!(http::once(cluster.address, &Request::get("/")).status, 200);
    }
    until("it is started again", || {
        (cluster.process_of(1) != before).then_some(())
    });
    assert_eq!(cluster.stored(), 40);
}
