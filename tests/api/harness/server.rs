//! A running server, owned by its test.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::command::{self, Finished};
use super::http::{self, Connection, Request, Response};
use super::log::Log;
use super::wait::PATIENCE;
use super::{Dir, inquiry, until};

/// How a server is started.
#[derive(Clone)]
pub struct Setup {
    pub dir: Dir,
    args: Vec<String>,
    env: Vec<(String, String)>,
    /// Shell commands to run before the program takes the shell's place.
    shell: Option<String>,
}

impl Setup {
    /// In a fresh directory, without a rate limit: most tests send many inquiries from one address.
    pub fn new() -> Self {
        Self::bare().args(&["--rate-limit", "0"])
    }

    /// In a fresh directory, with every setting at its default but the port.
    pub fn bare() -> Self {
        Self {
            dir: Dir::new(),
            args: vec!["--listen".to_owned(), "127.0.0.1:0".to_owned()],
            env: Vec::new(),
            shell: None,
        }
    }

    pub fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
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

    /// With this text as its `--site` file.
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

    /// Runs it although it cannot start, and says how it ended.
    pub fn fail(&self) -> Finished {
        command::finish(&mut self.command())
    }

    /// The same on another address.
    pub fn fail_on(mut self, address: &str) -> Finished {
        address.clone_into(&mut self.args[1]);
        self.fail()
    }

    pub fn start(&self) -> Server {
        Server::spawn(self.clone(), self.command())
    }

    /// Starts it and ends it without a warning after this time, however far it has come.
    pub fn start_and_kill(&self, after: Duration) {
        let silent = || Stdio::null();
        let mut child = self.command().stdout(silent()).stderr(silent()).spawn().unwrap();
        thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// The server. Dropping it kills it.
pub struct Server {
    setup: Setup,
    child: Child,
    stdout: Log,
    stderr: Log,
    pub address: SocketAddr,
}

/// How a server ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` when it was killed.
    pub code: Option<i32>,
    /// Whether the system took its memory for a core file.
    pub dumped: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Server {
    /// A server without a rate limit in a fresh directory.
    pub fn start() -> Self {
        Setup::new().start()
    }

    /// The same with more arguments.
    pub fn with(args: &[&str]) -> Self {
        Setup::new().args(args).start()
    }

    /// Starts any command that serves, and waits for the address it prints.
    pub fn spawn(setup: Setup, mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = Log::of(child.stdout.take().unwrap());
        let mut stderr = Log::of(child.stderr.take().unwrap());
        let Some(line) = stdout.line_with("listening on http://") else {
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

    pub fn dir(&self) -> &Dir {
        &self.setup.dir
    }

    /// Number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn connect(&self) -> Connection {
        Connection::open(self.address)
    }

    /// Connects as the client with this number: each has an address of its own.
    pub fn connect_as(&self, client: u8) -> Connection {
        Connection::open_from(Ipv4Addr::new(127, 0, 1, client), self.address)
    }

    /// A figure in KiB of the process's memory, as the system tells it in `/proc`.
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

    /// Posts an inquiry that has to be stored; gives the stored record.
    pub fn store(&self, record: &Value) -> Value {
        let response = self.send(&inquiry::post(record).header("Prefer", "return=representation"));
        assert_eq!(response.status, 201, "{}", response.text());
        response.json()[0].clone()
    }

    /// Runs `export` on the server's data directory.
    pub fn export(&self, args: &[&str]) -> Finished {
        export(self.dir(), args)
    }

    /// All stored inquiries, as the export gives them.
    pub fn stored(&self) -> Vec<Value> {
        stored(self.dir())
    }

    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Waits for a line of the log.
    pub fn logged(&self, part: &str) -> String {
        self.stderr
            .line_with(part)
            .unwrap_or_else(|| panic!("{part:?} is not in the log: {}", self.stderr()))
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

    /// Waits for the end.
    pub fn ended(&mut self) -> Ended {
        let status = until("the end of the server", || self.child.try_wait().unwrap());
        Ended {
            code: status.code(),
            dumped: status.core_dumped(),
            stdout: self.stdout.complete(),
            stderr: self.stderr.complete(),
        }
    }

    /// Asks it to end, as service managers do.
    pub fn terminate(mut self) -> Ended {
        self.signal("TERM");
        self.ended()
    }

    /// Ends it without a warning, as a power cut does.
    pub fn kill(mut self) -> Setup {
        self.child.kill().unwrap();
        self.ended();
        self.setup.clone()
    }

    /// Ends it in order and starts it again on the same data.
    pub fn restart(self) -> Self {
        let setup = self.setup.clone();
        let ended = self.terminate();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        setup.start()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already, which is then what the test is about.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `export` on a data directory.
pub fn export(dir: &Dir, args: &[&str]) -> Finished {
    let data = dir.data();
    let all: Vec<&str> = ["export", "--data-dir", data.to_str().unwrap()]
        .iter()
        .chain(args)
        .copied()
        .collect();
    command::run(dir.path(), &all)
}

/// All inquiries stored in a data directory.
pub fn stored(dir: &Dir) -> Vec<Value> {
    let export = export(dir, &["--format", "json"]);
    serde_json::from_str(export.success()).unwrap()
}

/// The longest that ending in order may take with nothing under way; a service manager kills after 10 s at the earliest.
pub const PROMPT: Duration = Duration::from_secs(PATIENCE.as_secs() / 10);
