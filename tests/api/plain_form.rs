//! The questionnaire without JavaScript (contract, "The questionnaire without JavaScript").

mod form;
mod requests;
mod stored;
mod wrong;

pub use form::{page, right, value};
