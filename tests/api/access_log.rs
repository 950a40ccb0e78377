//! The access log, and the request id that links a response to its log line.

use serde_json::Value;

use crate::harness::hanging_store::HangingStore;
use crate::harness::inquiry::post;
use crate::harness::referral::NAME;
use crate::harness::{Request, Response, Server, Setup, record};

/// Starts a server that logs requests as JSON.
fn logging(access_log: &str) -> Server {
    let server = Setup::new().args(&["--log-format", "json", access_log]);
    server.args(&["--trusted-proxy", "127.0.0.0/8"]).start()
}

fn id(response: &Response) -> &str {
    response.expect("x-request-id")
}

/// The log line of a request.
fn line(server: &Server, id: &str) -> Value {
    serde_json::from_str(&server.logged(&format!("\"request_id\":\"{id}\""))).unwrap()
}

#[test]
fn each_request_leaves_one_line() {
    let server = logging("--access-log");
    let page = server.get("/faq?name=Krause");
    let logged = line(&server, id(&page));
    assert_eq!(logged["message"], "request");
    assert_eq!(
        (&logged["method"], &logged["path"]),
        (&"GET".into(), &"/faq".into())
    );
    assert_eq!(logged["status"], 200);
    assert_eq!(logged["bytes"], page.body.len());
    assert!(logged["duration_ms"].as_f64().unwrap() < 60_000.0);
    assert!(
        logged["timestamp"]
            .as_str()
            .unwrap()
            .parse::<jiff::Timestamp>()
            .is_ok()
    );
    let head = server.send(&Request::new("HEAD", "/faq"));
    assert_eq!(line(&server, id(&head))["bytes"], 0);
    let stored = server.post(&record("Krause"));
    let logged = line(&server, id(&stored));
    assert_eq!(
        (&logged["path"], &logged["status"]),
        (&"/rest/v1/inquiries".into(), &201.into())
    );
    let log = server.terminate().stderr;
    assert_eq!(log.matches("\"message\":\"request\"").count(), 3, "{log}");
}

#[test]
fn without_the_flag_there_are_no_lines() {
    for args in [&[][..], &["--access-log=off"], &["--access-log=false"]] {
        let server = Server::with(args);
        server.get("/faq");
        server.get("/nichts");
        let log = server.terminate().stderr;
        assert!(!log.contains("/faq") && !log.contains("/nichts"), "{log}");
    }
}

#[test]
fn addresses_are_logged_only_on_demand() {
    let from = |server: &Server| {
        let request = Request::get("/faq").header("X-Forwarded-For", "203.0.113.77");
        let response = server.send(&request);
        line(server, id(&response))
    };
    let without = from(&logging("--access-log"));
    assert!(!without.to_string().contains("203.0.113") && !without.to_string().contains("127.0.0.1"));
    assert_eq!(
        from(&logging("--access-log=addresses"))["address"],
        "203.0.113.77"
    );
}

#[test]
fn tokens_queries_and_persons_are_not_logged() {
    let server = logging("--access-log");
    let stored = server.post(&record(NAME));
    let private = stored.expect("location").to_owned();
    let token = private.rsplit('/').next().unwrap();
    let paths = [
        private.clone(),
        format!("{private}/zurueckziehen"),
        format!("{private}/"),
        format!("{private}/mehr"),
        format!("/Anfrage/{token}"),
        format!("/anfrage%2F{token}"),
        format!("//anfrage//{token}"),
        format!("/{token}"),
        format!("/betrieb/{token}"),
        format!("/newsletter/bestaetigen/{token}"),
        format!("/newsletter/abmelden/{token}"),
        format!("/faq?token={token}"),
        format!("/nichts/anna@example.de?{token}"),
    ];
    for path in &paths {
        for method in ["GET", "POST", "PUT"] {
            let response = server.send(&Request::new(method, path).header("User-Agent", "krause-browser"));
            let logged = line(&server, id(&response));
            assert_eq!(logged["method"], method);
            assert_eq!(logged["status"], response.status);
        }
    }
    let log = server.terminate().stderr;
    for hidden in [token, NAME, "anna@example.de", "krause-browser", "token="] {
        assert!(!log.contains(hidden), "{hidden} is in the log: {log}");
    }
    assert!(log.contains("/anfrage/*/zurueckziehen"), "{log}");
}

#[test]
fn errors_and_private_answers_have_an_id_and_pages_are_as_they_were() {
    let server = Server::start();
    let mut ids = Vec::new();
    for request in [
        Request::get("/nichts"),
        Request::get("/rest/v1/nichts"),
        Request::get("/anfrage/nichts"),
        Request::get("/healthz"),
        Request::new("PUT", "/faq"),
        post(&record("Krause")),
        post(&Value::Null),
    ] {
        ids.push(id(&server.send(&request)).to_owned());
    }
    for id in &ids {
        assert!(
            id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 7);
    for target in ["/", "/faq", "/sitemap.xml"] {
        assert_eq!(server.get(target).header("x-request-id"), None, "{target}");
    }
}

#[test]
fn only_a_trusted_proxy_gives_ids() {
    let given = "4bf92f35-77b3.4da6_a3ce";
    let request = |value: &str| Request::get("/healthz").header("X-Request-Id", value);
    let server = logging("--access-log");
    assert_eq!(id(&server.send(&request(given))), given);
    line(&server, given);
    for wrong in ["anna@example.de", "a b", &"a".repeat(65), "\"}"] {
        assert_ne!(id(&server.send(&request(wrong))), wrong);
    }
    assert_ne!(id(&Server::start().send(&request(given))), given);
}

#[test]
fn a_request_that_the_server_fails_is_logged_with_its_id() {
    let (store, setup) = HangingStore::new();
    let server = setup.args(&["--log-format", "json"]).start();
    store.hang();
    let failed = server.post(&record("Krause"));
    assert_eq!(failed.status, 503);
    let logged = line(&server, id(&failed));
    assert_eq!(
        (&logged["level"], &logged["status"]),
        (&"ERROR".into(), &503.into())
    );
    assert_eq!(logged["path"], "/rest/v1/inquiries");
    store.recover();
}
