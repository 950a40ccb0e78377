//! Builds the front end into `$OUT_DIR/site`, which `src/site/embedded.rs` embeds in the executable: files served to visitors below
//! `files`, and next to it files for the program only, such as templates of pages and mails.
//!
//! `ui/` and `content/` are copied to `$OUT_DIR` first. This keeps the source tree unmodified and the bundler's paths independent
//! of the location of the checkout, so that builds of a commit are reproducible.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, io};

use walkdir::{DirEntry, WalkDir};

#[path = "src/domain/inquiry/generate.rs"]
mod generate;

/// The oldest Node.js version that the front end's tools support.
const OLDEST_NODE: u32 = 20;

/// The inputs of the build in `ui/`. Test files in them, installed packages and generated files are excluded.
const UI_INPUTS: [&str; 8] = [
    "build",
    "public",
    "src",
    "package.json",
    "package-lock.json",
    "parcelrc.json",
    "tsconfig.json",
    ".npmrc",
];

/// File name suffix of the front end's unit tests, which are next to the code they test.
const TEST: &str = ".test.ts";

/// Extensions of files worth compressing. Other images and fonts are compressed already.
const COMPRESSIBLE: [&str; 4] = [".js", ".css", ".svg", ".ico"];

fn main() {
    // `cargo::error` fails the build with only this line; a failing exit code would add a page of script output.
    if let Err(message) = build() {
        // Strip `$OUT_DIR`, so that messages name the files in the source tree instead of their copies.
        let copies = format!("{}/", env::var("OUT_DIR").unwrap_or_default());
        println!("cargo::error={}", message.replace(&copies, "").replace('\n', " "));
    }
}

fn build() -> Result<(), String> {
    let source = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    name_commit(&source)?;
    println!("cargo::rerun-if-changed=content");
    for input in UI_INPUTS {
        watch(&source.join("ui").join(input)).map_err(|error| failed("reading ui/", &error))?;
    }
    check_node()?;

    let ui = out.join("ui");
    for input in UI_INPUTS {
        replace(&source.join("ui").join(input), &ui.join(input))
            .map_err(|error| failed("copying ui/", &error))?;
    }
    replace(&source.join("content"), &out.join("content"))
        .map_err(|error| failed("copying content/", &error))?;
    install_packages(&ui)?;
    // Kept uncompressed: `src/site/documents.rs` includes a file of it, and a test compares it with another build
    // (`ui/build/build.test.ts`).
    let made = out.join("site-made");
    build_site(&ui, &made)?;
    let inquiry = fs::read_to_string(source.join("content/inquiry.toml"))
        .map_err(|error| failed("reading content/inquiry.toml", &error))?;
    let code = generate::inquiry_code(&inquiry).map_err(|error| format!("content/inquiry.toml: {error}"))?;
    fs::write(out.join("inquiry.rs"), code).map_err(|error| failed("writing inquiry.rs", &error))?;
    let site = out.join("site");
    replace(&made, &site).map_err(|error| failed("copying the site", &error))?;
    precompress(&site).map_err(|error| failed("compressing the site", &error))
}

