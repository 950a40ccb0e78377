//! The form in which the client wants the stored record back, as `PostgREST` clients say in query and headers.

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use serde_json::{Map, Value};

use super::api_error::ApiError;
use crate::domain::inquiry::{COLUMNS, Inquiry, Row};
use crate::site::http::response::{self, Body};

/// Media type of one object instead of an array (`.single()`).
pub const ONE_OBJECT: &str = "application/vnd.pgrst.object+json";

/// The requested form of a 201.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preference {
    /// An empty body.
    Nothing,
    /// The record with these columns (all when empty), as an array of one or as one object.
    Record {
        /// Names out of [`COLUMNS`].
        columns: Vec<String>,
        /// Array or object.
        shape: Shape,
    },
}

/// How one record is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `[{…}]`
    Array,
    /// `{…}`
    Object,
}

impl Preference {
    /// Reads `Prefer: return=representation`, `Accept` and `?select=`.
    ///
    /// # Errors
    /// When `select` names a column that does not exist.
    pub fn requested(headers: &HeaderMap, query: Option<&str>) -> Result<Self, ApiError> {
        // Checked even if no representation is wanted, so that a client learns of a wrong name at once.
        let columns = selected_columns(query)?;
        if !prefers_representation(headers) {
            return Ok(Self::Nothing);
        }
        let accepts_object = headers
            .get_all(header::ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .any(|value| value.contains(ONE_OBJECT));
        let shape = if accepts_object {
            Shape::Object
        } else {
            Shape::Array
        };
        Ok(Self::Record { columns, shape })
    }

    /// Builds the 201 for a stored inquiry.
    pub fn created(&self, inquiry: &Inquiry) -> Response<Body> {
        let Self::Record { columns, shape } = self else {
            return response::empty(StatusCode::CREATED, HeaderMap::new());
        };
        let record = select(inquiry, columns);
        let (json, content_type) = match shape {
            Shape::Array => (format!("[{record}]"), response::JSON),
            Shape::Object => (record, "application/vnd.pgrst.object+json; charset=utf-8"),
        };
        let mut response = response::with_type(StatusCode::CREATED, content_type, json);
        response.headers_mut().insert(
            HeaderName::from_static("preference-applied"),
            HeaderValue::from_static("return=representation"),
        );
        response
    }
}

fn prefers_representation(headers: &HeaderMap) -> bool {
    headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']))
        .any(|preference| preference.trim().eq_ignore_ascii_case("return=representation"))
}

/// Returns the columns of `?select=`, each once; empty when all are selected, by `*` or by no names.
fn selected_columns(query: Option<&str>) -> Result<Vec<String>, ApiError> {
    let select =
        form_urlencoded::parse(query.unwrap_or_default().as_bytes()).find(|(key, _)| key == "select");
    let Some((_, select)) = select.filter(|(_, select)| !select.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut columns = Vec::new();
    let mut all = false;
    for name in select.split(',').map(|name| name.trim().trim_matches('"')) {
        if name == "*" {
            all = true;
        } else if !COLUMNS.contains(&name) {
            return Err(ApiError::unknown_column());
        } else if !columns.iter().any(|column| column == name) {
            columns.push(name.to_owned());
        }
    }
    if all {
        columns.clear();
    }
    Ok(columns)
}

/// Returns the record as JSON, with all columns or with these.
fn select(inquiry: &Inquiry, columns: &[String]) -> String {
    // A record of strings always has a JSON form.
    if columns.is_empty() {
        return serde_json::to_string(&Row::from(inquiry)).unwrap_or_default();
    }
    let mut record = serde_json::to_value(Row::from(inquiry)).unwrap_or_default();
    let selected: Map<_, _> = columns
        .iter()
        .filter_map(|name| Some((name.clone(), record.get_mut(name)?.take())))
        .collect();
    Value::Object(selected).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requested(query: &str, fields: &[(&'static str, &str)]) -> Result<Preference, u16> {
        let fields = fields.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, HeaderValue::from_str(value).unwrap())
        });
        Preference::requested(&fields.collect(), Some(query))
            .map_err(|error| error.into_response().status().as_u16())
    }

    #[test]
    fn the_form_follows_what_the_client_says() {
        let prefer = ("prefer", "return=representation");
        let all = |shape| {
            Ok(Preference::Record {
                columns: vec![],
                shape,
            })
        };
        assert_eq!(requested("", &[]), Ok(Preference::Nothing));
        assert_eq!(
            requested("select=*", &[("prefer", "return=minimal")]),
            Ok(Preference::Nothing)
        );
        assert_eq!(
            requested("columns=%22a%22&select=*", &[prefer]),
            all(Shape::Array)
        );
        assert_eq!(
            requested("", &[("prefer", "missing=default, return=representation")]),
            all(Shape::Array)
        );
        assert_eq!(
            requested("", &[prefer, ("accept", ONE_OBJECT)]),
            all(Shape::Object)
        );
        assert_eq!(
            requested("select=id,created_at", &[prefer]),
            Ok(Preference::Record {
                columns: vec!["id".into(), "created_at".into()],
                shape: Shape::Array
            })
        );
        assert_eq!(requested("select=id,secret", &[prefer]), Err(400));
    }
}
