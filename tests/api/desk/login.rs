//! Logging in and out.

use mail_parser::MessageParser;

use super::{AtDesk, FLAG, address, cookie, form, get, link, post, setup};
use crate::full_disk::{leave_no_room, make_room};
use crate::harness::http::once;
use crate::harness::referral::config;
use crate::harness::tls::install;
use crate::harness::{Request, Server, Setup, leave_out_on_postgres, run, until_true};
use crate::sinks::{Certificate, Security, SmtpSink};

#[test]
fn there_is_none_unless_it_is_asked_for() {
    let server = Server::start();
    server.logged("listening ");
    assert!(!server.stdout().contains("desk"), "{}", server.stdout());
    for path in [
        "/posteingang",
        "/anmelden/x",
        "/betriebe",
        "/abrechnung",
        "/bericht",
        "/zustand",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let refused = run(server.dir().path(), &["desk"]);
    refused.fails_with("--desk-listen");
}

#[test]
fn it_is_on_no_public_listener() {
    let desk = AtDesk::with(&["nord"]);
    assert_ne!(desk.address, desk.server.address);
    for path in [
        "/posteingang",
        "/betriebe",
        "/abrechnung",
        "/bericht",
        "/zustand",
        &link(desk.server.dir()),
    ] {
        let public = super::get(desk.server.address, path, &desk.cookie);
        assert_eq!(public.status, 404, "{path}");
        assert_eq!(desk.server.get(path).status, 404, "{path}");
    }
    // The listener of the desk does not serve the site either.
    for path in ["/fragebogen", "/blog", "/rest/v1/inquiries", "/metrics"] {
        assert_eq!(desk.get(path).status, 404, "{path}");
    }
    assert_eq!(desk.get("/").expect("location"), "/posteingang");
}

#[test]
fn on_a_full_disk_nobody_logs_in_and_the_code_lasts() {
    let desk = AtDesk::with(&["nord"]);
    let link = link(desk.server.dir());
    leave_no_room(&desk.server);
    let refused = post(desk.address, &link, "", "");
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(refused.text().contains("Platte voll"), "{}", refused.text());
    until_true("the store to be read again", || {
        desk.get("/posteingang").status == 200
    });
    make_room(&desk.server);
    until_true("the code to let somebody in", || {
        post(desk.address, &link, "", "").status == 303
    });
}

#[test]
fn a_code_works_once_and_only_by_the_button() {
    let server = setup("").start();
    let (address, link) = (address(&server), link(server.dir()));
    for _ in 0..2 {
        let page = get(address, &link, "");
        assert_eq!(page.status, 200);
        assert!(page.text().contains("<button") && page.text().contains("Anmelden"));
        assert_eq!(page.header("set-cookie"), None, "a GET changes nothing");
    }
    let begun = post(address, &link, "", "");
    assert_eq!((begun.status, begun.expect("location")), (303, "/posteingang"));
    let set = begun.expect("set-cookie");
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=43200"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Secure"), "this machine alone: {set}");
    assert_eq!(get(address, "/posteingang", &cookie(&begun)).status, 200);
    let again = post(address, &link, "", "");
    assert_eq!((again.status, again.header("set-cookie")), (404, None));
    for other in ["", "taubenabwehr-desk=", "taubenabwehr-desk=x", "other=1"] {
        assert_eq!(get(address, "/posteingang", other).status, 403, "{other}");
    }
}

#[test]
fn a_device_stays_logged_in_if_that_is_ticked() {
    let server = setup("").start();
    let (address, link) = (address(&server), link(server.dir()));
    let page = get(address, &link, "");
    assert!(page.text().contains("Auf diesem Gerät angemeldet bleiben"));
    let begun = post(address, &link, "stay=ja", "");
    assert!(begun.expect("set-cookie").contains("; Max-Age=2592000"));
    assert_eq!(get(address, "/posteingang", &cookie(&begun)).status, 200);
}

