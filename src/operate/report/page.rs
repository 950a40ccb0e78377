//! The page of the report, filled with its plots.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{Timestamp, Unit};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde::Serialize;

use super::bars::{Bar, BarTable, Segment, segments};
use super::counts::{Counts, grouped, percent};
use super::day_plot::DayPlot;
use super::figures::{Figures, FirmFigures};
use super::map::Map;
use super::week_plot::WeekPlot;
use super::{ReportError, last_day_before};
use crate::base::text::berlin;
use crate::domain::inquiry::{Choice, Labels, Location, Problem, PropertyType};
use crate::site::templates::{german_day, german_time};

/// What a report is about.
#[derive(Debug, Clone)]
pub struct Header<'a> {
    /// The name of the site.
    pub site: &'a str,
    /// From when on inquiries are counted; `None` from the first one on.
    pub since: Option<Timestamp>,
    /// Before when they are counted; `None` up to now.
    pub until: Option<Timestamp>,
    /// When the report is made.
    pub made_at: Timestamp,
}

/// Everything that the page shows.
#[derive(Serialize)]
struct Page<'a> {
    site: &'a str,
    made_at: String,
    period: String,
    is_empty: bool,
    tiles: Vec<Tile>,
    days: DayPlot,
    week: WeekPlot,
    map: Map,
    /// The classes and names of the types of buildings.
    legend: Vec<(&'static str, String)>,
    parts: Vec<BarTable>,
    offers: BarTable,
    funnel: Option<Vec<Stage>>,
    /// Inquiries that are not in the funnel.
    others: Option<String>,
    firms: Vec<FirmRow>,
    notes: Vec<String>,
}

/// A figure at the top.
#[derive(Serialize)]
struct Tile {
    label: &'static str,
    value: String,
    note: String,
}

/// A stage of the funnel.
#[derive(Serialize)]
struct Stage {
    label: &'static str,
    count: String,
    kept: String,
    bar: Vec<Segment>,
}

#[derive(Serialize)]
struct FirmRow {
    name: String,
    asked: String,
    accepted: String,
    declined: String,
    silent: String,
    pending: String,
    rate: String,
    hours: String,
    bar: Vec<Segment>,
}

const TEMPLATE: &str = include_str!("templates/report.html");
const STYLE: &str = include_str!("templates/report.css");

/// How far a period may reach beyond the inquiries before the plot leaves the empty days out.
const EMPTY_DAYS: i64 = 31;

/// What is called an option where the visitor chose none.
const NONE: &str = "nichts gewählt";

/// The stages of the funnel after the pages: the questions of the questionnaire, in order.
const STEPS: [&str; 5] = ["Gebäude", "Postleitzahl", "Problem", "Stelle", "Kontakt"];

/// Returns the report as HTML.
pub fn page(figures: &Figures, header: &Header<'_>) -> Result<String, ReportError> {
    let (first, last) = period(figures, header);
    let day_count = first
        .until((Unit::Day, last))
        .map_or(1, |span| i64::from(span.get_days()) + 1);
    let labels = Labels::embedded()?;
    let page = Page {
        site: header.site,
        made_at: german_time(header.made_at),
        period: format!("{} bis {}", german_day(first), german_day(last)),
        is_empty: figures.total == 0,
        tiles: tiles(figures, u64::try_from(day_count).unwrap_or(1)),
        days: DayPlot::new(&figures.days, first, last),
        week: WeekPlot::new(&figures.week),
        map: Map::new(&figures.postal_codes, figures.total)?,
        legend: PropertyType::ALL
            .map(|kind| (class(kind), labels.building(kind).to_owned()))
            .into(),
        parts: parts(figures, &labels),
        offers: offers(figures),
        funnel: (figures.funnel_days > 0).then(|| funnel(figures)),
        others: (figures.funnel.others > 0).then(|| grouped(figures.funnel.others)),
        firms: firms(figures),
        notes: notes(figures),
    };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // The library's own escaping would write every slash as an entity.
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        if value.is_safe() {
            return Ok(out.write_str(&text)?);
        }
        Ok(out.write_str(&html_escape::encode_double_quoted_attribute(&text))?)
    });
    let style = Value::from_safe_string(STYLE.to_owned());
    let page = Value::from(Serde(page));
    Ok(environment.render_str(TEMPLATE, context! { style, ..page })?)
}

