//! HTTP/1 over raw sockets.

use crate::harness::inquiry::post;
use crate::harness::{Request, Server, record};

#[test]
fn a_client_that_has_said_all_still_gets_the_answer() {
    let server = Server::start();
    let host = server.address.to_string();
    for (request, status) in [(Request::get("/faq"), 200), (post(&record("Krause")), 201)] {
        let mut connection = server.connect();
        connection.send_raw(request.bytes(&host)).unwrap();
        connection.end_sending();
        assert_eq!(connection.receive(&request.method).status, status);
    }
}

#[test]
fn absolute_targets_override_the_host_header() {
    let server = Server::start();
    let from = |origin: &str, target: &str| {
        let mut request = post(&record("Krause"))
            .header("Origin", origin)
            .header("Host", "b.example");
        request.target = format!("http://{target}{}", request.target);
        server.send(&request).status
    };
    assert_eq!(from("http://a.example", "a.example"), 201);
    assert_eq!(from("http://b.example", "a.example"), 403);
}

#[test]
fn a_client_that_asks_for_an_upgrade_sees_the_end_of_its_refusal() {
    let server = Server::start();
    let refused = Request::new("POST", "/healthz").header("Upgrade", "h2c");
    let mut connection = server.connect();
    connection.send_raw(refused.body("unread").bytes("x")).unwrap();
    assert_eq!(connection.receive("POST").status, 405);
    assert!(!connection.is_silent_for(std::time::Duration::from_secs(5)));
    assert_eq!(connection.rest(), b"");
}