#[test]
fn a_login_link_is_mailed_three_times_in_an_hour() {
    let sink = SmtpSink::start(Security::Clear);
    let toml = config(&["nord"]).replace("127.0.0.1:1", &sink.address.to_string());
    let server = setup(&format!(
        "{toml}[notify]\nmail = ['a@example.de', 'b@example.de']\n"
    ))
    .start();
    let address = address(&server);
    let logged_out = get(address, "/posteingang", "");
    assert!(logged_out.text().contains("Anmeldelink zusenden"));
    let said: Vec<_> = (0..5)
        .map(|_| {
            let asked = post(address, "/anmeldelink", "", "");
            assert_eq!((asked.status, asked.expect("location")), (303, "/anmeldelink"));
            get(address, "/anmeldelink", "").text().to_owned()
        })
        .collect();
    assert!(said[0].contains("Sehen Sie in Ihr Postfach"), "{}", said[0]);
    assert!(said.iter().all(|page| *page == said[0]));
    let mut foreign = form(address, "/anmeldelink", "", "");
    foreign.headers.retain(|(name, _)| name != "Origin");
    let foreign = foreign.header("Origin", "https://evil.example");
    assert_eq!(once(address, &foreign).status, 403);
    for mail in sink.wait_for(3 * 2) {
        let message = MessageParser::new().parse(&mail.content).unwrap();
        let text = message.body_text(0).unwrap();
        let (_, code) = text.split_once(&format!("http://{address}/anmelden/")).unwrap();
        let link = format!("/anmelden/{}", code.split_whitespace().next().unwrap());
        assert_eq!(post(address, &link, "", "").status, 303, "{text}");
        assert_eq!(post(address, &link, "", "").status, 404, "once");
    }
    assert_eq!(sink.mails().len(), 3 * 2);

    let quiet = setup("").start();
    let address = super::address(&quiet);
    assert!(!get(address, "/", "").text().contains("Anmeldelink zusenden"));
    assert_eq!(post(address, "/anmeldelink", "", "").status, 404);
}

/// Browsers withhold the cookie when a link on another site leads here.
#[test]
fn a_link_in_a_webmail_opens_the_page() {
    let desk = AtDesk::with(&["nord"]);
    let refresh = |site: &str, path: &str, cookie: &str| {
        let request = Request::get(path).header("Sec-Fetch-Site", site);
        let request = request.header("Sec-Fetch-Mode", "navigate");
        let request = request.header("Sec-Fetch-Dest", "document");
        let shown = once(desk.address, &request.header("Cookie", cookie));
        shown.header("refresh").map(str::to_owned)
    };
    let inbox = "/posteingang?state=suspected";
    let again = Some(format!("0;url={inbox}"));
    assert_eq!(refresh("cross-site", inbox, ""), again);
    assert_eq!(refresh("same-origin", inbox, ""), None, "once");
    assert_eq!(refresh("cross-site", inbox, &desk.cookie), None);
    for other in ["/zustand", "/\\evil.example", "//evil.example", "/a;b"] {
        assert_eq!(refresh("cross-site", other, ""), None, "{other}");
    }
}

#[test]
fn a_session_outlives_a_restart_and_ends_when_it_is_said() {
    let mut desk = AtDesk::with(&["nord"]);
    let server = desk.server.restart();
    desk = AtDesk {
        address: address(&server),
        server,
        cookie: desk.cookie,
    };
    assert_eq!(desk.get("/posteingang").status, 200);

    let other = AtDesk {
        cookie: cookie(&post(desk.address, &link(desk.server.dir()), "", "")),
        address: desk.address,
        server: Server::start(),
    };
    let out = other.post("/abmelden", "");
    assert_eq!(out.status, 303);
    let cleared = out.headers.iter().filter(|(name, _)| name == "set-cookie");
    assert!(cleared.clone().count() == 2 && cleared.into_iter().all(|(_, set)| set.contains("Max-Age=0")));
    assert_eq!(
        other.get("/posteingang").status,
        403,
        "the cookie is worth nothing now"
    );
    assert_eq!(desk.get("/posteingang").status, 200, "the other one goes on");

    let unused = link(desk.server.dir());
    let ended = run(desk.server.dir().path(), &["desk", "--end"]);
    assert_eq!(ended.success(), "1 session of the desk ended\n");
    assert_eq!(desk.get("/posteingang").status, 403);
    assert_eq!(post(desk.address, &unused, "", "").status, 404, "codes end, too");
}

