//! Personal data stays in the store: it never reaches a log, a response, a core file or another user.

use std::fs;
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::full_disk::leave_no_room;
use crate::harness::command::{clean, finish};
use crate::harness::dir::mode;
use crate::harness::inquiry::{post, post_bytes, with};
use crate::harness::referral::{NAME, Referred, form, submit};
use crate::harness::server::export;
use crate::harness::store::is_postgres;
use crate::harness::{
    Dir, Request, Response, Server, Setup, leave_out_on_postgres, program, record, run, until, until_true,
};
use crate::shutdown::half_sent;

/// Markers of personal data, in lower case. Every personal value in these tests contains one of them.
const SECRETS: [&str; 4] = ["geheim", "77766655", "22987", "198.51.100."];

/// An inquiry with a marker in every text field.
fn secret() -> serde_json::Value {
    let mut secret = record("Geheimnachname");
    secret["first_name"] = "Geheimvorname".into();
    secret["email_address"] = "geheim@geheim.example".into();
    secret["phone_number"] = "040 77766655".into();
    secret["postal_code"] = "22987".into();
    secret
}

fn assert_no_personal_data(text: &str) {
    let lower = text.to_lowercase();
    for word in SECRETS {
        // The digits of the postal code may occur by chance within a timestamp.
        let is_part = |(at, _): (usize, &str)| {
            let around = [
                lower[..at].chars().next_back(),
                lower[at + word.len()..].chars().next(),
            ];
            word.parse::<u32>().is_ok() && around.iter().flatten().any(char::is_ascii_digit)
        };
        assert!(
            lower.match_indices(word).all(is_part),
            "{word} appears in: {text}"
        );
    }
}

/// Sends a request with the headers that proxies and browsers add. Asserts that the response repeats none of it.
fn send(server: &Server, client: u8, request: &Request) -> Response {
    let request = request
        .clone()
        .header("X-Forwarded-For", &format!("198.51.100.{client}"))
        .header("User-Agent", "Geheimbrowser")
        .header("Cookie", "geheim=geheim")
        .header("Referer", "https://geheim.example/");
    let response = server.send(&request);
    assert_no_personal_data(response.text());
    response
}

/// Provokes every kind of response and of broken connection. The server must allow one inquiry a minute and trust this
/// host as a proxy.
pub fn exercise(server: &Server) {
    let demo = !server.dir().has_store();
    let keyed = |record: &serde_json::Value| post(record).header("Idempotency-Key", "geheimschluessel");
    let mut other = secret();
    other["last_name"] = "Geheimanders".into();
    let mut cases = vec![
        (201, keyed(&secret())),
        (if demo { 201 } else { 422 }, keyed(&other)),
        (429, post(&secret())),
        (400, post(&with("email_address", "geheim@"))),
        (400, post(&with("phone_number", "geheim 77766655"))),
        (400, post(&with("postal_code", "22987 Geheim"))),
        (400, post(&with("property_type", "geheim"))),
        (400, post(&with("types_of_problems", "nesting,geheim"))),
        (400, post(&with("created_at", 77_766_655))),
        (400, post(&with("geheim", "geheim"))),
        (400, post_bytes(format!("[{}", secret()))),
        (400, post_bytes(b"[{\"first_name\":\"Geheim\xff\"}]".as_slice())),
        (400, post(&secret()).header("Idempotency-Key", "geheim\u{e4}")),
        (403, post(&secret()).header("Origin", "https://geheim.example")),
        (403, post(&secret()).header("Sec-Fetch-Site", "cross-site")),
        (413, post_bytes(secret().to_string().repeat(200))),
        (404, Request::get("/rest/v1/geheim?email=geheim@geheim.example")),
        (404, Request::get("/assets/geheim")),
        (405, Request::new("DELETE", "/rest/v1/inquiries?id=geheim")),
        (404, Request::get("/geheim")),
        (404, Request::get("/anfrage/geheim?geheim")),
        (404, form(server, "/betrieb/geheim", "answer=geheim")),
        (
            413,
            form(server, "/anfrage/geheim", &"addition=geheim".repeat(2000)),
        ),
        (
            404,
            form(server, "/newsletter/bestaetigen/geheim", "geheim=geheim"),
        ),
        (400, post_json("/rest/v1/steps", "{\"step\":\"geheim\"}")),
        (
            404,
            post_json("/rest/v1/newsletter", "{\"email\":\"geheim@geheim.example\"}"),
        ),
    ];
    let mut wrong_type = post(&secret());
    wrong_type.headers = vec![("Content-Type".to_owned(), "text/geheim".to_owned())];
    cases.push((415, wrong_type));
    for (number, (status, request)) in (1..).zip(&cases) {
        // The third request exceeds the limit of the client that sent the first.
        let client = if number == 3 { 1 } else { number };
        let response = send(server, client, request);
        assert_eq!(response.status, *status, "{request:?}: {}", response.text());
    }
    assert_eq!(server.get("/fragebogen?email=geheim@geheim.example").status, 200);
    abort_connections(server);
}

