//! Uploads crafted to cost more than photos.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::bombs::{blank, huffman, png_with_profile};
use super::pictures::small;
use super::{BOUNDARY, request};
use crate::harness::inquiry::post;
use crate::harness::referral::Referred;
use crate::harness::{Request, Response, Server, Setup, record, until, until_true};
use crate::metrics::Watched;

/// The longest processing time of a file, on a busy machine.
const LONGEST: Duration = Duration::from_secs(80);

/// The most memory that one upload may use, in KiB.
pub const ROOM: u64 = 200_000_000 / 1024;

fn server() -> Server {
    Setup::bare().args(&["--rate-limit", "1000"]).start()
}

/// Stores an inquiry; returns the path of its visitor's page.
fn visitor(server: &Server) -> String {
    server
        .send(&post(&record("Krause")))
        .expect("location")
        .to_owned()
}

fn send_as(server: &Server, client: u8, request: &Request) -> Response {
    server.connect_as(client).send(request)
}

fn error(response: &Response) -> &str {
    let error = response.text().split_once("id=\"photos-error\">");
    error
        .unwrap_or_default()
        .1
        .split_once("</p>")
        .unwrap_or_default()
        .0
}

/// The running child processes of a server, with the peak memory of each in KiB.
fn children(server: &Server) -> HashMap<u32, u64> {
    let ids = std::fs::read_dir("/proc").unwrap();
    let ids = ids.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse::<u32>().ok());
    let parent = server.id().to_string();
    ids.filter_map(|id| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let value = |name| status.lines().find_map(|line| line.strip_prefix(name));
        let most = value("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok()?;
        (value("PPid:")?.trim() == parent).then_some((id, most))
    })
    .collect()
}

/// Runs `work`; returns the peak memory of the server and its child processes during it, in KiB above the memory before.
pub fn measured<T>(server: &Server, work: impl FnOnce() -> T) -> (T, u64) {
    let (before, is_over) = (server.memory("VmRSS:"), AtomicBool::new(false));
    thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = 0;
            while !is_over.load(Ordering::Relaxed) {
                let own = server.memory("VmRSS:").saturating_sub(before);
                most = most.max(own + children(server).values().sum::<u64>());
                thread::sleep(Duration::from_millis(2));
            }
            most
        });
        let done = work();
        is_over.store(true, Ordering::Relaxed);
        (done, watching.join().unwrap())
    })
}

#[test]
fn a_file_that_costs_more_than_a_picture_is_refused_and_keeps_nobody_from_uploading() {
    let server = server();
    let (own, other) = (visitor(&server), visitor(&server));
    let good = small();
    let others = request(&server, &other, &[("gut.jpg", &good)]);
    for (name, file) in [("huffman.webp", huffman()), ("profil.png", png_with_profile())] {
        let bomb = request(&server, &own, &[("gut.jpg", &good), (name, &file)]);
        let started = Instant::now();
        let (response, most) = measured(&server, || {
            thread::scope(|scope| {
                let bomb = scope.spawn(|| send_as(&server, 1, &bomb));
                until("another client's upload", || {
                    let response = send_as(&server, 2, &others);
                    // Retried, since a busy server responds like this.
                    (response.status != 503).then(|| assert_eq!(response.status, 303, "{name}"))
                });
                bomb.join().unwrap()
            })
        });
        let took = started.elapsed();
        println!("{name}: {} bytes, {most} KiB, {took:?}", file.len());
        assert_eq!(response.status, 400, "{name}: {}", response.text());
        let error = error(&response);
        assert!(
            error.contains(&format!("„{name}“ ist so gespeichert")),
            "{name}: {error}"
        );
        assert!(took < LONGEST, "{name}: {took:?}");
        assert!(most < ROOM, "{name}: {most} KiB");
        assert!(children(&server).is_empty(), "{name}: a process is left");
        assert_eq!(server.get("/healthz").status, 200);
    }
    assert!(!server.get(&own).text().contains("/klein\""), "something is kept");
    assert_eq!(server.get(&other).text().matches("/klein\"").count(), 2);
}

#[test]
fn the_servers_end_ends_the_work_on_a_photo() {
    let server = server();
    let visitor = visitor(&server);
    let mut connection = server.connect();
    let bomb = request(&server, &visitor, &[("profil.png", &png_with_profile())]);
    connection.send_raw(bomb.bytes("localhost")).unwrap();
    // Wait until the process has confined itself.
    let id = until("the process to work", || {
        let id = *children(&server).keys().next()?;
        let limits = std::fs::read_to_string(format!("/proc/{id}/limits")).ok()?;
        let files = limits.lines().find(|line| line.starts_with("Max open files"))?;
        (files.split_whitespace().nth(3) == Some("0")).then_some(id)
    });
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    assert!(status.contains("NoNewPrivs:\t1\n"), "{status}");
    let killed = Instant::now();
    server.kill();
    let status = format!("/proc/{id}/status");
    until_true("the process to end", || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        !status.contains("VmRSS:")
    });
    assert!(
        killed.elapsed() < Duration::from_secs(5),
        "{:?}",
        killed.elapsed()
    );
}

#[test]
fn a_form_that_never_says_what_it_has_is_not_kept() {
    let server = server();
    let visitor = visitor(&server);
    let sent = |body: Vec<u8>| {
        let mut upload = request(&server, &visitor, &[]).body(body);
        upload.headers.retain(|(name, _)| name != "Content-Length");
        upload
    };
    let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"");
    let part = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n");
    for (what, body) in [
        ("a preamble", vec![b'x'; 30_000_000]),
        ("a head", [head.as_bytes(), &vec![b'x'; 30_000_000]].concat()),
        ("parts", part.repeat(100_000).into_bytes()),
    ] {
        let (response, most) = measured(&server, || server.send(&sent(body)));
        assert_eq!(response.status, 400, "{what}");
        assert!(
            error(&response).contains("unvollständig"),
            "{what}: {}",
            error(&response)
        );
        assert!(most < 8 << 10, "{what}: {most} KiB");
    }
}

