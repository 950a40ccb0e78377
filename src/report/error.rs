//! Why a report cannot be drawn.

/// A fault of the program's own files: a test draws a report, so that no operator sees one.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file inside this executable.
    #[error("a file of the report cannot be unpacked: {0}")]
    Text(#[from] std::io::Error),
    /// The map of the area.
    #[error("the map of the report cannot be read: {0}")]
    Map(#[from] toml::de::Error),
    /// The page.
    #[error("the page of the report cannot be filled: {0}")]
    Page(#[from] minijinja::Error),
}
