//! Unsupported methods get 405 and reveal nothing about an inquiry (`docs/behaviour.md`, "HTTP").

use crate::harness::inquiry::{INQUIRIES, post};
use crate::harness::{Request, Server, record};
use crate::refusing::message;

#[test]
fn inquiries_accept_only_post() {
    let server = Server::start();
    let id = server.store_id(&record("Krause"));
    for method in ["GET", "PATCH", "DELETE", "PUT", "OPTIONS", "TRACE", "PURGE"] {
        for target in [
            INQUIRIES.to_owned(),
            format!("{INQUIRIES}?id=eq.{id}"),
            format!("{INQUIRIES}?select=*"),
        ] {
            let response = server.send(&Request::new(method, &target).header("apikey", "anon"));
            message(&response, 405);
            assert_eq!(response.expect("allow"), "POST", "{method} {target}");
            assert!(!response.text().contains("Krause"));
        }
    }
    let head = server.send(&Request::new("HEAD", INQUIRIES));
    assert_eq!((head.status, head.expect("allow")), (405, "POST"));
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn no_other_api_paths_exist() {
    let server = Server::start();
    let id = server.store_id(&record("Krause"));
    for target in [
        "/rest/v1/".to_owned(),
        "/rest/v1/other".to_owned(),
        format!("{INQUIRIES}/{id}"),
        format!("{INQUIRIES}/"),
        "/rest/v1/rpc/export".to_owned(),
        "/rest/v2/inquiries".to_owned(),
        "//rest/v1/inquiries".to_owned(),
        "/REST/V1/INQUIRIES".to_owned(),
        "/rest/v1/%69nquiries".to_owned(),
        "/rest/v1/inquiries.csv".to_owned(),
        "/export".to_owned(),
        "/inquiries".to_owned(),
    ] {
        for method in ["GET", "DELETE", "PATCH"] {
            let response = server.send(&Request::new(method, &target));
            assert!(
                matches!(response.status, 301 | 404 | 405),
                "{method} {target}: {}",
                response.status
            );
            assert!(!response.text().contains("Krause"), "{method} {target}");
        }
    }
    let mut request = post(&record("Anders"));
    request.target = "/rest/v1/other".to_owned();
    message(&server.send(&request), 404);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn pages_accept_only_get_and_head() {
    let server = Server::start();
    for target in [
        "/",
        "/faq",
        "/favicon.svg",
        "/gibt-es-nicht",
        "/healthz",
        "/sitemap.xml",
    ] {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let response = server.send(&Request::new(method, target));
            message(&response, 405);
            let allow: Vec<&str> = response.expect("allow").split(',').map(str::trim).collect();
            assert_eq!(allow, ["GET", "HEAD"], "{method} {target}");
        }
    }
}

#[test]
fn the_health_endpoint_is_public() {
    let server = Server::start();
    let response = server.get("/healthz");
    assert_eq!(response.status, 200);
    assert_eq!(response.expect("cache-control"), "no-store");
    assert_eq!(server.send(&Request::new("HEAD", "/healthz")).status, 200);
}