/// The longest wait of a visitor for the response to an upload, whatever others do.
const PATIENCE: Duration = Duration::from_secs(8);

#[test]
fn a_visitor_is_answered_while_twenty_networks_want_the_decoder() {
    const ATTACKERS: u8 = 20;
    let server = server();
    let (own, other) = (visitor(&server), visitor(&server));
    let good = small();
    let mut ballast = good.clone();
    ballast.resize(3_000_000, 0);
    let bombs = [("weiss.png", blank()), ("ballast.jpg", ballast)]
        .map(|(name, file)| request(&server, &own, &[(name, &file)]).bytes("localhost"));
    let upload = request(&server, &other, &[("a.jpg", &good)]);
    let attacked = AtomicBool::new(true);
    thread::scope(|scope| {
        let attacked = &attacked;
        let connect = |client| {
            (
                server.connect_as(client),
                &bombs[usize::from(client) % bombs.len()],
            )
        };
        let mut attackers: Vec<_> = (1..=ATTACKERS).map(connect).collect();
        for (connection, bomb) in &mut attackers {
            connection.send_raw(bomb).unwrap();
        }
        for (mut connection, bomb) in attackers {
            scope.spawn(move || {
                while attacked.load(Ordering::Relaxed) && connection.try_receive("POST").is_ok() {
                    let _ = connection.send_raw(bomb);
                }
            });
        }
        until("the decoder to work", || children(&server).keys().next().copied());
        for client in [101, 101, 102] {
            let sent = Instant::now();
            let status = send_as(&server, client, &upload).status;
            assert_eq!(status, 303, "{:?}", sent.elapsed());
            assert!(sent.elapsed() < PATIENCE, "{:?}", sent.elapsed());
        }
        attacked.store(false, Ordering::Relaxed);
        server.kill();
    });
}

#[test]
fn uploads_that_hold_memory_for_long_make_room() {
    let watched = Watched::start(Setup::bare().args(&["--rate-limit", "1000"]));
    let server = &watched.server;
    let (own, other) = (visitor(server), visitor(server));
    let mut file = small();
    file.resize(11_999_000, 0);
    let greedy = request(server, &own, &[("a.jpg", &file)]).bytes("localhost");
    let (most, rest) = greedy.split_at(greedy.len() - 1000);
    let mut dripping: Vec<_> = (1..=4).map(|client| server.connect_as(client)).collect();
    for connection in &mut dripping {
        connection.send_raw(most).unwrap();
    }
    let sent = Instant::now();
    let photo = request(server, &other, &[("b.jpg", &file[..3_500_000])]);
    assert_eq!(send_as(server, 5, &photo).status, 303);
    assert!(sent.elapsed() < PATIENCE, "{:?}", sent.elapsed());
    let mut statuses: Vec<_> = dripping
        .iter_mut()
        .map(|connection| {
            connection.send_raw(rest).unwrap();
            connection.receive("POST").status
        })
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 303, 303, 503]);
    assert_eq!(
        (watched.refusals("busy"), watched.refusals("store_unavailable")),
        (1, 0)
    );
}

#[test]
fn a_third_upload_at_once_waits_for_its_turn() {
    let server = server();
    let visitor = visitor(&server);
    let good = small();
    let upload = request(&server, &visitor, &[("a.jpg", &good)]);
    let bytes = upload.bytes("localhost");
    let (most, rest) = bytes.split_at(bytes.len() - 10);
    let mut slow: Vec<_> = (0..2).map(|_| server.connect()).collect();
    for connection in &mut slow {
        connection.send_raw(most).unwrap();
    }
    thread::scope(|scope| {
        let third = scope.spawn(|| server.send(&upload).status);
        // The third upload may still be waiting, or may have arrived before one of the others.
        assert_eq!(server.get("/healthz").status, 200);
        for connection in &mut slow {
            connection.send_raw(rest).unwrap();
            assert_eq!(connection.receive("POST").status, 303);
        }
        assert_eq!(third.join().unwrap(), 303);
    });
}

#[test]
fn an_empty_file_is_an_error_and_an_empty_field_is_none() {
    let case = Referred::to(&["nord"]);
    let good = small();
    super::refused(
        &case,
        &[("a.jpg", &good), ("leer.jpg", b"")],
        400,
        "„leer.jpg“ ist beschädigt oder unvollständig",
    );
    assert_eq!(super::upload(&case, &[("", b""), ("a.jpg", &good)]).status, 303);
    assert_eq!(super::photos(&case, &case.visitor), 1);
}

#[test]
fn a_network_sends_so_many_photos_a_day() {
    let server = server();
    let good = small();
    let files: Vec<(&str, &[u8])> = vec![("a.jpg", &good); 5];
    let send = |client| {
        let visitor = visitor(&server);
        let response = send_as(&server, client, &request(&server, &visitor, &files));
        (response, visitor)
    };
    for _ in 0..60 {
        assert_eq!(send(1).0.status, 303);
    }
    let (response, visitor) = send(1);
    assert_eq!(response.status, 429, "{}", response.text());
    assert!(error(&response).contains("heute schon sehr viele Fotos"));
    assert!(!server.get(&visitor).text().contains("/klein\""));
    assert_eq!(send(2).0.status, 303);
}
