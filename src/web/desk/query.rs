//! What an address or a form says.

/// Names with their values.
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads what was sent.
    pub fn of(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    /// Returns the first value of a name; `None` if it is empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    /// Parses the first value of a name; `None` if there is none that is understood.
    pub fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }
}

/// Writes an address with a query, without the names that have no value.
pub fn address<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}
