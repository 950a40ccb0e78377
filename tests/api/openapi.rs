//! `/openapi.json` matches the server: everything listed exists, what it allows is accepted, and what it forbids is refused.

use regex::Regex;
use serde_json::Value;

use crate::harness::inquiry::with;
use crate::harness::{Request, Server};
use crate::refusing::message;

const PATH: &str = "/openapi.json";

fn description(server: &Server) -> Value {
    let response = server.get(PATH);
    assert_eq!(response.status, 200);
    response.json()
}

/// The schema of an inquiry's field.
fn field<'a>(description: &'a Value, name: &str) -> &'a Value {
    let field = &description["components"]["schemas"]["Inquiry"]["properties"][name];
    assert_eq!(field["type"], "string", "{name}");
    field
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

#[test]
fn the_description_is_served_like_a_page() {
    let server = Server::with(&["--public-url", "https://www.tauben.example/"]);
    let response = server.send(&Request::get(PATH).header("Accept-Encoding", "br"));
    assert_eq!(response.status, 200);
    for (name, value) in [
        ("content-type", "application/json; charset=utf-8"),
        ("content-encoding", "br"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.expect(name), value);
    }
    assert!(
        response
            .expect("content-security-policy")
            .starts_with("default-src 'none'")
    );
    let current = Request::get(PATH)
        .header("Accept-Encoding", "br")
        .header("If-None-Match", response.expect("etag"));
    assert_eq!(server.send(&current).status, 304);
    let description = description(&server);
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["servers"][0]["url"], "https://www.tauben.example");
    assert!(!description.to_string().contains("127.0.0.1"));
    assert!(!server.get("/sitemap.xml").text().contains("openapi"));
}

#[test]
fn every_reference_resolves() {
    fn check(value: &Value, whole: &Value) -> usize {
        let own = value.get("$ref").map_or(0, |target| {
            let pointer = target.as_str().unwrap().strip_prefix('#').unwrap();
            assert!(whole.pointer(pointer).is_some(), "{target}");
            1
        });
        let inner: usize = match value {
            Value::Object(map) => map.values().map(|value| check(value, whole)).sum(),
            Value::Array(list) => list.iter().map(|value| check(value, whole)).sum(),
            _ => 0,
        };
        own + inner
    }
    let description = description(&Server::start());
    assert!(check(&description, &description) > 10);
}

#[test]
fn paths_and_methods_match_the_description() {
    let server = Server::start();
    let description = description(&server);
    for (template, item) in description["paths"].as_object().unwrap() {
        let mut path = template.clone();
        for parameter in item["parameters"].as_array().into_iter().flatten() {
            let name = format!("{{{}}}", parameter["name"].as_str().unwrap());
            path = path.replace(&name, parameter["examples"]["one"]["value"].as_str().unwrap());
        }
        let mut allowed = Vec::new();
        for method in [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
        ] {
            let Some(operation) = item.get(method.to_lowercase()) else {
                continue;
            };
            allowed.push(method);
            if method == "POST" {
                continue;
            }
            let response = server.send(&Request::new(method, &path));
            assert_eq!(response.status, 200, "{method} {path}");
            let success = &operation["responses"]["200"];
            for header in success["headers"]
                .as_object()
                .into_iter()
                .flat_map(|headers| headers.keys())
            {
                response.expect(header);
            }
            match success["content"].as_object() {
                Some(content) => {
                    let media_type = response.expect("content-type").split(';').next().unwrap();
                    assert!(content.contains_key(media_type), "{path}: {media_type}");
                }
                None => assert_eq!(method, "HEAD", "{path}"),
            }
        }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            if !allowed.contains(&method) {
                let response = server.send(&Request::new(method, &path));
                message(&response, 405);
                let allow: Vec<&str> = response.expect("allow").split(", ").collect();
                assert_eq!(allow, allowed, "{method} {path}");
            }
        }
    }
}

#[test]
fn options_are_accepted_but_not_twice() {
    let server = Server::start();
    let description = description(&server);
    for kind in texts(&field(&description, "property_type")["enum"]) {
        assert_eq!(server.post(&with("property_type", kind)).status, 201, "{kind}");
    }
    for name in ["types_of_problems", "problem_locations"] {
        let schema = field(&description, name);
        let pattern = Regex::new(schema["pattern"].as_str().unwrap()).unwrap();
        let twice = Regex::new(schema["not"]["pattern"].as_str().unwrap()).unwrap();
        let all = schema["examples"][0].as_str().unwrap();
        let lists = all
            .split(',')
            .map(str::to_owned)
            .chain([all.to_owned(), String::new()]);
        for list in lists.collect::<Vec<_>>() {
            assert!(pattern.is_match(&list) && !twice.is_match(&list), "{list}");
            assert_eq!(server.post(&with(name, list.as_str())).status, 201, "{list}");
            let wrong = format!("{list},{list}");
            assert!(!pattern.is_match(&wrong) || twice.is_match(&wrong), "{wrong}");
            message(&server.post(&with(name, wrong)), 400);
        }
    }
}

/// Lengths that a pattern cannot express: the bytes before the `@` of an address, and the letters of a label after it.
fn has_short_parts(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else {
        return true;
    };
    name.len() <= 64
        && host
            .split('.')
            .all(|label| !label.is_ascii() || label.len() <= 63)
}

/// Whether a character is trimmed from numbers and addresses.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[test]
fn patterns_agree_with_the_server() {
    let cases: Value = serde_json::from_str(include_str!("../cases/validation.json")).unwrap();
    let description = description(&Server::start());
    for (kind, name) in [
        ("postal_code", "postal_code"),
        ("phone", "phone_number"),
        ("email", "email_address"),
        ("name", "last_name"),
    ] {
        let schema = field(&description, name);
        let pattern = Regex::new(schema["pattern"].as_str().unwrap()).unwrap();
        let limit = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
        for case in cases[kind].as_array().unwrap() {
            let Some(input) = case["input"].as_str() else {
                continue;
            };
            let text = input.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            let text = match kind {
                "phone" | "email" => text.trim_matches(is_unseen),
                _ => text,
            };
            let fits =
                pattern.is_match(text) && text.chars().count() as u64 <= limit && has_short_parts(text);
            assert_eq!(fits, case["valid"] == true, "{case}");
        }
    }
}
