//! `taubenabwehr firms`: what firms did with the inquiries that they were asked about, and who would be asked next.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use jiff::Timestamp;
use serde::Serialize;

use super::export::time;
use super::failure::Failure;
use super::firm_turns;
use super::list::{Entry, List};
use super::source::each_dossier;
use crate::cli::{Cli, FirmsAction, FirmsArgs};
use crate::config::ConfigFile;
use crate::matching::FirmId;
use crate::report::FirmFigures;
use crate::store::TimeRange;

/// Lists firms and their answers, or shows who would be asked. A time that is none, and a missing `--config` where firms are
/// needed, end the process with the exit code for wrong usage.
///
/// # Errors
/// When the inquiries cannot be read, or the output not written.
pub fn run(args: &FirmsArgs, file: Option<&ConfigFile>) -> Result<(), Failure> {
    if let Some(FirmsAction::Match(inquiry)) = &args.action {
        let file = file.unwrap_or_else(|| missing_file().exit());
        return firm_turns::run(args, inquiry, file);
    }
    let since = args.since.as_deref().map(|text| time("--since <T>", text));
    let since = since.transpose().unwrap_or_else(|error| error.exit());
    let mut firms: BTreeMap<FirmId, FirmFigures> = BTreeMap::new();
    // Those that were never asked are listed, too.
    for firm in file.iter().flat_map(|file| file.firms()) {
        firms.entry(firm.id.clone()).or_default();
    }
    each_dossier(&args.data.location, TimeRange::default(), |dossier| {
        for asked in dossier.referral.asked {
            if since.is_none_or(|since: Timestamp| asked.at >= since) {
                firms.entry(asked.firm.clone()).or_default().add(&asked);
            }
        }
        Ok(())
    })?;
    let mut list = List::begin(args.json.json)?;
    for (firm, figures) in &firms {
        list.add(&Listed::new(firm, figures))?;
    }
    list.finish()
}

fn missing_file() -> Error {
    let message = "--config <FILE> is required: it names the firms";
    Cli::command().error(ErrorKind::MissingRequiredArgument, message)
}

/// A firm in the list.
#[derive(Debug, Serialize)]
struct Listed {
    firm: String,
    asked: u64,
    accepted: u64,
    declined: u64,
    silent: u64,
    median_hours: Option<f64>,
}

impl Listed {
    fn new(firm: &FirmId, figures: &FirmFigures) -> Self {
        Self {
            firm: firm.to_string(),
            asked: figures.asked(),
            accepted: figures.accepted,
            declined: figures.declined,
            silent: figures.silent,
            median_hours: figures.hours.median(),
        }
    }
}

impl Entry for Listed {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("FIRM", 24),
        ("ASKED", 8),
        ("ACCEPTED", 8),
        ("DECLINED", 8),
        ("SILENT", 8),
        ("MEDIAN HOURS", 0),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.firm.clone(),
            self.asked.to_string(),
            self.accepted.to_string(),
            self.declined.to_string(),
            self.silent.to_string(),
            self.median_hours
                .map_or_else(|| "-".to_owned(), |hours| format!("{hours:.1}")),
        ]
    }
}
