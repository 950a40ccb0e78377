//! The drawing of the area, from the files that the site's map is drawn from.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ReportError;
use super::voronoi::Place;
use crate::site::embedded;

/// What the map is drawn from.
pub struct Area {
    /// The districts and waters.
    pub borders: Borders,
    /// The middle of each of the city's postal codes.
    pub codes: Codes,
}

/// `content/map.toml`, as far as the report draws it.
#[derive(Debug, Deserialize)]
pub struct Borders {
    frame: [f64; 4],
    /// Whose borders they are.
    pub source: Source,
    line: Vec<Line>,
    /// The districts.
    pub shape: Vec<Shape>,
    /// Rivers and lakes.
    pub water: Vec<Water>,
}

#[derive(Debug, Deserialize)]
struct Line {
    name: String,
    points: Vec<Place>,
}

/// A district or a part of one.
#[derive(Debug, Deserialize)]
pub struct Shape {
    /// Names of the lines around it; a hyphen walks one backwards.
    border: Vec<String>,
    /// Its name, in the lines of its label.
    pub label: Vec<String>,
    /// Where the label stands.
    pub at: Place,
}

/// A river, as a line so many kilometres wide, or as an area.
#[derive(Debug, Deserialize)]
pub struct Water {
    /// The width of a line.
    pub width_km: Option<f64>,
    /// Its course.
    pub points: Vec<Place>,
}

/// `content/postal-codes.toml`.
#[derive(Debug, Deserialize)]
pub struct Codes {
    /// Whose places they are.
    pub source: Source,
    /// The middle of each code.
    pub centers: BTreeMap<String, Place>,
}

/// What a licence asks to be told.
#[derive(Debug, Deserialize, serde::Serialize)]
pub struct Source {
    owner: String,
    licence: String,
    licence_url: String,
    change: String,
}

/// Kilometres from one degree of latitude to the next.
const KM_PER_DEGREE: f64 = 111.2;

/// Hamburg's latitude. Degrees of longitude shrink by its cosine.
const MIDDLE: f64 = 53.55;

/// The width of the drawing in units.
pub const WIDTH: f64 = 640.0;

impl Area {
    /// Reads the files.
    pub fn read() -> Result<Self, ReportError> {
        Ok(Self {
            borders: toml::from_str(&embedded::text("report/map.toml")?)?,
            codes: toml::from_str(&embedded::text("report/postal-codes.toml")?)?,
        })
    }

    /// Returns the height of the drawing in units.
    pub fn height(&self) -> f64 {
        let [_, south, _, north] = self.borders.frame;
        (north - south) * self.units_per_degree()
    }

    /// Returns how many units a kilometre is long.
    pub fn units_per_km(&self) -> f64 {
        self.units_per_degree() / KM_PER_DEGREE
    }

    /// Returns where a place is in the drawing.
    pub fn project(&self, (longitude, latitude): Place) -> Place {
        let [west, _, _, north] = self.borders.frame;
        let scale = self.units_per_degree();
        ((longitude - west) * shrink() * scale, (north - latitude) * scale)
    }

    /// Returns the corners of a district in the drawing.
    pub fn ring(&self, shape: &Shape) -> Vec<Place> {
        let mut ring = Vec::new();
        for name in &shape.border {
            let (name, is_backwards) = name
                .strip_prefix('-')
                .map_or((name.as_str(), false), |name| (name, true));
            let line = self.borders.line.iter().find(|line| line.name == name);
            let points = line.map_or(&[][..], |line| &line.points);
            let projected = points.iter().map(|&point| self.project(point));
            if is_backwards {
                ring.extend(projected.rev());
            } else {
                ring.extend(projected);
            }
        }
        ring.dedup();
        ring
    }

    fn units_per_degree(&self) -> f64 {
        let [west, _, east, _] = self.borders.frame;
        WIDTH / ((east - west) * shrink())
    }
}

fn shrink() -> f64 {
    MIDDLE.to_radians().cos()
}
