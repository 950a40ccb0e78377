//! Starts and stops servers.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::capture::Capture;
use super::command::{self, Finished};
use super::http::{self, Connection, Request, Response};
use super::wait::TIMEOUT;
use super::{Dir, inquiry, until};

/// The configuration of a server to start.
#[derive(Clone)]
pub struct Setup {
    pub dir: Dir,
    args: Vec<String>,
    env: Vec<(String, String)>,
    /// Shell commands to run before the shell executes the program.
    shell: Option<String>,
}

impl Setup {
    /// A setup in a new directory and without a rate limit, since most tests send many inquiries from one address.
    pub fn new() -> Self {
        Self::bare().args(&["--rate-limit", "0"])
    }

    /// A setup in a new directory, with default values for everything but the port.
    pub fn bare() -> Self {
        Self {
            dir: Dir::new(),
            args: vec!["--listen".to_owned(), "127.0.0.1:0".to_owned()],
            env: Vec::new(),
            shell: None,
        }
    }

    /// A setup in a directory, without any flags.
    pub fn unconfigured(dir: &Dir) -> Self {
        Self {
            args: Vec::new(),
            ..Self::bare().dir(dir)
        }
    }

    pub fn args(mut self, args: &[impl AsRef<str>]) -> Self {
        self.args.extend(args.iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn dir(mut self, dir: &Dir) -> Self {
        self.dir = dir.clone();
        self
    }

    pub fn shell(mut self, commands: &str) -> Self {
        self.shell = Some(commands.to_owned());
        self
    }

    /// Writes `toml` to `config.toml` and passes it as `--config`.
    pub fn config(self, toml: impl AsRef<[u8]>) -> Self {
        let path = self.dir.write("config.toml", toml);
        self.args(&["--config", &path])
    }

    /// Writes `toml` to a file and passes it as `--site`.
    pub fn site(self, toml: &str) -> Self {
        let path = self.dir.write("my-site.toml", toml);
        self.args(&["--site", &path])
    }

    fn command(&self) -> Command {
        let mut command = match &self.shell {
            None => command::command(self.dir.path()),
            Some(commands) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("{commands}; exec \"$0\" \"$@\""));
                shell.arg(command::program());
                command::clean(shell, self.dir.path())
            }
        };
        command
            .arg("serve")
            .args(&self.args)
            .envs(self.env.iter().cloned());
        command
    }

    /// Runs a server that must fail at start.
    pub fn fail(&self) -> Finished {
        command::finish(&mut self.command())
    }

    /// Runs a server that must fail at start, on another address.
    pub fn fail_on(mut self, address: &str) -> Finished {
        address.clone_into(&mut self.args[1]);
        self.fail()
    }

    pub fn start(&self) -> Server {
        Server::spawn(self.clone(), self.command())
    }

