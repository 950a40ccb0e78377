//! The example in `packaging/cluster`: instances, haproxy and PostgreSQL, started by its script.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use serde_json::Value;

use crate::harness::Dir;
use crate::harness::capture::Capture;
use crate::harness::command::{command, finish, program};
use crate::harness::ports::free_ports;

/// The processes that the script has started. Dropping it ends all of them.
pub struct Cluster {
    pub address: SocketAddr,
    child: Child,
    directory: PathBuf,
    instances: u16,
    dir: Dir,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/cluster/run")
}

impl Cluster {
    /// Starts `instances` instances with lines added to the example's configuration; `None` if haproxy is not installed.
    pub fn start(instances: u16, config: &str) -> Option<Self> {
        if !fs::exists("/usr/sbin/haproxy").unwrap() {
            assert!(env::var_os("CI").is_none(), "apt-get install haproxy");
            println!("left out: this machine has no haproxy");
            return None;
        }
        let dir = Dir::new();
        // The user of the database must be able to reach its directory.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let directory = dir.path().join("cluster");
        let example = fs::read_to_string(script().with_file_name("taubenabwehr.toml")).unwrap();
        let config = dir.write("cluster.toml", format!("{example}\n{config}"));
        let mut child = Command::new(script())
            .arg(&directory)
            .env("CLUSTER_INSTANCES", instances.to_string())
            .env("CLUSTER_PORT", free_ports(instances + 1).to_string())
            .env("CLUSTER_CONFIG", &config)
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
            address,
            child,
            directory,
            instances,
            dir,
        })
    }

    /// The process id of an instance, by its number.
    pub fn process_of(&self, instance: u16) -> String {
        fs::read_to_string(self.directory.join(format!("instance-{instance}.pid"))).unwrap()
    }

    /// Kills an instance, which the script then restarts; returns its previous process id.
    pub fn kill(&self, instance: u16) -> String {
        let process = self.process_of(instance);
        let killed = Command::new("kill")
            .args(["-KILL", process.trim()])
            .status()
            .unwrap();
        assert!(killed.success());
        process
    }

    /// Restarts the instances one by one.
    pub fn restart(&self) {
        let restarted = Command::new(script())
            .arg(&self.directory)
            .arg("restart")
            .output()
            .unwrap();
        assert!(restarted.status.success(), "{restarted:?}");
    }

    /// Runs a command that prints JSON about the store.
    pub fn json(&self, args: &[&str]) -> Vec<Value> {
        let port = self.address.port() + self.instances + 1;
        let url = format!("postgres://taubenabwehr@127.0.0.1:{port}/postgres");
        finish(
            command(self.dir.path())
                .args(args)
                .args(["--store", &url])
                .args(["--store-password-file"])
                .arg(self.directory.join("password")),
        )
        .json()
    }

    /// The exported inquiries.
    pub fn stored(&self) -> Vec<Value> {
        self.json(&["export", "--format", "json"])
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
