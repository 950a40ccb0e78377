//! Calls of a webhook, with every kind of response.

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use taubenabwehr::config::{Secret, Webhook};
use taubenabwehr::outbox::sending::SendError;
use taubenabwehr::outbox::sending::SendErrorKind::{Permanent, Transient};
use taubenabwehr::outbox::webhook::{STEP_TIME, WebhookEndpoint};

use crate::sinks::WebhookSink;

/// A wait that expires soon, and one that outlasts every test.
const SHORT: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_mins(10);

const BODY: &str = r#"{"type":"inquiry.created"}"#;

fn webhook(url: &str) -> Webhook {
    Webhook {
        url: url.parse().unwrap(),
        key: Secret::new(vec![7; 24]),
    }
}

fn endpoint(sink: &WebhookSink, answer: Duration) -> WebhookEndpoint {
    let url = format!("http://{}/hook?key=1", sink.address);
    WebhookEndpoint::new(webhook(&url), answer)
}

async fn send(endpoint: &WebhookEndpoint) -> Result<(), SendError> {
    let now = "2026-11-08T12:00:00.5Z".parse::<Timestamp>().unwrap();
    let body = Bytes::from_static(BODY.as_bytes());
    endpoint.send("0199-2", now, body).await
}

#[tokio::test]
async fn a_call_says_who_and_what() {
    let sink = WebhookSink::start();
    send(&endpoint(&sink, LONG)).await.unwrap();
    let call = sink.calls().remove(0);
    assert_eq!(call.line, "POST /hook?key=1 HTTP/1.1");
    assert_eq!(call.body, BODY.as_bytes());
    for (name, expected) in [
        ("host", sink.address.to_string()),
        ("content-type", "application/json".to_owned()),
        ("webhook-id", "0199-2".to_owned()),
        ("webhook-timestamp", "1794139200".to_owned()),
    ] {
        assert_eq!(call.headers[name], expected, "{name}");
    }
    assert!(call.headers["webhook-signature"].starts_with("v1,"));
    assert!(call.headers["user-agent"].starts_with("taubenabwehr/"));
}

#[tokio::test]
async fn each_answer_has_its_meaning() {
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(100_000));
    for (answer, expected) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", None),
        ("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n", None),
        ("HTTP/1.1 204 No Content\r\n\r\n", None),
        // Only the status counts; the body is ignored.
        (endless.as_str(), None),
        ("HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nbroken", None),
        ("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n", Some(Permanent)),
        (
            "HTTP/1.1 301 Moved Permanently\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
            Some(Transient),
        ),
        (
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n",
            Some(Transient),
        ),
        (
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            Some(Transient),
        ),
        (
            "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
            Some(Transient),
        ),
        (
            "HTTP/1.1 500 anna@example.de\r\ncontent-length: 0\r\n\r\n",
            Some(Transient),
        ),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", Some(Transient)),
        ("220 mail.example.de ESMTP\r\n", Some(Transient)),
        ("HTTP/1.1 200", Some(Transient)),
    ] {
        let sink = WebhookSink::start();
        sink.answer(Some(answer));
        let wait = if answer.ends_with("\r\n\r\n") || expected.is_none() {
            LONG
        } else {
            SHORT
        };
        let sent = send(&endpoint(&sink, wait)).await;
        let found = sent.as_ref().err().map(|error| error.kind);
        assert_eq!(found, expected, "{answer:.60}: {sent:?}");
        if let Err(error) = sent {
            assert!(!error.to_string().contains("anna"), "{error}");
        }
        assert_eq!(sink.calls().len(), 1, "{answer:.60}");
    }
}

#[tokio::test]
async fn a_receiver_that_hangs_is_tried_again() {
    let sink = WebhookSink::start();
    sink.answer(None);
    let error = send(&endpoint(&sink, SHORT)).await.unwrap_err();
    assert_eq!(error.kind, Transient);
    assert!(error.to_string().contains("did not answer"), "{error}");
}

#[tokio::test]
async fn a_receiver_that_is_away_is_tried_again() {
    for url in [
        "http://127.0.0.1:1/",
        "https://127.0.0.1:1/",
        "https://crm.invalid/",
    ] {
        let endpoint = WebhookEndpoint::new(webhook(url), STEP_TIME);
        assert_eq!(send(&endpoint).await.unwrap_err().kind, Transient, "{url}");
    }
}

#[tokio::test]
async fn https_is_not_spoken_with_just_anyone() {
    let sink = WebhookSink::start();
    let url = format!("https://{}/", sink.address);
    let error = send(&WebhookEndpoint::new(webhook(&url), SHORT))
        .await
        .unwrap_err();
    assert_eq!(error.kind, Transient);
    assert!(sink.calls().is_empty());
}
