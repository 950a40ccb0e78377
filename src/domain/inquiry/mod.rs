//! Inquiries of visitors, parsed once into types that cannot hold invalid values. No I/O happens here.

mod additions;
mod answer;
mod choices;
mod consent;
mod contact;
mod correction;
mod fault;
mod fields;
mod form;
#[expect(
    clippy::module_inception,
    reason = "the module is about inquiries, this file about the inquiry"
)]
mod inquiry;
mod name;
mod parse;
mod postal_code;
mod preselection;
mod search;
mod suspicion;
mod text;
mod time;

pub use additions::{additions, split_storey, with_storey};
pub use answer::Answer;
pub use choices::{Choice, Location, Problem, Property, PropertyType, labels, limits};
pub use consent::{SPOKEN_CONSENT, consent_wording};
pub use contact::{EmailAddress, PersonName, PhoneNumber};
pub use correction::Correction;
pub use fault::{ErrorBody, Fault, Faults, Field};
pub use fields::{ANSWERS, Answers, COLUMNS, EXPORT_COLUMNS, LIST_SEPARATOR, SENT_NAMES};
pub use form::Form;
pub use inquiry::{FieldDigest, Fingerprint, Inquiry, NewInquiry};
pub use name::{InquiryName, PartName, received, reference};
pub use postal_code::PostalCode;
pub use preselection::Preselection;
pub use search::{Person, Search};
pub use suspicion::{FILL_TIME_HEADER, Suspicion, TRAP_HEADER};
pub use time::{CREDIBLE, TimeRange, parse_rfc3339, rfc3339_millis};
