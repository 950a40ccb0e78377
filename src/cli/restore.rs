//! `taubenabwehr restore`: restores a backup to a store without inquiries.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::CliError;
use super::output::{inquiries, say};
use crate::base::text::berlin::in_berlin;
use crate::base::text::counted;
use crate::config::args::RestoreArgs;
use crate::store::erased_list::{self, Erased};
use crate::store::{ERASED_FILE, Restored, TransferError, restore};

/// Restores a backup.
///
/// # Errors
/// When the backup was not restored.
pub fn run(args: &RestoreArgs) -> Result<(), CliError> {
    let erased = match &args.erased {
        Some(path) => erased_list::read(path).map_err(TransferError::from)?,
        None => Erased::new(),
    };
    let restored = restore(&args.file, &args.data, &erased, Timestamp::now())?;
    say(summary(&restored, args));
    Ok(())
}

/// The list of erased inquiries in a data directory, if it exists.
fn list_in(data_dir: &Path) -> Option<PathBuf> {
    let list = data_dir.join(ERASED_FILE);
    list.exists().then_some(list)
}

fn summary(restored: &Restored, args: &RestoreArgs) -> String {
    let mut text = format!(
        "{} restored to {}, as of {}\n",
        inquiries(restored.inquiries),
        args.data,
        in_berlin(restored.made_at)
    );
    if args.erased.is_some() {
        let _ = writeln!(text, "{} of the list erased again", restored.erased);
    } else if let Some(list) = args.data.data_dir().and_then(list_in) {
        let list = list.display();
        let _ = writeln!(
            text,
            "nothing was erased again; with --erased {list}, what the lost store had erased since is"
        );
    } else {
        text += "nothing was erased again; with --erased FILE, what the lost store had erased since is\n";
    }
    text += &held(restored);
    text
}

/// The number of held deliveries and inquiries, and how to release them.
fn held(restored: &Restored) -> String {
    let until = "until `taubenabwehr deliveries retry`";
    let deliveries = match restored.held_deliveries {
        0 => String::new(),
        count => format!(
            "{} held {until}\n",
            counted(count, "delivery is", "deliveries are")
        ),
    };
    let firms = "firms that have not answered are not passed over, and no others are asked";
    let inquiries = match restored.held_inquiries {
        0 => String::new(),
        count => {
            let still = counted(count, "inquiry stands", "inquiries stand");
            format!("{still} still {until}: {firms}\n")
        }
    };
    deliveries + &inquiries
}
