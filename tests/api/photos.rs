//! Photos on the pages of visitors and firms (`docs/behaviour.md`, "A visitor's page").

mod bombs;
mod hostile;
pub mod pictures;

use std::io::Write;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::referral::{NAME, Referred, stop, submit};
use crate::harness::{Dir, Document, Request, Response, Server, Setup, record, run};
use hostile::{ROOM, measured};
use pictures::*;

const BOUNDARY: &str = "----taubenabwehr7d1b";

/// The body of a form with these files.
fn multipart(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file) in files {
        write!(
            body,
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .unwrap();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n");
    }
    write!(body, "--{BOUNDARY}--\r\n").unwrap();
    body
}

/// The upload that a browser sends from the page's form.
pub fn request(server: &Server, visitor: &str, files: &[(&str, &[u8])]) -> Request {
    let page = server.get(visitor);
    let page = Document::parse(page.text());
    let form = page
        .all("form")
        .find(|form| form.attribute("enctype") == Some("multipart/form-data"));
    let action = form.and_then(|form| form.attribute("action")).map(str::to_owned);
    let body = multipart(files);
    Request::new("POST", &action.unwrap_or_else(|| format!("{visitor}/fotos")))
        .header("Origin", &server.origin())
        .header("Sec-Fetch-Site", "same-origin")
        .header(
            "Content-Type",
            &format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .header("Content-Length", &body.len().to_string())
        .body(body)
}

fn upload(case: &Referred, files: &[(&str, &[u8])]) -> Response {
    case.server.send(&request(&case.server, &case.visitor, files))
}

fn photos(case: &Referred, page: &str) -> usize {
    case.page(page).matches("/klein\"").count()
}

fn refused(case: &Referred, files: &[(&str, &[u8])], status: u16, expected: &str) {
    let response = upload(case, files);
    let text = response.text();
    assert_eq!(response.status, status, "{expected}: {text}");
    let error = text.split_once("id=\"photos-error\">").unwrap().1;
    let error = error.split_once("</p>").unwrap().0;
    assert!(error.contains(expected), "{error}");
    assert!(text.contains("<title>Fehler:"), "{text}");
    assert_eq!(photos(case, &case.visitor), 0, "{expected}: something is kept");
}

#[test]
fn photos_are_made_smaller_and_upright_and_lose_what_they_say() {
    let case = Referred::to(&["nord"]);
    // Some cameras append data after the image, which must not be passed on.
    let turned = [&turned()[..], b"vivo{\"Geheim\":1}"].concat();
    let (transparent, webp) = (transparent(), webp());
    let response = upload(
        &case,
        &[
            ("IMG_geheim.jpg", &turned),
            ("b.png", &transparent),
            ("c.webp", &webp),
        ],
    );
    assert_eq!(response.status, 303, "{}", response.text());
    assert_eq!(
        response.expect("location"),
        format!("{}?fotos-gespeichert", case.visitor)
    );
    let page = case.visitors_page();
    assert!(!page.contains("geheim"), "the name of the file is kept: {page}");
    for (base, number) in [(&case.visitor, 1), (&case.firms[0], 1)] {
        let large = case.server.get(&format!("{base}/foto/{number}"));
        assert_eq!(large.status, 200);
        assert_eq!(large.expect("content-type"), "image/jpeg");
        assert_eq!(large.expect("cache-control"), "no-store");
        assert_eq!(large.expect("x-content-type-options"), "nosniff");
        let policy = large.expect("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(
            !large
                .body
                .windows(6)
                .any(|bytes| bytes == b"Geheim" || bytes == b"Exif\0\0")
        );
        // Rotated to the right: the former top is on the right.
        assert_eq!(decoded(&large.body).0, 480);
        assert!(is_colour(&large.body, (470, 320), [200, 30, 30]));
        assert!(is_colour(&large.body, (10, 320), [30, 30, 200]));
        let small = case.server.get(&format!("{base}/foto/{number}/klein"));
        assert_eq!((decoded(&small.body).0, decoded(&small.body).1), (240, 320));
    }
    let on_white = case.server.get(&format!("{}/foto/2", case.visitor)).body;
    assert!(is_colour(&on_white, (9, 9), [10, 10, 10]) && is_colour(&on_white, (9, 40), [255, 255, 255]));
    let (width, height, _) = decoded(&case.server.get(&format!("{}/foto/3", case.visitor)).body);
    assert_eq!((width, height), (1600, 80));
    for missing in ["/foto/4", "/foto/0", "/foto/1/gross", "/foto/x"] {
        assert_eq!(
            case.server.get(&format!("{}{missing}", case.visitor)).status,
            404,
            "{missing}"
        );
    }
}

#[test]
fn what_is_no_photo_is_refused_at_the_field_and_nothing_is_kept() {
    let case = Referred::to(&["nord"]);
    let good = small();
    let bomb = {
        let mut file = good.clone();
        let frame = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        file[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
        file
    };
    let large = {
        let mut file = good.clone();
        file.resize(12_000_001, 0);
        file
    };
    let unusual = {
        let mut file = good.clone();
        let frame = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        file[frame + 1] = 0xc9;
        file
    };
    let cut = &good[..good.len() / 2];
    refused(
        &case,
        &[("a.jpg", &good), ("b.gif", b"GIF89a\x01\0\x01\0")],
        400,
        "„b.gif“ ist kein Foto",
    );
    refused(
        &case,
        &[("a.jpg", &good), ("b.html", b"<script>alert(1)</script>")],
        400,
        "ist kein Foto",
    );
    refused(&case, &[("bombe.jpg", &bomb)], 400, "mehr als 50 Megapixel");
    refused(
        &case,
        &[("a.jpg", &good), ("halb.jpg", cut)],
        400,
        "„halb.jpg“ ist beschädigt",
    );
    refused(
        &case,
        &[("a.jpg", &good), ("arith.jpg", &unusual)],
        400,
        "„arith.jpg“ ist ein JPEG einer seltenen Art",
    );
    // A file name in Latin-1, as some old browsers send it.
    let mut latin = request(&case.server, &case.visitor, &[("M_ller.pdf", b"%PDF-1.7")]);
    let at = latin.body.windows(2).position(|pair| pair == b"M_").unwrap();
    latin.body[at + 1] = 0xfc;
    let response = case.server.send(&latin);
    assert_eq!(response.status, 400);
    assert!(response.text().contains("„M\u{fffd}ller.pdf“ ist kein Foto"));
    refused(
        &case,
        &[("\u{202e}gross.jpg", &large), ("a.jpg", &good)],
        413,
        "hat mehr als 12 MB",
    );
    refused(&case, &[], 400, "mindestens ein Foto");
    refused(&case, &[("", b"")], 400, "mindestens ein Foto");
    let six: Vec<(&str, &[u8])> = vec![("a.jpg", &good); 6];
    refused(&case, &six, 400, "höchstens 5");
    assert_eq!(upload(&case, &six[..5]).status, 303);
    assert_eq!(photos(&case, &case.visitor), 5);
    // Once the limit is reached, the page loads and allows no script.
    let full = case.server.get(&case.visitor);
    let policy = full.expect("content-security-policy");
    assert!(
        !full.text().contains("<script") && !policy.contains("script-src"),
        "{policy}"
    );
    let response = upload(&case, &six[..1]);
    assert_eq!(response.status, 400);
    assert!(response.text().contains("zu viele Fotos"));
}

#[test]
fn a_photo_is_removed_and_its_number_not_used_again() {
    let case = Referred::to(&["nord"]);
    let good = small();
    assert_eq!(upload(&case, &[("a", &good), ("b", &good)]).status, 303);
    let response = submit(&case.server, &format!("{}/foto/2", case.visitor), "");
    assert_eq!(response.status, 303);
    assert_eq!(case.server.get(&format!("{}/foto/2", case.visitor)).status, 404);
    assert_eq!(
        case.server.get(&format!("{}/foto/2/klein", case.firms[0])).status,
        404
    );
    assert_eq!(upload(&case, &[("c", &good)]).status, 303);
    assert_eq!(case.server.get(&format!("{}/foto/2", case.visitor)).status, 404);
    assert_eq!(case.server.get(&format!("{}/foto/3", case.visitor)).status, 200);
    // A firm cannot remove a photo.
    assert_eq!(
        submit(&case.server, &format!("{}/foto/3", case.firms[0]), "").status,
        405
    );
    assert_eq!(photos(&case, &case.visitor), 2);
}

#[test]
fn firms_see_photos_while_they_are_asked_and_once_they_have_accepted() {
    let case = Referred::to(&["nord", "sued", "west", "ost"]);
    let without = case.page(&case.firms[0]);
    assert!(
        !without.contains("photos.") && !without.contains("\"photo-row"),
        "{without}"
    );
    let good = small();
    assert_eq!(
        upload(&case, &[("a", &good), ("b", &good), ("c", &good)]).status,
        303
    );
    let photo = |firm: usize| {
        case.server
            .get(&format!("{}/foto/1/klein", case.firms[firm]))
            .status
    };
    for firm in 0..3 {
        assert_eq!(photos(&case, &case.firms[firm]), 3);
        assert_eq!(photo(firm), 200);
    }
    assert_eq!(photo(3), 404, "it is not asked");
    case.answer(0, "accept");
    case.answer(1, "decline");
    assert_eq!((photo(0), photo(1), photo(2)), (200, 404, 200));
    assert_eq!(photos(&case, &case.firms[1]), 0);
    assert_eq!(case.withdraw().status, 303);
    for firm in 0..3 {
        assert_eq!(photo(firm), 404);
        assert_eq!(photos(&case, &case.firms[firm]), 0);
    }
    assert_eq!(case.server.get(&format!("{}/foto/1", case.visitor)).status, 404);
    let response = upload(&case, &[("a", &good)]);
    assert_eq!(response.status, 303, "{}", response.text());
    assert!(!case.visitors_page().contains("/klein"));
}

#[test]
fn photos_outlive_a_kill_go_with_backups_and_copies_and_end_with_the_inquiry() {
    let case = Referred::to(&["nord"]);
    let good = small();
    assert_eq!(upload(&case, &[("a", &good), ("b", &good)]).status, 303);
    let before = case.server.get(&format!("{}/foto/2", case.visitor)).body;
    let (visitor, firm) = (case.visitor.clone(), case.firms[0].clone());
    let server = case.server.kill().start();
    assert_eq!(server.get(&format!("{visitor}/foto/2")).body, before);
    assert_eq!(server.get(&format!("{firm}/foto/2")).body, before);

    let setup = stop(server);
    let on = |store: &str, args: &[&str]| run(setup.dir.path(), &[args, &["--store", store]].concat());
    let store = setup.dir.store();
    let told = |store: &str| -> Value {
        let person: Value = on(store, &["person", "aenne@example.org"]).json();
        person[0]["photos"].clone()
    };
    let count = |store: &str| {
        let checked = on(store, &["check"]);
        let line = checked
            .success()
            .lines()
            .find(|line| line.starts_with("photos"))
            .unwrap();
        line.rsplit(' ').next().unwrap().to_owned()
    };
    assert_eq!(count(&store), "4", "two, in two sizes");
    let kept = told(&store);
    assert_eq!(kept.as_array().unwrap().len(), 2);
    assert!(
        kept[0]
            .as_str()
            .unwrap()
            .starts_with("data:image/jpeg;base64,/9j/")
    );

    let (restored, copied) = (Dir::new(), Dir::new());
    on(&store, &["backup", "--output", "the.backup"]).success();
    on(&restored.directory_url(), &["restore", "the.backup"]).success();
    let copy = ["copy", "--from", &store, "--to", &copied.directory_url()];
    run(setup.dir.path(), &copy).success();
    for other in [restored.directory_url(), copied.directory_url()] {
        assert_eq!(told(&other), kept);
    }
    on(&store, &["person", "aenne@example.org", "--erase", "--yes"]).success();
    assert_eq!(count(&store), "0");
    let server = setup.start();
    assert_eq!(server.get(&format!("{visitor}/foto/2")).status, 404);
    assert_eq!(server.get(&format!("{firm}/foto/2")).status, 404);
}

#[test]
fn only_the_own_page_sends_photos_and_an_upload_counts_like_an_inquiry() {
    let server = Setup::bare().args(&["--rate-limit", "4"]).start();
    let visitor = server.send(&post(&record(NAME))).expect("location").to_owned();
    let good = small();
    let own = request(&server, &visitor, &[("a", &good)]);
    let body = multipart(&[("a", &good)]);
    let foreign_site = Request::new("POST", &format!("{visitor}/fotos"))
        .header("Origin", "https://evil.example")
        .header(
            "Content-Type",
            &format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .header("Content-Length", &body.len().to_string())
        .body(body.clone());
    assert_eq!(server.send(&foreign_site).status, 403);
    let no_form = Request::new("POST", &format!("{visitor}/fotos"))
        .header("Content-Type", "text/plain")
        .header("Content-Length", &body.len().to_string())
        .body(body.clone());
    assert_eq!(server.send(&no_form).status, 415);
    let wrong = Request::new(
        "POST",
        "/anfrage/AaINQeI-cFuCqxZVC4ngal6Uw5cTUGvB-acAHKE22ko/fotos",
    )
    .header(
        "Content-Type",
        &format!("multipart/form-data; boundary={BOUNDARY}"),
    )
    .header("Content-Length", &body.len().to_string())
    .body(body);
    assert_eq!(server.send(&wrong).status, 404);
    let statuses: Vec<u16> = (0..4).map(|_| server.send(&own).status).collect();
    assert_eq!(statuses, [303, 303, 303, 429], "an inquiry and three uploads");
    assert_eq!(server.send(&post(&record(NAME))).status, 429);
    assert_eq!(server.get(&visitor).text().matches("/klein\"").count(), 3);
}

#[test]
fn the_worst_upload_takes_little_memory_and_a_slow_one_blocks_nobody() {
    let case = Referred::to(&["nord"]);
    let good = small();
    let plain = case.page(&case.visitor);
    assert!(plain.contains("multipart/form-data"));

    let gray = vec![90; 8000 * 6000 * 6];
    let deep = png(8000, 6000, png::ColorType::Rgb, png::BitDepth::Sixteen, &gray);
    // Half of an upload arrives at once, the rest in pieces until the others are done. Without any for a minute, it would be aborted.
    let slow = request(&case.server, &case.visitor, &[("langsam.jpg", &good)]);
    let mut connection = case.server.connect();
    let (done, is_done) = mpsc::channel::<()>();
    let slow = thread::spawn(move || {
        let bytes = slow.bytes("127.0.0.1");
        let (begun, rest) = bytes.split_at(bytes.len() / 2);
        connection.send_raw(begun).unwrap();
        for piece in rest.chunks(2) {
            let _ = is_done.recv_timeout(Duration::from_secs(1));
            connection.send_raw(piece).unwrap();
        }
        connection.receive("POST").status
    });

    for (name, file, statuses) in [
        ("12", COMMON.clone(), &[303][..]),
        ("48", LARGE.clone(), &[303]),
        ("progressive", camera(8000, 6000, true), &[303, 400]),
        ("sixteen", deep, &[303, 400]),
    ] {
        assert!(file.len() <= 12_000_000, "{name} has {} bytes", file.len());
        let (response, most) = measured(&case.server, || upload(&case, &[(name, &file)]));
        assert!(statuses.contains(&response.status), "{name}: {}", response.status);
        assert!(most < ROOM, "{name}: {most} KiB more");
        assert_eq!(case.server.get("/").status, 200);
    }
    drop(done);
    assert_eq!(slow.join().unwrap(), 303);
    assert!(photos(&case, &case.visitor) >= 3);
}
