//! `taubenabwehr manual` and `taubenabwehr completions`: manual pages and shell completions, generated from the `--help` texts.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::CliError;
use super::output::print;
use crate::base::process::BuildInfo;
use crate::config::args::{Cli, CompletionsArgs, ManualArgs};

/// Title of the manual, at the top of each page.
const MANUAL: &str = "Taubenabwehr Manual";

/// Mode of manual pages: world-readable. By default, the process creates files that only its user can read.
const FOR_EVERYBODY: u32 = 0o644;

/// Mode of the directory for manual pages.
const DIRECTORY_FOR_EVERYBODY: u32 = 0o755;

/// Prints the completion script for a shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn completions(args: &CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "taubenabwehr", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Writes the pages of all commands to a directory.
///
/// # Errors
/// When a page cannot be written.
pub fn run(args: &ManualArgs) -> Result<(), CliError> {
    let directory = &args.output;
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    if !directory.is_dir() {
        fs::create_dir_all(directory)
            .and_then(|()| fs::set_permissions(directory, Permissions::from_mode(DIRECTORY_FOR_EVERYBODY)))
            .map_err(|error| failed(directory, &error))?;
    }
    let mut commands = vec![&root];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands());
        let file = directory.join(Man::new(command.clone()).get_filename());
        page(command.clone())
            .and_then(|text| fs::write(&file, text))
            .and_then(|()| fs::set_permissions(&file, Permissions::from_mode(FOR_EVERYBODY)))
            .map_err(|error| failed(&file, &error))?;
    }
    Ok(())
}

fn failed(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    format!("cannot write {path}: {error}; see that the directory can be written and has room")
}

/// The manual page of a command, with its sections in the usual order.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let examples = command.get_after_help().map(ToString::to_string);
    let has_commands = command.has_subcommands();
    let is_root = command.get_name() == "taubenabwehr";
    let build = BuildInfo::of_this_executable();
    let date = build.date.map(|date| date.to_string()).unwrap_or_default();
    let man = Man::new(command)
        .date(date)
        .source(format!("taubenabwehr {}", build.version))
        .manual(MANUAL);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    let mut rest = Roff::new();
    // The first line is the heading.
    if let Some((_, examples)) = examples.as_deref().and_then(|text| text.split_once('\n')) {
        rest.control("SH", ["EXAMPLES"]);
        // Not filled, so that commands stay on one line and can be copied.
        rest.control("nf", []);
        for line in examples.lines() {
            rest.text([roman(line)]);
        }
        rest.control("fi", []);
    }
    if !is_root {
        rest.control("SH", ["SEE ALSO"]);
        rest.text([roman("taubenabwehr(1)")]);
    }
    rest.to_writer(&mut page)?;
    Ok(page)
}
