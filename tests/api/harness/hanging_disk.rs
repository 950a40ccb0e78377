//! A disk that hangs: a library put before the system's own, whose calls that wait for the disk do not return for as long
//! as a file exists.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::{Dir, Setup};

const SOURCE: &str = r#"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_for_disk(void) {
    const char *path = getenv("HANGING_DISK");
    while (path && access(path, F_OK) == 0) usleep(5000);
}
int fsync(int fd) { wait_for_disk(); return syscall(SYS_fsync, fd); }
int fdatasync(int fd) { wait_for_disk(); return syscall(SYS_fdatasync, fd); }
"#;

/// The library, compiled once per run with the compiler that Rust needs for linking.
static LIBRARY: LazyLock<(Dir, PathBuf)> = LazyLock::new(|| {
    let dir = Dir::new();
    let source = dir.write("disk.c", SOURCE);
    let library = dir.path().join("disk.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .status()
        .unwrap();
    assert!(compiled.success());
    (dir, library)
});

/// The disk of one server.
pub struct HangingDisk(PathBuf);

impl HangingDisk {
    /// Returns the disk, which works, and the setup of a server that uses it.
    pub fn new() -> (Self, Setup) {
        let setup = Setup::bare();
        let switch = setup.dir.path().join("disk-hangs");
        let setup = setup
            .env("LD_PRELOAD", text(&LIBRARY.1))
            .env("HANGING_DISK", text(&switch));
        (Self(switch), setup)
    }

    /// Lets every call that waits for the disk hang.
    pub fn hang(&self) {
        fs::write(&self.0, "").unwrap();
    }

    /// Lets all of them return.
    pub fn recover(&self) {
        fs::remove_file(&self.0).unwrap();
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
