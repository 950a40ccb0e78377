//! Why the address of a database is refused.

/// Why the address of a database is refused. No message shows what may be a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what they are")]
pub enum SettingsError {
    #[error("it must begin with postgres://")]
    Scheme,
    #[error("its user or password holds a `/`, `?` or `@` that must be written as %2F, %3F or %40")]
    Sign,
    #[error("after `?` it must hold key=value, separated by `&`")]
    Query,
    #[error("its host is not understood; write host:port, and an IPv6 address in brackets")]
    Host,
    #[error("it is not UTF-8, or holds a null character")]
    Text,
    #[error("`{key}` must be {expected}")]
    Value {
        key: &'static str,
        expected: &'static str,
    },
    #[error("it names {names} hosts, but {other} values of `{key}`")]
    Number {
        names: usize,
        key: &'static str,
        other: usize,
    },
    #[error("its parameters are wrong: {0}")]
    Parameter(String),
}
