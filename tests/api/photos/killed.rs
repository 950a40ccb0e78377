//! Photos as cameras make them, on a server that is killed while they come, and between what the visitor and the firm do.

use std::thread;
use std::time::{Duration, Instant};

use super::pictures::{COMMON, LARGE, decoded, small};
use super::{photo_numbers, request};
use crate::harness::referral::{Referred, stop, submit};
use crate::harness::rng::Rng;
use crate::harness::{Request, Server, run};

/// Deaths during an upload: some seconds.
const DEATHS: usize = 4;

/// What the visitor's page shows, and which numbers were ever seen there.
struct Kept {
    visitor: String,
    shown: Vec<u16>,
    highest: u16,
}

impl Kept {
    /// Notes what came after an upload of two photos: both or none, and with numbers that were never used.
    fn after_upload(&mut self, server: &Server, is_acknowledged: bool) {
        let shown = photo_numbers(server.get(&self.visitor).text());
        let new = shown
            .strip_prefix(&self.shown[..])
            .expect("those from before are there");
        assert!(
            new.len() == 2 || (new.is_empty() && !is_acknowledged),
            "{is_acknowledged}: {shown:?} after {:?}",
            self.shown
        );
        assert!(
            new.iter().all(|number| *number > self.highest),
            "{shown:?} after {}",
            self.highest
        );
        self.highest = new.last().copied().unwrap_or(self.highest);
        self.shown = shown;
    }

    /// Takes away all photos but the first, and kills the server. They stay away.
    fn make_room(&mut self, server: Server) -> Server {
        let removed = self.shown.split_off(self.shown.len().min(1));
        let paths = removed
            .iter()
            .map(|number| format!("{}/foto/{number}", self.visitor));
        for path in paths.clone() {
            assert_eq!(submit(&server, &path, "").status, 303);
        }
        let server = server.kill().start();
        for path in paths {
            assert_eq!(server.get(&path).status, 404);
        }
        assert_eq!(photo_numbers(server.get(&self.visitor).text()), self.shown);
        server
    }
}

/// Sends a request from another thread and kills the server meanwhile; returns it anew, and whether 303 was answered.
fn killed_during(server: Server, request: &Request, after: Duration) -> (Server, bool) {
    let mut connection = server.connect();
    let (setup, is_acknowledged) = thread::scope(|scope| {
        let sending = scope.spawn(move || {
            connection.send_raw(request.bytes("localhost")).ok()?;
            let response = connection.try_receive("POST").ok()?;
            assert_eq!(response.status, 303, "{}", response.text());
            Some(())
        });
        // Not a condition that could be awaited: any moment is to be hit.
        thread::sleep(after);
        let setup = server.kill();
        (setup, sending.join().unwrap().is_some())
    });
    (setup.start(), is_acknowledged)
}

#[test]
fn photos_of_12_and_48_megapixels_are_kept_all_or_none_through_kill_9() {
    let case = Referred::to(&["nord"]);
    let files: [(&str, &[u8]); 2] = [("12.jpg", &COMMON), ("48.jpg", &LARGE)];
    let small = small();
    let quick: [(&str, &[u8]); 2] = [("12.jpg", &COMMON), ("klein.jpg", &small)];
    let Referred {
        server,
        visitor,
        firms,
    } = case;
    let mut rng = Rng::from_env();
    let mut kept = Kept {
        visitor: visitor.clone(),
        shown: Vec::new(),
        highest: 0,
    };

    // While half of it has come.
    let upload = request(&server, &visitor, &files);
    let bytes = upload.bytes("localhost");
    let mut connection = server.connect();
    connection.send_raw(&bytes[..bytes.len() / 2]).unwrap();
    let server = server.kill().start();
    kept.after_upload(&server, false);

    // Right after the answer.
    assert_eq!(server.send(&request(&server, &visitor, &files)).status, 303);
    let mut server = server.kill().start();
    kept.after_upload(&server, true);

    // At any moment of an upload that takes less time.
    let upload = request(&server, &visitor, &quick);
    let started = Instant::now();
    assert_eq!(server.send(&upload).status, 303);
    let whole = started.elapsed();
    kept.after_upload(&server, true);
    for _ in 0..DEATHS {
        server = kept.make_room(server);
        let upload = request(&server, &visitor, &quick);
        let (next, is_acknowledged) = killed_during(server, &upload, rng.duration_below(whole));
        server = next;
        kept.after_upload(&server, is_acknowledged);
    }
    server = kept.make_room(server);
    assert_eq!(server.send(&request(&server, &visitor, &files)).status, 303);
    kept.after_upload(&server, true);

    // The firm sees them before it answers and once it has accepted, each whole.
    for _ in 0..2 {
        server = server.kill().start();
        assert_eq!(photo_numbers(server.get(&firms[0]).text()), kept.shown);
        for number in &kept.shown {
            let size = |suffix| {
                let photo = server.get(&format!("{}/foto/{number}{suffix}", firms[0]));
                let (width, height, _) = decoded(&photo.body);
                (width, height)
            };
            assert_eq!((size(""), size("/klein")), ((1600, 1200), (320, 240)));
        }
        // The second time it has accepted already, and the page says so.
        assert_eq!(submit(&server, &firms[0], "answer=accept").status, 303);
    }
    let setup = stop(server);
    let checked = run(setup.dir.path(), &["check", "--store", &setup.dir.store()]);
    let stored = format!("photos {}", 2 * kept.shown.len());
    let lines = checked.success().lines();
    let counted: Vec<_> = lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| line.starts_with("photos "))
        .collect();
    assert_eq!(counted, [stored], "what was taken away has left nothing");
}
