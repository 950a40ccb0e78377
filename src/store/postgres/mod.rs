//! The engine for several machines: a PostgreSQL database. No other module knows tokio-postgres.

mod binding;
pub mod connector;
mod password;
pub mod settings;
mod tls;
mod url;

pub use settings::{Settings, SettingsError};
pub use tls::TlsError;
pub use url::without_password;
