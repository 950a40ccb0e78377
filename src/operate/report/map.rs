//! Inquiries by postal code on the map.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::ReportError;
use super::area::{Area, Source, WIDTH};
use super::bars::{Bar, BarTable};
use super::counts::{grouped, percent};
use super::scale::Levels;
use super::voronoi::{self, Place};

/// The map, and the codes that it cannot show.
#[derive(Debug, Serialize)]
pub struct Map {
    width: String,
    height: String,
    cells: Vec<Cell>,
    centre: Centre,
    districts: Vec<District>,
    waters: Vec<WaterPath>,
    /// The level and the counts of each tone.
    legend: Vec<(u64, String)>,
    tables: Vec<BarTable>,
    rows: Vec<Row>,
    sources: Vec<Source>,
    summary: String,
}

/// The part of the map that is drawn again, larger.
#[derive(Debug, Serialize)]
struct Centre {
    /// Its place in the drawing.
    view_box: String,
    labels: Vec<LabelLine>,
}

/// The area of a postal code.
#[derive(Debug, Serialize)]
struct Cell {
    path: String,
    level: u64,
    title: String,
}

#[derive(Debug, Serialize)]
struct District {
    path: String,
    label: Vec<LabelLine>,
}

#[derive(Debug, Serialize)]
struct LabelLine {
    x: String,
    y: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct WaterPath {
    path: String,
    /// The width of a river in units; `None` for an area.
    width: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    code: String,
    count: String,
    share: String,
}

/// How many codes the lists beside the map have.
const LISTED: usize = 8;

/// West, south, east and north of the inner city: its postal codes are too small to be read on the map of the whole.
const CENTRE: [f64; 4] = [9.9, 53.522, 10.085, 53.616];

/// Half the width of a postal code there, in units.
const LABEL_ROOM: f64 = 6.0;

/// The height of a line of a label, in units.
const LABEL_LINE: f64 = 17.0;

impl Map {
    /// Draws counts by postal code.
    pub fn new(counts: &BTreeMap<u16, u64>, total: u64) -> Result<Self, ReportError> {
        let area = Area::read()?;
        let of = |code: &str| code.parse().ok().and_then(|code: u16| counts.get(&code)).copied();
        let in_city = |code: u16| area.codes.centers.contains_key(&code.to_string());
        let largest = area
            .codes
            .centers
            .keys()
            .filter_map(|code| of(code))
            .max()
            .unwrap_or_default();
        let levels = Levels::up_to(largest);
        let centers: Vec<Place> = area
            .codes
            .centers
            .values()
            .map(|&center| area.project(center))
            .collect();
        let areas = voronoi::areas(&centers, (WIDTH, area.height()));
        let cells: Vec<_> = area.codes.centers.keys().zip(areas).collect();
        let mut sorted: Vec<(u16, u64)> = counts.iter().map(|(&code, &count)| (code, count)).collect();
        sorted.sort_by_key(|&(code, count)| (u64::MAX - count, code));
        let (city, around): (Vec<_>, Vec<_>) = sorted.iter().copied().partition(|&(code, _)| in_city(code));
        let outside: u64 = around.iter().map(|(_, count)| count).sum();
        Ok(Self {
            width: format!("{WIDTH:.0}"),
            height: format!("{:.0}", area.height()),
            centre: centre(&area, &cells),
            cells: cells
                .iter()
                .map(|(code, corners)| {
                    let count = of(code).unwrap_or_default();
                    Cell {
                        path: path(corners),
                        level: levels.of(count),
                        title: format!("{code}: {}", grouped(count)),
                    }
                })
                .collect(),
            districts: districts(&area),
            waters: waters(&area),
            legend: levels.legend(largest),
            tables: vec![
                listed("Die meisten in der Stadt", &city, total),
                listed("Die meisten im Umland", &around, total),
            ],
            rows: sorted
                .iter()
                .map(|&(code, count)| Row {
                    code: code.to_string(),
                    count: grouped(count),
                    share: percent(count, total),
                })
                .collect(),
            summary: format!(
                "{} Postleitzahlen; {} der Anfragen kommen aus dem Umland.",
                grouped(u64::try_from(counts.len()).unwrap_or_default()),
                percent(outside, total)
            ),
            sources: vec![area.borders.source, area.codes.source],
        })
    }
}

fn listed(title: &'static str, codes: &[(u16, u64)], total: u64) -> BarTable {
    let longest = codes.first().map_or(0, |&(_, count)| count);
    let rows = codes.iter().take(LISTED);
    BarTable {
        title,
        share_of: "von allen",
        rows: rows
            .map(|&(code, count)| {
                let code = code.to_string();
                Bar::new(code.clone(), &[("tone-a", &code, count)], longest, total)
            })
            .collect(),
    }
}

fn centre(area: &Area, cells: &[(&String, Vec<Place>)]) -> Centre {
    let [west, south, east, north] = CENTRE;
    let ((left, top), (right, bottom)) = (area.project((west, north)), area.project((east, south)));
    let labels = cells.iter().filter_map(|(code, corners)| {
        let (x, y) = voronoi::middle(corners)?;
        let is_inside = x > left + LABEL_ROOM && x < right - LABEL_ROOM && y > top && y < bottom;
        is_inside.then(|| LabelLine {
            x: format!("{x:.1}"),
            y: format!("{y:.1}"),
            text: (*code).clone(),
        })
    });
    Centre {
        view_box: format!("{left:.1} {top:.1} {:.1} {:.1}", right - left, bottom - top),
        labels: labels.collect(),
    }
}

fn districts(area: &Area) -> Vec<District> {
    let shapes = area.borders.shape.iter().map(|shape| {
        let (x, y) = area.project(shape.at);
        let lines = shape.label.iter().scan(y, |y, text| {
            let line = LabelLine {
                x: format!("{x:.0}"),
                y: format!("{y:.0}"),
                text: text.clone(),
            };
            *y += LABEL_LINE;
            Some(line)
        });
        District {
            path: path(&area.ring(shape)),
            label: lines.collect(),
        }
    });
    shapes.collect()
}

fn waters(area: &Area) -> Vec<WaterPath> {
    let waters = area.borders.water.iter().map(|water| {
        let course: Vec<Place> = water.points.iter().map(|&point| area.project(point)).collect();
        let line = path(&course);
        match water.width_km {
            Some(width) => WaterPath {
                path: line.trim_end_matches('Z').to_owned(),
                width: Some(format!("{:.1}", width * area.units_per_km())),
            },
            None => WaterPath {
                path: line,
                width: None,
            },
        }
    });
    waters.collect()
}

/// Returns the `d` attribute of an area.
fn path(corners: &[Place]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in corners.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        // Memory takes every byte.
        let _ = write!(path, "{command}{x:.1} {y:.1}");
    }
    path.push('Z');
    path
}
