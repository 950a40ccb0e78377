//! What firms owe for inquiries that they accept: amounts, exact to the cent, terms, and outcomes of inquiries. Everything
//! here is pure.

mod euro;
mod outcome;
mod percent;
mod terms;

pub use euro::{Euro, NotAnAmount};
pub use outcome::Outcome;
pub use percent::{NotAPercentage, Percent};
pub use terms::Terms;
