//! pgbouncer between the instances and the database, which may give each transaction another connection.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

use crate::harness::inquiry::post;
use crate::harness::ports::free_ports;
use crate::harness::{Connection, Dir, Server, Setup, leave_out_on_redb, record, run, until_true};
use crate::postgres::{self, Database};

/// A running pgbouncer. Dropping it ends the process.
struct Pooler {
    process: Child,
    port: u16,
    _dir: Dir,
}

impl Pooler {
    /// Starts a pooler in front of a database; `None` if pgbouncer is not installed.
    fn before(database: &Database) -> Option<Self> {
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
            .into_iter()
            .find(|path| fs::exists(path).unwrap());
        let Some(program) = program else {
            assert!(std::env::var_os("CI").is_none(), "apt-get install pgbouncer");
            println!("left out: this machine has no pgbouncer");
            return None;
        };
        let dir = Dir::new();
        // It runs as another user, since it refuses to run as root.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let port = free_ports(0);
        let (host, server_port) = database.address();
        let settings = dir.write(
            "pgbouncer.ini",
            format!(
                "[databases]\n{} = host={host} port={server_port} user=test\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
                 listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n\
                 default_pool_size = 3\nmax_client_conn = 100\n",
                database.name()
            ),
        );
        let is_root = fs::read_to_string("/proc/self/status")
            .unwrap()
            .contains("\nUid:\t0\t");
        let mut command = if is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", program]);
            command
        } else {
            Command::new(program)
        };
        let process = command
            .arg(settings)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        until_true("the pooler listens", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        Some(Self {
            process,
            port,
            _dir: dir,
        })
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // runuser forwards this signal.
        let _ = Command::new("kill")
            .args(["-TERM", &self.process.id().to_string()])
            .status();
        let _ = self.process.wait();
    }
}

#[test]
fn a_pooler_in_transaction_mode_may_stand_between() {
    leave_out_on_redb!("a pooler before the database");
    let database = Database::on(postgres::server().unwrap());
    let Some(pooler) = Pooler::before(&database) else {
        return;
    };
    let url = format!("postgres://test@127.0.0.1:{}/{}", pooler.port, database.name());
    let dir = Dir::new();
    let setup = Setup::new().dir(&dir).args(&["--store", &url]);
    let instances: Vec<Server> = (0..3).map(|_| setup.start()).collect();
    thread::scope(|scope| {
        for server in &instances {
            for client in 0..4 {
                scope.spawn(move || {
                    let mut connection = Connection::open(server.address);
                    for number in 0..15 {
                        let key = format!("{}-{client}-{number}", server.address.port());
                        let request = post(&record("Krause")).header("Idempotency-Key", &key);
                        for _ in 0..2 {
                            let response = connection.send(&request);
                            assert_eq!(response.status, 201, "{}", response.text());
                        }
                    }
                });
            }
        }
    });
    for args in [&["inquiries", "--json"][..], &["export", "--format", "json"]] {
        let listed: Vec<serde_json::Value> = run(dir.path(), &[args, &["--store", &url]].concat()).json();
        assert_eq!(listed.len(), 180, "{args:?}");
    }
    run(dir.path(), &["check", "--store", &url]).success();
    for copy in 0..2 {
        let target = format!("redb:{}", dir.path().join(format!("copy-{copy}")).display());
        run(dir.path(), &["copy", "--from", &url, "--to", &target]).success();
    }
    for server in instances {
        let ended = server.terminate();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(!ended.stderr.contains("prepared statement"), "{}", ended.stderr);
    }
}