/// Returns the first and the last day of the plots.
fn period(figures: &Figures, header: &Header<'_>) -> (Date, Date) {
    let earliest = figures.days.keys().next().copied();
    let latest = figures.days.keys().next_back().copied();
    let since = header.since.map(berlin::day);
    let until = header.until.map(last_day_before);
    let last = until
        .unwrap_or(berlin::day(header.made_at))
        .max(latest.unwrap_or(Date::MIN));
    let last = latest
        .filter(|&latest| days_between(latest, last) > EMPTY_DAYS)
        .unwrap_or(last);
    let first = since
        .or(earliest)
        .unwrap_or(last)
        .min(earliest.unwrap_or(Date::MAX));
    let first = earliest
        .filter(|&earliest| days_between(first, earliest) > EMPTY_DAYS)
        .unwrap_or(first);
    (first.min(last), last)
}

fn days_between(from: Date, to: Date) -> i64 {
    from.until((Unit::Day, to))
        .map_or(i64::MAX, |span| i64::from(span.get_days()))
}

fn tiles(figures: &Figures, days: u64) -> Vec<Tile> {
    let total = figures.total;
    let none = figures.offers.first().copied().unwrap_or_default();
    let offers: u64 = figures
        .offers
        .iter()
        .zip(0..)
        .map(|(count, offers)| count * offers)
        .sum();
    let tenths = (total * 10 + days / 2) / days.max(1);
    let each = (offers * 10 + total / 2).checked_div(total).unwrap_or_default();
    let mut tiles = vec![
        Tile {
            label: "Anfragen",
            value: grouped(total),
            note: format!("{},{} am Tag", grouped(tenths / 10), tenths % 10),
        },
        Tile {
            label: "Mit Zusage",
            value: percent(total - none.min(total), total),
            note: format!("{},{} Zusagen je Anfrage im Mittel", each / 10, each % 10),
        },
        Tile {
            label: "Stunden bis zur ersten Zusage",
            value: figures.first_offer.median_text(),
            note: "Median, ab der ersten Frage an einen Betrieb".to_owned(),
        },
    ];
    if figures.funnel_days > 0 {
        // A link may choose the building, and begin with a later step.
        let begun = longest(figures.funnel.steps);
        tiles.push(Tile {
            label: "Fragebogen abgeschickt",
            value: kept(figures.funnel.sent, begun),
            note: format!("von {} begonnenen", grouped(begun)),
        });
    }
    tiles
}

/// Classes of the types of buildings.
fn class(property_type: PropertyType) -> &'static str {
    match property_type {
        PropertyType::Residential => "tone-a",
        PropertyType::Commercial => "tone-b",
        PropertyType::Industrial => "tone-c",
    }
}

fn parts(figures: &Figures, labels: &Labels) -> Vec<BarTable> {
    let total = figures.total;
    let buildings = PropertyType::ALL.map(|kind| {
        let part = (class(kind), labels.building(kind), figures.buildings.of(kind));
        Bar::new(
            labels.building(kind),
            &[part],
            longest(PropertyType::ALL.map(|kind| figures.buildings.of(kind))),
            total,
        )
    });
    let problems = Problem::ALL
        .iter()
        .map(|&problem| (labels.problem(problem), Some(problem.number())));
    let problems = problems.chain([(NONE, None)]);
    let locations = Location::ALL
        .iter()
        .map(|&location| (labels.location(location), Some(location.number())));
    let locations = locations.chain([(NONE, None)]);
    vec![
        BarTable {
            title: "Gebäude",
            share_of: "von allen",
            rows: buildings.into(),
        },
        BarTable {
            title: "Problem",
            share_of: "von allen; mehrere Antworten möglich",
            rows: rows(problems, &figures.problems, total, labels),
        },
        BarTable {
            title: "Stelle",
            share_of: "von allen; mehrere Antworten möglich",
            rows: rows(locations, &figures.locations, total, labels),
        },
    ]
}

