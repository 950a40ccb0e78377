//! The hosts of a database.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;

use super::parameters::Parameters;
use super::settings_error::SettingsError;

/// PostgreSQL's port.
const PORT: u16 = 5432;

/// One host of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name, for the certificate and the password, or the directory of its socket.
    pub name: String,
    /// The address that its name stands for, where it is not looked up.
    pub address: Option<IpAddr>,
    /// Its port.
    pub port: u16,
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.contains(':') {
            write!(formatter, "[{}]:{}", self.name, self.port)
        } else {
            write!(formatter, "{}:{}", self.name, self.port)
        }
    }
}

impl Host {
    /// Returns the directory of its socket, if that is how it is reached.
    pub fn socket(&self) -> Option<&Path> {
        let is_socket = self.address.is_none() && self.name.starts_with('/');
        is_socket.then(|| Path::new(&self.name))
    }
}

/// Takes the hosts of a database.
pub fn hosts(given: &mut Parameters) -> Result<Vec<Host>, SettingsError> {
    let mut names = given.list("host");
    let addresses = given.list("hostaddr");
    let ports = given.list("port");
    if names.is_empty() {
        names.clone_from(&addresses);
    }
    if names.is_empty() {
        names.push("localhost".to_owned());
    }
    let number = |key, other: usize| match names.len() {
        names if names != other => Err(SettingsError::Number { names, key, other }),
        _ => Ok(()),
    };
    // One port is that of all hosts; an address is only one host's.
    if ports.len() > 1 {
        number("port", ports.len())?;
    }
    if !addresses.is_empty() {
        number("hostaddr", addresses.len())?;
    }
    let value = |key, expected| SettingsError::Value { key, expected };
    let hosts = names.iter().enumerate().map(|(index, name)| {
        let address = addresses.get(index).filter(|text| !text.is_empty());
        let address = address.map(|text| text.parse()).transpose();
        let port = ports.get(index).or_else(|| ports.first());
        let port = port.filter(|text| !text.is_empty());
        let port = port.map_or(Ok(PORT), |text| text.trim().parse());
        Ok(Host {
            name: match name.as_str() {
                "" => "localhost".to_owned(),
                name => name.to_owned(),
            },
            address: address.map_err(|_| value("hostaddr", "an IP address"))?,
            port: port.map_err(|_| value("port", "a number up to 65535"))?,
        })
    });
    hosts.collect()
}
