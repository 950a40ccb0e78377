//! Commission on accepted inquiries: amounts exact to the cent, terms, and outcomes of inquiries. Everything here is pure.

mod euro;
mod terms;

pub use euro::Euro;
pub use terms::{Outcome, Percent, Terms};
