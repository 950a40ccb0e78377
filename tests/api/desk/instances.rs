//! A session is valid on all instances that share a database.

use super::{address, cookie, get, post, setup};
use crate::harness::referral::config;
use crate::harness::{Server, leave_out_on_redb, run, until};

#[test]
fn a_session_holds_on_all_of_them() {
    leave_out_on_redb!("several instances share a database");
    let setup = setup(&config(&["nord"]));
    // The command uses the database itself, where each instance records the address of its desk.
    let code_of = |server: &Server| {
        let url = format!("http://{}", address(server));
        until("the address of the desk that was opened last", || {
            let printed = run(server.dir().path(), &["desk"]);
            printed.text().trim().strip_prefix(&url).map(str::to_owned)
        })
    };
    let one = setup.start();
    code_of(&one);
    let other = setup.start();
    let code = code_of(&other);
    let dir = one.dir();
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