/// Returns a row for each option, divided by the type of building.
fn rows<'a>(
    options: impl Iterator<Item = (&'a str, Option<u8>)>,
    counts: &BTreeMap<Option<u8>, Counts>,
    total: u64,
    labels: &Labels,
) -> Vec<Bar> {
    let longest = longest(counts.values().map(Counts::total));
    options
        .map(|(label, number)| {
            let counts = counts.get(&number).copied().unwrap_or_default();
            let parts = PropertyType::ALL.map(|kind| (class(kind), labels.building(kind), counts.of(kind)));
            Bar::new(label, &parts, longest, total)
        })
        .collect()
}

fn longest(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().max().unwrap_or_default()
}

fn offers(figures: &Figures) -> BarTable {
    let labels = ["keine Zusage", "eine Zusage", "zwei Zusagen", "drei Zusagen"];
    let longest = longest(figures.offers);
    let rows = labels
        .iter()
        .zip(figures.offers)
        .zip(["tone-none", "tone-a", "tone-a", "tone-a"]);
    BarTable {
        title: "Zusagen je Anfrage",
        share_of: "von allen",
        rows: rows
            .map(|((label, count), class)| Bar::new(*label, &[(class, label, count)], longest, figures.total))
            .collect(),
    }
}

fn funnel(figures: &Figures) -> Vec<Stage> {
    let counts = &figures.funnel;
    let steps = STEPS.iter().copied().zip(counts.steps);
    let stages: Vec<(&'static str, u64)> = [("Seiten gezeigt", counts.pages)]
        .into_iter()
        .chain(steps)
        .chain([("Abgeschickt", counts.sent)])
        .collect();
    // So many more pages than questionnaires are shown that their bar would dwarf all others.
    let longest = longest(stages.iter().skip(1).map(|(_, count)| *count));
    let mut before = None;
    stages
        .into_iter()
        .map(|(label, count)| Stage {
            label,
            count: grouped(count),
            kept: before
                .replace(count)
                .map_or_else(String::new, |before| kept(count, before)),
            bar: segments(&[("tone-a", label, count.min(longest))], longest),
        })
        .collect()
}

/// Writes how many of those before came so far. Without a script nobody reports steps, and links skip some: where there are more than
/// before, no share is known.
fn kept(count: u64, before: u64) -> String {
    percent(count, if count > before { 0 } else { before })
}

fn firms(figures: &Figures) -> Vec<FirmRow> {
    let mut firms: Vec<(&str, &FirmFigures)> = figures
        .firms
        .iter()
        .map(|(id, firm)| (figures.names.get(id).map_or(id.as_str(), String::as_str), firm))
        .collect();
    firms.sort_by_key(|&(name, firm)| (u64::MAX - firm.asked(), name));
    let longest = longest(firms.iter().map(|(_, firm)| firm.asked()));
    firms
        .into_iter()
        .map(|(name, firm)| FirmRow {
            name: name.to_owned(),
            asked: grouped(firm.asked()),
            accepted: grouped(firm.accepted),
            declined: grouped(firm.declined),
            silent: grouped(firm.silent),
            pending: grouped(firm.pending),
            rate: percent(firm.accepted, firm.asked() - firm.pending),
            hours: firm.hours.median_text(),
            bar: segments(
                &[
                    ("tone-accepted", "angenommen", firm.accepted),
                    ("tone-declined", "abgelehnt", firm.declined),
                    ("tone-silent", "keine Antwort", firm.silent),
                    ("tone-pending", "noch offen", firm.pending),
                ],
                longest,
            ),
        })
        .collect()
}

fn notes(figures: &Figures) -> Vec<String> {
    let mut notes = vec!["Tage und Stunden sind die von Hamburg.".to_owned()];
    if figures.suspected > 0 {
        notes.push(format!(
            "Nicht mitgezählt, weil verdächtig und nicht freigegeben: {}.",
            grouped(figures.suspected)
        ));
    }
    if figures.gone > 0 {
        notes.push(format!(
            "Nicht mitgezählt, weil zurückgezogen oder gelöscht: {}.",
            grouped(figures.gone)
        ));
    }
    notes
}