/// Passes the commit and the time of the build to `src/base/process/build_info.rs`. The time is that of the commit or
/// `SOURCE_DATE_EPOCH`: the current time would make builds irreproducible.
fn name_commit(source: &Path) -> Result<(), String> {
    const COMMIT: &str = "TAUBENABWEHR_BUILD_COMMIT";
    const TIME: &str = "SOURCE_DATE_EPOCH";
    println!("cargo::rerun-if-env-changed={COMMIT}");
    println!("cargo::rerun-if-env-changed={TIME}");
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(source).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A source archive unpacked inside another project's checkout must not report that project's commit.
    let is_checkout = git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty());
    let git = |args: &[&str]| git(args).filter(|_| is_checkout);
    // A debug build keeps the commit of the last run of this script, so that a new commit does not recompile everything.
    if variable("PROFILE")? == "release" {
        // The reflog grows with each commit and checkout; `HEAD` changes even without a reflog.
        for name in ["HEAD", "logs/HEAD"] {
            let path = git(&["rev-parse", "--git-path", name]).map(|path| source.join(path));
            if let Some(path) = path.filter(|path| path.exists()) {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).or_else(|| env::var(COMMIT).ok());
    let time = env::var(TIME)
        .ok()
        .or_else(|| git(&["show", "--no-patch", "--format=%ct", "HEAD"]));
    println!("cargo::rustc-env={COMMIT}={}", commit.unwrap_or_default());
    println!(
        "cargo::rustc-env=TAUBENABWEHR_BUILD_TIME={}",
        time.unwrap_or_default()
    );
    Ok(())
}

/// Makes cargo rerun this script when a file other than a test changes. A new file is detected once another file imports it.
fn watch(input: &Path) -> io::Result<()> {
    let files = if input.is_dir() {
        files_below(input)?
    } else {
        vec![input.to_owned()]
    };
    for file in files.iter().filter(|file| !is_test(file)) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok(())
}

fn is_test(path: &Path) -> bool {
    path.to_string_lossy().ends_with(TEST)
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; run this through cargo"))
}

fn failed(step: &str, error: &io::Error) -> String {
    format!("{step} failed: {error}")
}

fn check_node() -> Result<(), String> {
    for tool in ["node", "npm"] {
        let output = Command::new(tool).arg("--version").output();
        let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let version = version.unwrap_or_default();
        let major = version.trim_start_matches('v').split('.').next();
        let major = major.and_then(|major| major.parse::<u32>().ok());
        // Any npm that comes with a supported Node.js is recent enough.
        let oldest = if tool == "node" { OLDEST_NODE } else { 0 };
        if major.is_none_or(|major| major < oldest) {
            return Err(format!(
                "building the site needs Node.js {OLDEST_NODE} or newer with npm, but {tool} is {}; install it and build again",
                if version.is_empty() { "missing" } else { &version }
            ));
        }
    }
    Ok(())
}

/// Runs `npm ci`, unless the lock file is unchanged since the last installation.
fn install_packages(ui: &Path) -> Result<(), String> {
    let lock = fs::read(ui.join("package-lock.json"))
        .map_err(|error| failed("reading package-lock.json", &error))?;
    let stamp = ui.join("node_modules/.installed-lock");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(ui);
    run(npm, "installing the front end's packages (npm ci)")?;
    fs::write(stamp, lock).map_err(|error| failed("noting the installed packages", &error))
}

/// The environment variable that overrides the front end of the profile: `production` or `development`.
const FRONT_END: &str = "TAUBENABWEHR_FRONT_END";

/// The React build to use: `development` reports mistakes, `production` is small.
fn react_build() -> Result<String, String> {
    println!("cargo::rerun-if-env-changed={FRONT_END}");
    let of_profile = if variable("PROFILE")? == "release" {
        "production"
    } else {
        "development"
    };
    match env::var(FRONT_END) {
        Err(_) => Ok(of_profile.to_owned()),
        Ok(name) if ["production", "development"].contains(&name.as_str()) => Ok(name),
        Ok(name) => Err(format!("{FRONT_END} is production or development, not {name}")),
    }
}

fn build_site(ui: &Path, made: &Path) -> Result<(), String> {
    let react_build = react_build()?;
    let mut node = Command::new("node");
    node.args([
        "--import",
        "tsx",
        "build/build.ts",
        "--content",
        "../content",
        "--out",
    ])
    .arg(made)
    .current_dir(ui);
    // Dates are German civil dates and must not depend on the time zone of the build machine.
    node.env("NODE_ENV", react_build).env("TZ", "Europe/Berlin");
    run(node, "building the front end")
}

/// Runs a build step. On failure, the message contains the tool's error lines.
fn run(mut command: Command, step: &str) -> Result<(), String> {
    let output = command.output().map_err(|error| failed(step, &error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{step} failed: {}", cause(&output)))
}

fn cause(output: &Output) -> String {
    let text = [&output.stderr[..], &output.stdout[..]]
        .map(String::from_utf8_lossy)
        .join("\n");
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let named: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| line.to_lowercase().contains("error"))
        .take(3)
        .collect();
    if named.is_empty() {
        lines.last().copied().unwrap_or("no output").to_owned()
    } else {
        named.join(" | ")
    }
}

/// Adds compressed copies of the compressible files for visitors, in one directory per content coding. Files for the program only
/// are replaced by their compressed form: otherwise they would be a third of the executable, and each is read only once.
fn precompress(site: &Path) -> io::Result<()> {
    for path in files_below(site)? {
        if !path.starts_with(site.join("files")) {
            write(&path, &brotli(&fs::read(&path)?)?)?;
            continue;
        }
        if !COMPRESSIBLE
            .iter()
            .any(|ending| path.to_string_lossy().ends_with(ending))
        {
            continue;
        }
        let bytes = fs::read(&path)?;
        let name = path.strip_prefix(site).unwrap_or(&path);
        write(&site.join("gzip").join(name), &gzip(&bytes)?)?;
        write(&site.join("br").join(name), &brotli(&bytes)?)?;
    }
    Ok(())
}

/// Selects the best quality for production builds, and a fast one otherwise.
fn quality<Q>(best: Q, quick: Q) -> Q {
    if react_build().is_ok_and(|build| build == "production") {
        best
    } else {
        quick
    }
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: quality(11, 5),
        // Covers the largest bundle; a larger window would only use more memory.
        lgwin: 18,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &params)?;
    Ok(compressed)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(
        Vec::new(),
        quality(flate2::Compression::best(), flate2::Compression::default()),
    );
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, bytes)
}

fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = WalkDir::new(folder).into_iter().collect::<Result<Vec<_>, _>>()?;
    let files = entries.into_iter().filter(|entry| entry.file_type().is_file());
    Ok(files.map(DirEntry::into_path).collect())
}

/// Replaces `to` with a copy of `from`, a file or a directory, without tests.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(to)?,
        Ok(_) => fs::remove_file(to)?,
        Err(_) => {}
    }
    copy(from, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !is_test(&entry.path()) {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
