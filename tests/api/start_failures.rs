//! Failures at start: one line that explains what to do (`docs/behaviour.md`, "Commands").

use crate::harness::{Server, Setup};

#[test]
fn a_wrong_site_file_is_refused_with_file_line_and_expectation() {
    for (toml, line, parts) in [
        (
            "name = 'A'\n\n[operator]\nemial = 'x@example.org'\n",
            4,
            &["emial", "email"][..],
        ),
        ("nam = 'A'\n", 1, &["nam", "name"]),
        ("name = 'A'\n[operatr]\n", 2, &["operatr", "operator"]),
        ("name = 5\n", 1, &["string"]),
        ("[links]\n\n\nsocial = 'https://a.example'\n", 4, &["expected"]),
        ("[operator]\nlegal_name = ['a', 'b']\n", 2, &["string"]),
        ("[business]\nlatitude = 'north'\n", 2, &["expected"]),
        ("[business]\nlongitude = 999.0\n", 2, &["longitude"]),
        (
            "[links]\nchat = 'javascript:alert(1)'\n",
            2,
            &["chat", "https://"],
        ),
        ("[tags]\ntag_manager = '\"><script>'\n", 2, &["tag_manager"]),
        ("[operator]\nemail = 'nobody'\n", 2, &["email"]),
        ("name = 'A'\nname = 'B'\n", 2, &["duplicate"]),
        ("name = 'A'\n[operator\n", 2, &[]),
        ("name = \n", 1, &[]),
    ] {
        let setup = Setup::new().site(toml);
        let finished = setup.fail();
        let message = finished.failure();
        assert!(
            message.contains(&format!("my-site.toml:{line}: ")),
            "{toml:?}: {message}"
        );
        for part in parts {
            assert!(message.contains(part), "{toml:?}: {message} lacks {part}");
        }
        assert!(!setup.dir.has_store(), "{toml:?}");
    }
}

#[test]
fn a_site_file_that_cannot_be_read_is_named() {
    let setup = Setup::new();
    let missing = setup.dir.path().join("missing.toml");
    let message = setup.clone().args(&["--site", missing.to_str().unwrap()]).fail();
    message.fails_with("missing.toml");
    let directory = setup.clone().args(&["--site", "."]).fail();
    directory.failure();
    let latin1 = setup.dir.write("latin1.toml", b"name = 'M\xfcller'\n");
    assert_has!(setup.args(&["--site", &latin1]).fail().failure(), "latin1.toml");
}

#[test]
fn a_public_url_that_is_none_is_refused() {
    for url in [
        "",
        "www.example.de",
        "ftp://example.de",
        "https://",
        "https://example.de/path",
        "https://example.de/?a=b",
        "https://user@example.de",
        "https://exa mple.de",
        "javascript:alert(1)",
        "https://example.de\"><script>",
    ] {
        let setup = Setup::new().args(&[&format!("--public-url={url}")]);
        let finished = setup.fail();
        assert!(matches!(finished.code, Some(1 | 2)), "{url}: {finished:?}");
        assert!(
            finished.stderr.contains("--public-url"),
            "{url}: {}",
            finished.stderr
        );
        if finished.code == Some(1) {
            finished.failure();
        }
        assert!(!setup.dir.has_store(), "{url}");
    }
}

#[test]
fn the_port_of_a_running_server_is_not_shared() {
    let first = Server::start();
    let finished = Setup::bare().fail_on(&first.address.to_string());
    finished.failure();
    assert_eq!(first.get("/").status, 200);
}

#[test]
fn an_address_that_is_not_ours_is_told() {
    let message = Setup::bare().fail_on("192.0.2.1:8080");
    message.fails_with("192.0.2.1:8080");
}

#[test]
fn a_closed_standard_output_does_not_keep_it_from_serving() {
    let setup = Setup::bare();
    let log = setup.dir.path().join("log");
    let mut command = std::process::Command::new("sh");
    command.args([
        "-c",
        "exec \"$0\" serve --listen 127.0.0.1:0 --demo --log-format json >&- 2>log",
    ]);
    command.arg(crate::harness::program());
    let mut child = crate::harness::command::clean(command, setup.dir.path())
        .spawn()
        .unwrap();
    let address = crate::harness::until("the log to name the address", || {
        let log = std::fs::read_to_string(&log).ok()?;
        let (_, rest) = log.split_once("\"http://")?;
        rest.split_once('"').map(|(address, _)| address.to_owned())
    });
    let response = crate::harness::http::once(
        address.parse().unwrap(),
        &crate::harness::Request::get("/healthz"),
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(response.status, 200);
}
