//! `manual`: every command has a page with the text of its help.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::harness::{Dir, run};

/// Removes the escapes of the roff format from a page.
fn words(page: &str) -> String {
    let plain = page.replace("\\-", "-").replace("\\fR", "").replace("\\fB", "");
    plain.replace("\\fI", "").replace("\\(aq", "'")
}

#[test]
fn each_command_has_a_page_with_its_flags_that_everybody_may_read() {
    let dir = Dir::new();
    let target = dir.path().join("share/man1");
    let finished = run(dir.path(), &["manual", "--output", target.to_str().unwrap()]);
    assert_eq!((finished.success(), finished.stderr.as_str()), ("", ""));
    let mut pages = 0;
    for entry in fs::read_dir(&target).unwrap() {
        let entry = entry.unwrap();
        let file = entry.file_name().into_string().unwrap();
        assert_eq!(
            entry.metadata().unwrap().permissions().mode() & 0o777,
            0o644,
            "{file}"
        );
        let page = words(&fs::read_to_string(entry.path()).unwrap());
        let name = file.strip_suffix(".1").unwrap();
        // Names of commands have no hyphen.
        let path: Vec<_> = name.split('-').skip(1).collect();
        let help = run(dir.path(), &[path.as_slice(), &["--help"]].concat());
        let flags: Vec<_> = help
            .success()
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--")?.split(' ').next())
            .collect();
        assert!(!flags.is_empty(), "{name}");
        for flag in flags {
            assert!(page.contains(&format!("--{flag}")), "{file} lacks --{flag}");
        }
        pages += 1;
    }
    assert!(pages > 15, "only {pages} pages");
    let root = words(&fs::read_to_string(target.join("taubenabwehr.1")).unwrap());
    for part in [
        ".SH EXAMPLES",
        "Exit code 0",
        "taubenabwehr-export(1)",
        "TAUBENABWEHR_DATA_DIR",
    ] {
        assert!(root.contains(part), "taubenabwehr.1 lacks {part}");
    }
}

#[test]
fn what_cannot_be_written_is_named() {
    let dir = Dir::new();
    run(dir.path(), &["manual"]).misuse("--output");
    let file = dir.write("file", "");
    let line = run(dir.path(), &["manual", "--output", &format!("{file}/man")])
        .failure()
        .to_owned();
    assert!(line.contains("file/man"), "{line}");
}