    /// Starts a server and kills it after this time, whether or not it is listening by then.
    pub fn start_and_kill(&self, after: Duration) {
        let silent = || Stdio::null();
        let mut child = self.command().stdout(silent()).stderr(silent()).spawn().unwrap();
        thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// A running server. Dropping it kills the process.
pub struct Server {
    setup: Setup,
    child: Child,
    stdout: Capture,
    stderr: Capture,
    pub address: SocketAddr,
}

/// The exit status and output of a server.
#[derive(Debug)]
pub struct Ended {
    /// The exit code, or `None` if a signal killed the server.
    pub code: Option<i32>,
    /// Whether the system wrote a core file.
    pub dumped: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Server {
    /// Starts a server in a new directory, without a rate limit.
    pub fn start() -> Self {
        Setup::new().start()
    }

    /// Starts a server in a new directory, without a rate limit and with these arguments.
    pub fn with(args: &[&str]) -> Self {
        Setup::new().args(args).start()
    }

    /// Starts a server with any command and waits for the address that it prints.
    pub fn spawn(setup: Setup, mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = Capture::start(child.stdout.take().unwrap());
        let mut stderr = Capture::start(child.stderr.take().unwrap());
        let Some(line) = stdout.wait_for_line("listening on http://") else {
            panic!("the server did not start: {}", stderr.complete());
        };
        let (_, address) = line.split_once("http://").unwrap();
        let address = address
            .parse()
            .unwrap_or_else(|_| panic!("no address at the end of {line:?}"));
        Self {
            setup,
            child,
            stdout,
            stderr,
            address,
        }
    }

    /// The addresses of its TLS listeners, of which there must be at least one.
    pub fn tls_addresses(&self) -> Vec<SocketAddr> {
        self.stdout.wait_for_line("listening on https://").unwrap();
        // Logged after all addresses are printed.
        self.logged("listening ");
        let text = self.stdout.text();
        let lines = text.lines().filter_map(|line| line.split_once("https://"));
        lines.map(|(_, address)| address.parse().unwrap()).collect()
    }

    /// Waits until `count` TLS addresses are printed. Standard output and the log are read by separate threads.
    pub fn wait_for_tls(&self, count: usize) -> Vec<SocketAddr> {
        until("the addresses of TLS", || {
            let addresses = self.tls_addresses();
            (addresses.len() == count).then_some(addresses)
        })
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn dir(&self) -> &Dir {
        &self.setup.dir
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn connect(&self) -> Connection {
        Connection::open(self.address)
    }

    /// Connects from 127.0.1.`client`; every address is a separate client.
    pub fn connect_as(&self, client: u8) -> Connection {
        Connection::open_from(Ipv4Addr::new(127, 0, 1, client), self.address)
    }

    /// A memory figure of the process in KiB, by its name in `/proc/<id>/status`.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
    }

    pub fn send(&self, request: &Request) -> Response {
        http::once(self.address, request)
    }

    pub fn get(&self, target: &str) -> Response {
        self.send(&Request::get(target))
    }

    /// Posts one inquiry, as the questionnaire does: an array of one record.
    pub fn post(&self, record: &Value) -> Response {
        self.send(&inquiry::post(record))
    }

    /// Posts an inquiry, checks that it is stored, and returns the stored record.
    pub fn store(&self, record: &Value) -> Value {
        self.inquire(&inquiry::post(record)).0
    }

    /// Posts an inquiry, checks that it is stored, and returns its id.
    pub fn store_id(&self, record: &Value) -> String {
        self.store(record)["id"].as_str().unwrap().to_owned()
    }

    /// Sends the POST of an inquiry, checks that it is stored, and returns the stored record and the path of the visitor's page.
    pub fn inquire(&self, request: &Request) -> (Value, String) {
        let response = self.send(&request.clone().header("Prefer", "return=representation"));
        assert_eq!(response.status, 201, "{}", response.text());
        let page = response.header("location").unwrap_or_default().to_owned();
        (response.json()[0].clone(), page)
    }

    /// Runs `export` on the server's store.
    pub fn export(&self, args: &[&str]) -> Finished {
        export(self.dir(), args)
    }

    /// Exports all stored inquiries, as the API returned them.
    pub fn stored(&self) -> Vec<Value> {
        stored(self.dir())
    }

    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Waits until the log has a line that contains `part`, and returns the line.
    pub fn logged(&self, part: &str) -> String {
        self.stderr
            .wait_for_line(part)
            .unwrap_or_else(|| panic!("{part:?} is not in the log: {}", self.stderr()))
    }

    /// Replaces the configuration file, sends SIGHUP, and waits for a log line that contains `part`.
    pub fn reload(&self, toml: impl AsRef<[u8]>, part: &str) -> String {
        self.dir().write("config.toml", toml);
        self.signal("HUP");
        self.logged(part)
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let mut command = String::from("kill");
        let _ = write!(command, " -{name} {}", self.child.id());
        assert!(
            Command::new("sh")
                .args(["-c", &command])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits until the process has exited.
    pub fn ended(&mut self) -> Ended {
        let status = until("the server to exit", || self.child.try_wait().unwrap());
        Ended {
            code: status.code(),
            dumped: status.core_dumped(),
            stdout: self.stdout.complete(),
            stderr: self.stderr.complete(),
        }
    }

    /// Shuts the server down, as service managers do, and waits until it has exited.
    pub fn terminate(mut self) -> Ended {
        self.signal("TERM");
        self.ended()
    }

    /// Kills the server without warning, as the kernel does when memory runs out.
    pub fn kill(mut self) -> Setup {
        self.child.kill().unwrap();
        self.ended();
        self.setup.clone()
    }

    /// Shuts the server down and starts it again on the same data.
    pub fn restart(self) -> Self {
        let setup = self.setup.clone();
        let ended = self.terminate();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        setup.start()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have exited already: many tests end it themselves.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `export` on the store of a directory.
pub fn export(dir: &Dir, args: &[&str]) -> Finished {
    command::run(dir.path(), &[&["export"], args].concat())
}

/// Exports all inquiries in the store of a directory, as the API returned them.
pub fn stored(dir: &Dir) -> Vec<Value> {
    let export = export(dir, &["--format", "json"]);
    let rows: Vec<Value> = export.json();
    rows.into_iter().map(inquiry::without_outcome).collect()
}

/// The longest shutdown of an idle server. Service managers kill it after 10 s at the earliest.
pub const PROMPT: Duration = Duration::from_secs(TIMEOUT.as_secs() / 15);
