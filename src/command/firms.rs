//! `taubenabwehr firms`: what firms did with the inquiries that they were asked about, and who would be asked next.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use jiff::Timestamp;
use serde::Serialize;

use super::answer_times::AnswerTimes;
use super::export::time;
use super::failure::Failure;
use super::firm_turns;
use super::list::{Entry, List};
use super::source::each_dossier;
use crate::cli::{Cli, FirmsAction, FirmsArgs};
use crate::config::ConfigFile;
use crate::matching::FirmId;
use crate::referral::{Answer, Asked};
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
    let mut firms: BTreeMap<FirmId, Counts> = BTreeMap::new();
    // Those that were never asked are listed, too.
    for firm in file.iter().flat_map(|file| file.firms()) {
        firms.entry(firm.id.clone()).or_default();
    }
    each_dossier(&args.data.data_dir, TimeRange::default(), |dossier| {
        for asked in dossier.referral.asked {
            if since.is_none_or(|since: Timestamp| asked.at >= since) {
                firms.entry(asked.firm.clone()).or_default().add(&asked);
            }
        }
        Ok(())
    })?;
    let mut list = List::begin(args.json.json)?;
    for (firm, counts) in &firms {
        list.add(&counts.listed(firm))?;
    }
    list.finish()
}

fn missing_file() -> Error {
    let message = "--config <FILE> is required: it names the firms";
    Cli::command().error(ErrorKind::MissingRequiredArgument, message)
}

/// What a firm did.
#[derive(Debug, Default)]
struct Counts {
    asked: u64,
    accepted: u64,
    declined: u64,
    silent: u64,
    times: AnswerTimes,
}

impl Counts {
    fn add(&mut self, asked: &Asked) {
        self.asked += 1;
        match asked.answer {
            Answer::Pending => {}
            Answer::Accepted(_) => self.accepted += 1,
            Answer::Declined(_) => self.declined += 1,
            Answer::Silent => self.silent += 1,
        }
        if let Some(time) = asked.answered_after() {
            // A clock that was set back makes no answer come before its question.
            self.times.add(u64::try_from(time.as_mins()).unwrap_or_default());
        }
    }

    fn listed(&self, firm: &FirmId) -> Listed {
        let hundredths = |hours: f64| (hours * 100.0).round() / 100.0;
        Listed {
            firm: firm.to_string(),
            asked: self.asked,
            accepted: self.accepted,
            declined: self.declined,
            silent: self.silent,
            median_hours: self.times.median_hours().map(hundredths),
        }
    }
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
                .map_or_else(|| "-".to_owned(), |hours| format!("{hours:.2}")),
        ]
    }
}