#[test]
fn beyond_this_machine_it_needs_a_certificate() {
    let setup = Setup::new().args(&["--desk-listen", "0.0.0.0:0"]);
    let refused = setup.fail();
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    for part in ["--desk-listen 0.0.0.0:0", "--tls-cert", "127.0.0.1"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    let demo = Setup::new().args(&FLAG).args(&["--demo"]).fail();
    assert_eq!(demo.code, Some(2), "{}", demo.stderr);
}

#[test]
fn over_tls_the_cookie_is_secure() {
    let certificate = Certificate::of(&["localhost"]);
    let setup = Setup::new();
    let files = install(&setup.dir, &certificate);
    let server = setup.args(&files).args(&["--desk-listen", "0.0.0.0:0"]).start();
    let port = address(&server).port();
    assert_has!(server.stdout(), "desk on https://");
    server.logged("serving the desk");
    assert!(
        !server.stderr().contains("certificate is not used"),
        "{}",
        server.stderr()
    );
    let client = crate::harness::tls::TlsClient::new(([127, 0, 0, 1], port).into(), &certificate);
    let origin = client.origin();
    let link = link(server.dir());
    let request = super::form(client.address, &link, "", "").header("x-test", "1");
    let request = crate::harness::Request {
        headers: request
            .headers
            .into_iter()
            .map(|(name, value)| {
                if name == "Origin" {
                    (name, origin.clone())
                } else {
                    (name, value)
                }
            })
            .collect(),
        ..request
    };
    let begun = client.send(&request);
    assert_eq!(begun.status, 303, "{}", begun.text());
    let set = begun.expect("set-cookie");
    assert!(set.starts_with("__Host-") && set.contains("; Secure"), "{set}");
    let asked = |cookies: &str| {
        let page = crate::harness::Request::get("/posteingang").header("Cookie", cookies);
        client.send(&page).status
    };
    let cookie = cookie(&begun);
    assert_eq!(asked(&cookie), 200);
    // A cookie set over plain HTTP can neither log in nor log out.
    let (_, session) = cookie.split_once('=').unwrap();
    assert_eq!(asked(&format!("taubenabwehr-desk={session}")), 403);
    assert_eq!(asked(&format!("taubenabwehr-desk=x; {cookie}")), 200);
}

#[test]
fn the_command_works_where_no_server_runs() {
    let setup = setup("");
    let stopped = crate::harness::referral::stop(setup.start());
    let args = ["desk", "--desk-url", "https://desk.example.de", "--json"];
    let printed: serde_json::Value = serde_json::from_str(run(stopped.dir.path(), &args).success()).unwrap();
    let url = printed["url"].as_str().unwrap();
    assert!(url.starts_with("https://desk.example.de/anmelden/"), "{url}");
    let server = stopped.start();
    let code = url.strip_prefix("https://desk.example.de").unwrap();
    until_true("it works at the next server", || {
        post(address(&server), code, "", "").status == 303
    });
}

#[test]
fn where_a_desk_was_that_is_no_more_is_forgotten() {
    leave_out_on_postgres!("a file has one server alone");
    let server = crate::harness::referral::setup("desk_listen = '127.0.0.1:0'\n").start();
    link(server.dir());
    let stopped = crate::harness::referral::stop(server);
    stopped.dir.write("config.toml", "");
    let server = stopped.start();
    let refused = run(server.dir().path(), &["desk"]);
    refused.fails_with("--desk-listen");
}
