//! A store that can hang. On redb, a preloaded library blocks all system calls that wait for the disk as long as a file exists. On
//! PostgreSQL, a relay in front of the database forwards nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::gate::{Gate, Mode};
use super::store::is_postgres;
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

/// The library, compiled once per run with the C compiler that Rust needs for linking.
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

/// The store of one server.
pub enum HangingStore {
    /// The file whose presence makes the disk hang.
    Disk(PathBuf),
    /// The relay in front of the database.
    Database(Gate),
}

impl HangingStore {
    /// A working store, and the setup of a server that uses it.
    pub fn new() -> (Self, Setup) {
        let setup = Setup::bare();
        if is_postgres() {
            let (gate, url) = Gate::before(&setup.dir, Mode::Open);
            return (Self::Database(gate), setup.env("TAUBENABWEHR_STORE", &url));
        }
        let switch = setup.dir.path().join("disk-hangs");
        let setup = setup
            .env("LD_PRELOAD", text(&LIBRARY.1))
            .env("HANGING_DISK", text(&switch));
        (Self::Disk(switch), setup)
    }

    /// Makes all operations of the store hang.
    pub fn hang(&self) {
        match self {
            Self::Disk(switch) => fs::write(switch, "").unwrap(),
            Self::Database(gate) => gate.set(Mode::Hanging),
        }
    }

    /// Lets all operations continue.
    pub fn recover(&self) {
        match self {
            Self::Disk(switch) => fs::remove_file(switch).unwrap(),
            Self::Database(gate) => gate.set(Mode::Open),
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
