//! The response body that a client requests for a stored inquiry, by query and headers as `PostgREST` clients send them.

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use serde_json::{Map, json};

use super::api_error::ApiError;
use super::posted::Fields;
use crate::domain::inquiry::{COLUMNS, Inquiry};
use crate::site::http::response::{self, Body};

/// Media type of a single object instead of an array (`.single()`).
pub const ONE_OBJECT: &str = "application/vnd.pgrst.object+json";

/// The requested body of a 201 response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preference {
    /// An empty body.
    Nothing,
    /// The record with these columns, as an array of one or a single object.
    Record {
        /// From [`COLUMNS`].
        columns: Vec<&'static str>,
        /// Whether it is a single object instead of an array.
        is_single: bool,
    },
}

impl Preference {
    /// Reads `Prefer: return=representation`, `Accept` and `?select=`.
    ///
    /// # Errors
    /// When `select` names an unknown column.
    pub fn requested(headers: &HeaderMap, query: Option<&str>) -> Result<Self, ApiError> {
        // Checked even without a body, so that a client learns of a wrong name immediately.
        let columns = selected_columns(query)?;
        if !prefers_representation(headers) {
            return Ok(Self::Nothing);
        }
        let accepted = headers.get_all(header::ACCEPT).iter();
        let mut accepted = accepted.filter_map(|value| value.to_str().ok());
        let is_single = accepted.any(|value| value.contains(ONE_OBJECT));
        Ok(Self::Record { columns, is_single })
    }

    /// Builds the 201 response for a stored inquiry.
    pub fn created(&self, inquiry: &Inquiry) -> Response<Body> {
        let Self::Record { columns, is_single } = self else {
            return response::empty(StatusCode::CREATED, HeaderMap::new());
        };
        let row = inquiry.row();
        let cells = columns.iter().copied();
        let record: Map<_, _> = cells
            .filter_map(|name| Some((name.to_owned(), row.get(name)?.clone())))
            .collect();
        let (json, content_type) = if *is_single {
            (json!(record), "application/vnd.pgrst.object+json; charset=utf-8")
        } else {
            (json!([record]), response::JSON)
        };
        let mut response = response::with_type(StatusCode::CREATED, content_type, json.to_string());
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

/// The columns of `?select=`: all with `*` or without names.
fn selected_columns(query: Option<&str>) -> Result<Vec<&'static str>, ApiError> {
    let query = Fields::of(query.unwrap_or_default().as_bytes());
    let select = query.typed("select").filter(|select| !select.is_empty());
    let names = select.unwrap_or("*").split(',');
    let columns = names.map(|name| match name.trim().trim_matches('"') {
        "*" => Ok(COLUMNS.to_vec()),
        name => {
            let known = COLUMNS.into_iter().find(|known| *known == name);
            known
                .map(|known| vec![known])
                .ok_or_else(ApiError::unknown_column)
        }
    });
    Ok(columns.collect::<Result<Vec<_>, _>>()?.concat())
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
        let all = |is_single| {
            Ok(Preference::Record {
                columns: COLUMNS.to_vec(),
                is_single,
            })
        };
        assert_eq!(requested("", &[]), Ok(Preference::Nothing));
        assert_eq!(
            requested("select=*", &[("prefer", "return=minimal")]),
            Ok(Preference::Nothing)
        );
        assert_eq!(requested("columns=%22a%22&select=*", &[prefer]), all(false));
        assert_eq!(
            requested("", &[("prefer", "missing=default, return=representation")]),
            all(false)
        );
        assert_eq!(requested("", &[prefer, ("accept", ONE_OBJECT)]), all(true));
        assert_eq!(
            requested("select=id,created_at", &[prefer]),
            Ok(Preference::Record {
                columns: vec!["id", "created_at"],
                is_single: false
            })
        );
        assert_eq!(requested("select=id,secret", &[prefer]), Err(400));
    }
}