fn post_json(path: &str, body: &str) -> Request {
    let mut request = post_bytes(body);
    path.clone_into(&mut request.target);
    request
}

/// Opens connections that end early or send garbage.
fn abort_connections(server: &Server) {
    let whole = post(&secret()).bytes("geheim");
    for length in [20, whole.len() / 2, whole.len() - 1] {
        for is_half_closed in [true, false] {
            let mut stream = TcpStream::connect(server.address).unwrap();
            std::io::Write::write_all(&mut stream, &whole[..length]).unwrap();
            if is_half_closed {
                stream.shutdown(Shutdown::Write).unwrap();
                // Any response stays unread, so that closing resets the connection.
            }
        }
    }
    for garbage in [
        "GEHEIM geheim\r\n\r\n",
        "POST /rest/v1/inquiries HTTP/1.1\r\nHost: geheim\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nGEHEIM\r\n",
        "POST /rest/v1/inquiries HTTP/1.1\r\nHost: geheim\r\nContent-Length: geheim\r\n\r\n",
        "GET /\u{0}geheim HTTP/1.1\r\nHost: geheim\r\n\r\n",
        "\u{16}\u{3}\u{1}geheim\r\n\r\n",
    ] {
        let mut connection = server.connect();
        connection.send_raw(garbage).unwrap();
        let response = connection.rest();
        assert_no_personal_data(&String::from_utf8_lossy(&response));
    }
}

/// Stops the server during a request whose client disconnects. Returns the output of the server.
fn stop_during_request(mut server: Server) -> String {
    let (connection, _rest) = half_sent(&server, &secret());
    server.signal("TERM");
    until("the listener to close", || {
        TcpStream::connect(server.address).err()
    });
    drop(connection);
    let ended = server.ended();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended.stdout + &ended.stderr
}

#[test]
fn personal_data_is_neither_logged_nor_returned() {
    for format in ["text", "json"] {
        for demo in [false, true] {
            let mut setup = Setup::bare().args(&["--log-format", format, "--trusted-proxy", "127.0.0.0/8"]);
            setup = setup.args(&["--rate-limit", "1"]);
            if demo {
                setup = setup.args(&["--demo"]);
            }
            let server = setup.start();
            exercise(&server);
            assert_no_personal_data(&stop_during_request(server));
        }
    }
}

#[test]
fn private_pages_leave_nothing_in_the_log() {
    let case = Referred::to(&["nord"]);
    assert_eq!(
        submit(&case.server, &case.visitor, "addition=Dachgauben").status,
        303
    );
    assert_eq!(case.answer(0, "accept").status, 303);
    assert!(case.page(&case.firms[0]).contains(NAME));
    let wish = post_json("/rest/v1/newsletter", "{\"email\":\"aenne@example.org\"}");
    assert_eq!(case.server.send(&wish).status, 202);
    assert_eq!(case.answer(0, "decline").status, 303);
    assert_eq!(case.withdraw().status, 303);
    let firm = case.firms[0].trim_start_matches("/betrieb/").to_owned();
    let visitor = case.visitor.trim_start_matches("/anfrage/").to_owned();
    let ended = case.server.terminate();
    let log = ended.stdout + &ended.stderr;
    for word in [NAME, "Dachgauben", "aenne@example.org", "nord", &firm, &visitor] {
        assert!(!log.contains(word), "{word} appears in: {log}");
    }
}

#[test]
fn write_errors_reveal_no_personal_data() {
    for format in ["text", "json"] {
        let empty = Server::start();
        let mut setup = Setup::new().dir(empty.dir()).args(&["--log-format", format]);
        if is_postgres() {
            leave_no_room(&empty);
        } else {
            // Only the start of the file can be written.
            setup = setup.shell("ulimit -S -f 8");
        }
        assert_eq!(empty.terminate().code, Some(0));
        let server = setup.start();
        assert_eq!(send(&server, 1, &post(&secret())).status, 503);
        let keyed = post(&secret()).header("Idempotency-Key", "geheimschluessel");
        assert_eq!(send(&server, 1, &keyed).status, 503);
        let ended = server.terminate();
        assert!(
            ended.stderr.contains("ERROR"),
            "no error is logged: {}",
            ended.stderr
        );
        assert_no_personal_data(&(ended.stdout + &ended.stderr));
    }
}

#[test]
fn commands_print_no_personal_data_to_stderr() {
    let server = Server::start();
    let id = server.store_id(&secret());
    let dir = server.dir().clone();
    let commands: [&[&str]; 4] = [
        &["export"],
        &["export", "--format", "xlsx", "--output", "out.xlsx"],
        &["export", "--output", "missing/out.csv"],
        &["erase", "--yes", &id],
    ];
    for ended in [None, Some(server)] {
        for args in commands {
            assert_no_personal_data(&run(dir.path(), args).stderr);
        }
        drop(ended);
    }
}

