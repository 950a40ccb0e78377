//! SIGHUP reloads firms, mail, notices, matching and retention (`docs/behaviour.md`, "Configuration").

use crate::harness::{Dir, Request, Server, Setup, record, until};

const MAIL: &str = "[mail]\nserver = 'smtp://127.0.0.1:2525'\nfrom = 'a@example.de'\nusername = 'a'\n\
                    password_file = 'password'\n[notify]\nmail = ['team@example.de']\n\
                    webhook = 'https://crm.example.de/geheim'\nwebhook_secret_file = 'key'\n";

const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

fn firms(ids: &[&str]) -> String {
    let firms = ids.iter().map(|id| {
        format!("[[firm]]\nid = '{id}'\nname = 'Firma'\nemail = 'firma@example.de'\npostal_codes = ['2']\n")
    });
    firms.collect()
}

/// Starts a server with this configuration file.
fn start(toml: &str) -> Server {
    let dir = Dir::new();
    dir.write("password", "geheim\n");
    dir.write("key", format!("{KEY}\n"));
    let path = dir.write("config.toml", toml);
    // Two threads, of which only one handles the signal.
    let args = ["--config", &path, "--threads", "2"];
    Setup::new().dir(&dir).args(&args).start()
}

#[test]
fn a_file_that_is_right_takes_effect() {
    let server = start("");
    let line = server.logged("configured");
    assert_has!(line, "no firms, no mail, operator not notified");
    let toml = format!(
        "{MAIL}{}paused = true\n[retention]\ninquiries_days = 30\n",
        firms(&["a", "b", "c"])
    );
    let line = server.reload(&toml, "read again: 3 firms");
    assert!(
        line.contains(
            "3 firms (1 paused), mail by 127.0.0.1:2525, operator notified at 1 address and by webhook, inquiries kept \
             for 30 days"
        ),
        "{line}"
    );
    server.reload(format!("{MAIL}{}", firms(&["a"])), "read again: 1 firm, ");
    assert_eq!(server.post(&record("Krause")).status, 201);
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0));
    for secret in ["geheim", KEY, "@example.de", "firma"] {
        assert!(!ended.stderr.contains(secret), "{secret}: {}", ended.stderr);
    }
}

#[test]
fn a_file_that_is_wrong_changes_nothing_and_is_logged() {
    let server = start("");
    for (toml, part) in [
        (firms(&["a"]), "config.toml:1: `[[firm]]` needs `[mail]`"),
        (
            "\n[matching]\noffers = 9".to_owned(),
            "config.toml:3: `matching.offers` must lie between 1 and 3",
        ),
        ("demo = true\n[mail".to_owned(), "config.toml:2: "),
        (
            MAIL.replace("['team@example.de']", &format!("[{}]", "'a@b.de',".repeat(51))),
            "config.toml:7: `notify.mail` may name at most 50 addresses",
        ),
        (
            MAIL.replace("'password'", "'none'"),
            "config.toml:5: `mail.password_file` must name a readable file",
        ),
    ] {
        let line = server.reload(&toml, part);
        assert!(line.contains("configuration unchanged: "), "{line}");
    }
    std::fs::remove_file(server.dir().path().join("config.toml")).unwrap();
    server.signal("HUP");
    server.logged("cannot read the configuration file");
    assert_eq!(server.post(&record("Krause")).status, 201);
    assert!(!server.stderr().contains("read again"), "{}", server.stderr());
    // It can be repaired without a restart.
    server.reload("", "read again: no firms");
}

#[test]
fn keys_that_need_a_restart_are_named() {
    let server = start("rate_limit = 5\n");
    let line = server.reload("rate_limit = 6\nlog_format = 'json'\n", "restart the server");
    assert!(line.contains("log_format, rate_limit"), "{line}");
}

#[test]
fn without_a_file_the_signal_is_ignored() {
    let server = Server::start();
    server.signal("HUP");
    server.logged("SIGHUP ignored");
    assert_eq!(server.post(&record("Krause")).status, 201);
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn pages_say_what_the_new_configuration_does() {
    let retention = |days: u32| format!("{MAIL}[retention]\ninquiries_days = {days}\n");
    let server = start(&retention(33));
    let page = |path: &str| {
        let response = server.get(path);
        assert_eq!(response.status, 200);
        (response.expect("etag").to_owned(), response.text().to_owned())
    };
    let (first_tag, first) = page("/datenschutz");
    let (first_blog_tag, first_blog) = page("/blog");
    assert!(first.contains("33 Tage"), "{first}");
    server.reload(retention(47), "the pages say");
    let (tag, text) = page("/datenschutz");
    assert!(text.contains("47 Tage") && !text.contains("33 Tage"), "{text}");
    assert_ne!(tag, first_tag);
    // A client with the old page gets the new one; one with the new page keeps it.
    for (known, status) in [(&first_tag, 200), (&tag, 304)] {
        let request = Request::get("/datenschutz").header("If-None-Match", known);
        assert_eq!(server.send(&request).status, status);
    }

    server
        .dir()
        .write("config.toml", "[retention]\ninquiries_days = 47\n");
    server.signal("HUP");
    let simulated = "Dieser Newsletter ist in Vorbereitung";
    assert!(!first_blog.contains(simulated), "{first_blog}");
    let blog_tag = until("the pages to promise no mail", || {
        let (tag, text) = page("/blog");
        text.contains(simulated).then_some(tag)
    });
    assert_ne!(blog_tag, first_blog_tag);
    let log = server.terminate().stderr;
    assert!(
        !log.contains("former configuration") && !log.contains("restart"),
        "{log}"
    );
}
