//! The flags of the commands for maintaining the store: `backup`, `restore`, `copy`, `check` and `doctor`.

use std::path::PathBuf;

use clap::Args;

use super::ServeArgs;
use super::export::Json;
use crate::store::Location;

/// Write a copy of everything to a file, and read it back
///
/// It works whether or not a server runs on the same data directory, and holds everything as it was at one moment:
/// inquiries, keys of repeated requests, deliveries, turns of firms, counts, subscriptions, and the secret of private
/// pages. Inquiries are stored meanwhile. Room is needed for FILE alone.
///
/// The backup is read back and counted before it takes the place of an older file. It holds personal data, and only
/// this user may read it (mode 0600). It has neither the configuration nor certificates, nor the list of what was
/// erased (erased.jsonl in the data directory): copy that one as well, to where the backups are. A database (--store)
/// has better backups of its own, such as `pg_basebackup`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr backup --output /var/backups/taubenabwehr/$(date +%u).backup\n      \
            one for each day of the week, for a timer\n  \
        taubenabwehr check /var/backups/taubenabwehr/1.backup\n      \
            see that one is whole\n  \
        taubenabwehr restore /var/backups/taubenabwehr/1.backup --data-dir /var/lib/taubenabwehr\n      \
            after a lost disk")]
pub struct BackupArgs {
    /// File to write, replaced in one step when complete
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: Location,
}

/// Put a backup in the place of a lost store
///
/// Stop the server first. The data directory is created if it is missing; one that is in use or has inquiries is
/// refused and stays as it is. Until the last step nothing takes the name of the file of inquiries. Run it as the
/// server's user, who must be able to write the data directory.
///
/// Mails and webhooks that waited when the backup was made may have been sent since. They are held, and firms that
/// have not answered are not passed over, until you say `taubenabwehr deliveries retry`. What comes in from now on is
/// handled as usual.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  \
        taubenabwehr restore monday.backup --data-dir /var/lib/taubenabwehr --erased erased.jsonl\n      \
            restore, without what was erased or withdrawn since")]
pub struct RestoreArgs {
    /// The backup
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// List of what was erased since, the erased.jsonl of the lost data directory: that is erased again
    #[arg(long, value_name = "FILE")]
    pub erased: Option<PathBuf>,

    /// Where the inquiries go.
    #[command(flatten)]
    pub data: Location,
}

/// Move everything to another store, whatever engines the two have
///
/// It copies inquiries, keys of repeated requests, deliveries, firms' answers and turns, counts, subscriptions, the
/// list of what was erased, and the secret of private pages, as they are at one moment, and compares counts and a
/// digest of what both stores hold. Certificates are not copied: the server orders new ones.
///
/// The source may be served meanwhile; what it gets afterwards is not in the copy. To change the engine of a site,
/// stop its server first: both stores would send what waits. The target must have no inquiries, and no server may run
/// on it. One that a copy has left incomplete is refused by every other command; `copy` starts over on it.
///
/// Passwords belong in a file, and not in a URL that others see in the list of processes. Where both stores are
/// databases, the file is that of both; a password in a URL beats it.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  \
        taubenabwehr copy --from redb:/var/lib/taubenabwehr --to postgres://taubenabwehr@db.example.de/taubenabwehr\n      \
            move to a database")]
pub struct CopyArgs {
    /// Store to copy: redb:DIR or postgres://…
    #[arg(long, value_name = "URL", hide_env_values = true)]
    pub from: Location,

    /// Store to copy it to
    #[arg(long, value_name = "URL", hide_env_values = true)]
    pub to: Location,

    /// File with the database's password in one line
    #[arg(long, value_name = "FILE")]
    pub store_password_file: Option<PathBuf>,
}

/// Read every record of the store, or of a backup
///
/// It changes nothing, and works whether or not a server runs on the same data directory. Without one, it also
/// compares the checksums of all pages of the file. Of a backup it compares the checksum of the whole first.
///
/// Exit code 0 if all records can be read, 1 if not, with a line for each damaged one on standard output.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr check --data-dir /var/lib/taubenabwehr\n      \
            read the store\n  \
        taubenabwehr check /var/backups/taubenabwehr/1.backup\n      \
            read a backup")]
pub struct CheckArgs {
    /// A backup [default: the store]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: Location,
}

/// Say what keeps the site from working, and what to do
///
/// Give it the flags of the server, or its configuration file by --config, and run it as the server's user. It works
/// whether or not the server runs, and changes and sends nothing: it visits the public address, connects to the mail
/// server and logs in, connects to the webhook, and reads the store.
///
/// Checks: settings, imprint, `public_address`, proxy, certificate, clock, disk, mail, webhook, deliveries, backup, and
/// retention where a clock that has leapt keeps it from erasing. Each has a level (ok, warning or error), what was
/// found, and what to do.
///
/// The clock is compared with the Date of the public address's answer, which says something where another machine
/// answers there.
///
/// Exit code 1 when there is an error.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  \
        taubenabwehr doctor --config /etc/taubenabwehr/config.toml --json | jq '.[] | select(.level != \"ok\")'\n      \
            what to see to")]
pub struct DoctorArgs {
    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Say that the clock is right, though it has leapt: what `[retention]` names is erased again
    #[arg(long)]
    pub clock_is_right: bool,

    /// What the server is told.
    #[command(flatten)]
    pub serve: ServeArgs,
}
