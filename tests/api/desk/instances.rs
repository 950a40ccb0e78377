//! A session holds on all instances, which share a database.

use super::{address, cookie, get, post, setup};
use crate::harness::referral::config;
use crate::harness::{left_out_on_redb, run};

#[test]
fn a_session_holds_on_all_of_them() {
    if left_out_on_redb("several instances share a database") {
        return;
    }
    let setup = setup(&config(&["nord"]));
    let (one, other) = (setup.start(), setup.start());
    let dir = one.dir();
    // To a database the command goes itself, so that it has to be told where the desk is.
    let url = format!("http://{}", address(&one));
    let printed = run(dir.path(), &["desk", "--desk-url", &url]);
    let code = printed.success().trim().strip_prefix(&url).unwrap().to_owned();
    let begun = post(address(&other), &code, "", "");
    assert_eq!(begun.status, 303, "the code works on any");
    for server in [&one, &other] {
        assert_eq!(get(address(server), "/posteingang", &cookie(&begun)).status, 200);
        assert_eq!(post(address(server), &code, "", "").status, 404, "once");
    }
    run(dir.path(), &["desk", "--end"]).success();
    for server in [&one, &other] {
        assert_eq!(get(address(server), "/posteingang", &cookie(&begun)).status, 403);
    }
}
