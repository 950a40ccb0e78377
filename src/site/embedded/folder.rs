//! A folder from which a debug build takes the site in place of what `build.rs` has put into it, so that a change of a page needs
//! no compiler (`scripts/dev`). A release knows no such folder.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Names the folder. Below it are `site` and `texts`, as in `$OUT_DIR` but with every file as it is.
const VARIABLE: &str = "TAUBENABWEHR_DEV_FOLDER";

/// Returns the folder of this name, if there is one.
pub fn named(name: &str) -> Option<PathBuf> {
    if !cfg!(debug_assertions) {
        return None;
    }
    Some(PathBuf::from(env::var_os(VARIABLE)?).join(name))
}

/// Reads a file below the folder of this name, if there is one.
pub fn read(name: &str, path: &str) -> Option<Vec<u8>> {
    fs::read(named(name)?.join(path)).ok()
}

/// Lists the files below a folder, by their paths from it.
pub fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inner = files(&entry.path())?;
            found.extend(inner.into_iter().map(|path| format!("{name}/{path}")));
        } else {
            found.push(name);
        }
    }
    Ok(found)
}
