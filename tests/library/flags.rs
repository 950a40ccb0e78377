//! Every flag has an environment variable, unless it is destructive. Flags of a server also have a key in the configuration file
//! and are documented.

use std::path::Path;

use clap::{Arg, Args, Command, CommandFactory};
use taubenabwehr::config::ConfigFile;
use taubenabwehr::config::args::{Cli, ServeArgs};

/// The flags that clap adds to every command.
const BY_CLAP: [&str; 2] = ["help", "version"];

/// Destructive flags, and those that confirm them. They have no variable, since one set for another purpose must not trigger them.
const DESTRUCTIVE: [&str; 4] = ["erase", "yes", "close", "clock-is-right"];

fn flags(command: &Command) -> Vec<Arg> {
    let own = command.get_arguments().filter(|arg| arg.get_long().is_some());
    let inner = command.get_subcommands().flat_map(flags);
    let all = own.cloned().chain(inner);
    all.filter(|arg| !BY_CLAP.contains(&arg.get_id().as_str()))
        .collect()
}

#[test]
fn each_flag_has_the_variable_of_its_name() {
    let all = flags(&Cli::command());
    assert!(all.len() > 30, "only {} flags", all.len());
    for flag in all {
        let long = flag.get_long().unwrap();
        if DESTRUCTIVE.contains(&long) {
            assert_eq!(flag.get_env(), None, "--{long}");
            continue;
        }
        let variable = format!("TAUBENABWEHR_{}", long.to_uppercase().replace('-', "_"));
        assert_eq!(
            flag.get_env().and_then(|name| name.to_str()),
            Some(variable.as_str()),
            "--{long}"
        );
    }
}

#[test]
fn each_flag_of_serve_is_a_key_of_the_file_and_stands_in_the_guides() {
    let serve = flags(&ServeArgs::augment_args(Command::new("serve")));
    let refusal = ConfigFile::parse("no_such_key = 1", Path::new("config.toml"))
        .unwrap_err()
        .to_string();
    let guide = include_str!("../../docs/operation.md");
    let (_, table) = guide.split_once("\n## Configuration file\n").unwrap();
    let readme = include_str!("../../README.md");
    for flag in serve {
        let long = flag.get_long().unwrap();
        let mut rows = readme.lines().filter(|line| line.starts_with("| `--"));
        assert!(
            rows.any(|row| row.contains(&format!("`--{long}`"))),
            "README.md lacks --{long}"
        );
        let key = long.replace('-', "_");
        assert!(refusal.contains(&format!("`{key}`")), "the file has no key {key}");
        assert!(
            table.contains(&format!("`{key}`")),
            "docs/operation.md lacks the key {key}"
        );
    }
}
