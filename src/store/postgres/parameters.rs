//! libpq's parameters, as an address or the environment gives them, until each has been taken.

use std::time::Duration;

use super::settings_error::SettingsError;

/// The parameters that have not been taken, in their order. The value of `host` and `port` is a list, separated by commas.
#[derive(Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Adds a parameter.
    pub fn push(&mut self, key: &str, value: String) {
        self.0.push((key.to_owned(), value));
    }

    /// Returns whether a parameter is given.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(given, _)| given == key)
    }

    /// Takes a parameter; of several values the last one counts.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let value = self.0.iter().rfind(|(given, _)| given == key)?.1.clone();
        self.0.retain(|(given, _)| given != key);
        Some(value)
    }

    /// Takes a list.
    pub fn list(&mut self, key: &str) -> Vec<String> {
        let text = self.take(key);
        text.map_or_else(Vec::new, |text| text.split(',').map(str::to_owned).collect())
    }

    /// Takes one of several words.
    pub fn choice(
        &mut self,
        key: &'static str,
        choices: &[&'static str],
    ) -> Result<Option<&'static str>, SettingsError> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let found = choices.iter().copied().find(|choice| *choice == value);
        found
            .map(Some)
            .ok_or_else(|| SettingsError::Unknown(format!("{key}={value}")))
    }

    /// Takes a number.
    pub fn number(&mut self, key: &'static str) -> Result<Option<u32>, SettingsError> {
        let number = self.take(key).map(|text| text.trim().parse());
        number.transpose().map_err(|_| SettingsError::Value {
            key,
            expected: "a number",
        })
    }

    /// Takes a time, given in units of so many milliseconds; 0 leaves it at its default.
    pub fn time(&mut self, key: &'static str, unit: u64) -> Result<Option<Duration>, SettingsError> {
        let number = self.number(key)?.filter(|&number| number > 0);
        Ok(number.map(|number| Duration::from_millis(u64::from(number) * unit)))
    }

    /// Refuses what is left, except for what changes nothing here.
    pub fn finish(mut self) -> Result<(), SettingsError> {
        self.choice("gssencmode", &["disable", "prefer"])?;
        self.choice("sslcompression", &["0"])?;
        self.choice("client_encoding", &["UTF8", "utf8", "UTF-8", "auto"])?;
        match self.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(SettingsError::Unknown(key)),
        }
    }
}

impl IntoIterator for Parameters {
    type Item = (String, String);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
