//! The questionnaire without JavaScript (`docs/behaviour.md`, section of that name).

mod form;
mod requests;
mod stored;
mod wrong;

pub use form::{RIGHT, encoded, page, post, right, value};