#[test]
fn a_crash_leaves_no_core_file() {
    let unlimited = "ulimit -c unlimited 2>/dev/null || true";
    let mut server = Setup::new().shell(unlimited).start();
    server.store(&secret());
    assert_not_dumpable(server.id());
    server.signal("ABRT");
    let ended = server.ended();
    assert_eq!((ended.code, ended.dumped), (None, false));
    let entries = fs::read_dir(server.dir().path()).unwrap();
    let found: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name != "data")
        .collect();
    assert!(found.is_empty(), "{found:?}");

    // Commands are also protected. This one waits until its output is read.
    let dir = server.dir().clone();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut waiting = clean(Command::new("sh"), dir.path());
    waiting
        .args(["-c", &format!("{unlimited}; exec \"$0\" \"$@\"")])
        .arg(program())
        .args(["export", "--output", "pipe"])
        .stderr(Stdio::null());
    let mut export = waiting.spawn().unwrap();
    until_true("the export to disable core files", || {
        core_limits(export.id()).is_some_and(|limits| limits == ["0", "0"])
    });
    assert!(fs::read_to_string(pipe).unwrap().contains("Geheimnachname"));
    assert!(export.wait().unwrap().success());
}

/// The soft and hard limits of core files, or `None` if the process has ended.
fn core_limits(process: u32) -> Option<[String; 2]> {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max core file size"))?;
    let mut words = line.split_whitespace().map(str::to_owned);
    Some([words.next()?, words.next()?])
}

fn assert_not_dumpable(process: u32) {
    assert_eq!(core_limits(process).unwrap(), ["0", "0"]);
    // The /proc files of a process that cannot be dumped belong to root.
    assert_eq!(fs::metadata(format!("/proc/{process}/environ")).unwrap().uid(), 0);
}

#[test]
fn files_are_private_under_any_umask() {
    for umask in ["000", "022", "077", "0777"] {
        let server = Setup::new().shell(&format!("umask {umask}")).start();
        server.store(&secret());
        let dir = server.dir().clone();
        if !is_postgres() {
            assert_eq!(mode(&dir.data()), 0o700, "umask {umask}");
            for name in ["inquiries.redb", "control.sock"] {
                assert_eq!(mode(&dir.data().join(name)), 0o600, "umask {umask}: {name}");
            }
        }
        let mut shell = clean(Command::new("sh"), dir.path());
        shell
            .args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")])
            .arg(program())
            .args(["export", "--output", "out.csv"]);
        finish(&mut shell).success();
        assert_eq!(mode(&dir.path().join("out.csv")), 0o600, "umask {umask}");
    }
}

/// A user other than the one that runs the tests. Only root can switch to it.
pub const OTHER_USER: &str = "65534";

/// Whether the tests run as root and can switch users.
pub fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Shell commands that run the program as another user in the working directory.
pub fn as_other_user() -> String {
    format!(
        "cp \"$0\" program; exec setpriv --reuid={OTHER_USER} --regid={OTHER_USER} --clear-groups ./program \"$@\""
    )
}

fn run_as_other_user(dir: &Dir, args: &[&str]) -> crate::harness::command::Finished {
    let mut shell = clean(Command::new("sh"), dir.path());
    shell.args(["-c", &as_other_user()]).arg(program()).args(args);
    finish(&mut shell)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn other_users_can_neither_read_nor_send_commands() {
    leave_out_on_postgres!("a data directory");
    // The test needs a second user. `socket.rs` tests the decision itself.
    if !is_root() {
        return;
    }
    let server = Server::start();
    let stored = server.store(&secret());
    let dir = server.dir().clone();
    set_mode(dir.path(), 0o755);
    let refused = |case: &str| {
        let line = run_as_other_user(&dir, &["export"]).failure().to_owned();
        assert!(line.contains("ermission denied"), "{case}: {line}");
        assert_no_personal_data(&line);
    };
    refused("with private files");
    set_mode(&dir.data(), 0o755);
    refused("with an open directory");
    set_mode(&dir.data().join("control.sock"), 0o666);
    refused("with an open socket");
    let line = server.logged("control socket");
    assert!(line.contains(OTHER_USER), "{line}");
    let id = stored["id"].as_str().unwrap();
    run_as_other_user(&dir, &["erase", "--yes", id]).failure();
    assert_eq!(server.stored(), [stored]);
}

#[test]
fn an_unprivileged_server_is_not_dumpable() {
    if !is_root() {
        // `a_crash_leaves_no_core_file` covers this case.
        return;
    }
    let server = Setup::new()
        .shell(&format!("chown {OTHER_USER} .; {}", as_other_user()))
        .start();
    server.store(&secret());
    assert_not_dumpable(server.id());
    // The server and root can still use its /proc files.
    assert!(export(server.dir(), &[]).success().contains("Geheimnachname"));
}
