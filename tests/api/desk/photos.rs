//! Photos of an inquiry are visible only to a logged-in operator.

use super::AtDesk;
use crate::harness::inquiry::post;
use crate::harness::record;
use crate::photos::pictures::{decoded, small};
use crate::photos::request;

#[test]
fn photos_are_seen_at_the_desk_alone() {
    let desk = AtDesk::with(&["nord"]);
    let (stored, visitor) = desk.server.inquire(&post(&record("Kranichfeld")));
    let id = stored["id"].as_str().unwrap().to_owned();
    let (page, photo) = (format!("/anfragen/{id}"), format!("/anfragen/{id}/foto/1"));
    assert!(!desk.page(&page).contains("/foto/"));
    assert_eq!(desk.get(&photo).status, 404);
    let picture = small();
    let files: [(&str, &[u8]); 2] = [("a.jpg", &picture), ("b.jpg", &picture)];
    let added = desk.server.send(&request(&desk.server, &visitor, &files));
    assert_eq!(added.status, 303, "{}", added.text());

    let shown = desk.page(&page);
    assert_has!(shown, &format!("src=\"{photo}\""));
    assert_has!(shown, "Foto 2 groß ansehen");
    assert_eq!(
        desk.json(&["inquiries", "show", &id])["photo_numbers"],
        serde_json::json!([1, 2])
    );
    let answer = desk.get(&photo);
    assert_eq!(
        (answer.status, answer.expect("content-type")),
        (200, "image/jpeg")
    );
    assert_eq!(answer.expect("cache-control"), "no-store");
    assert_eq!(answer.expect("x-content-type-options"), "nosniff");
    assert_has!(answer.expect("content-security-policy"), "default-src 'none'");
    assert!(decoded(&answer.body).0 > 0);
    // There is no photo without a session, on the public listener, or under another number.
    assert_eq!(super::get(desk.address, &photo, "").status, 403);
    assert_eq!(desk.server.get(&photo).status, 404);
    for wrong in ["3", "0", "x", "-1", "1/klein"] {
        assert_eq!(desk.get(&format!("{page}/foto/{wrong}")).status, 404, "{wrong}");
    }
}
