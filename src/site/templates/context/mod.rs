//! Template data, limited to what the reader may see of an inquiry or a firm.

mod firm;
mod inquiry;
mod pages;
mod reviews;

pub use firm::{AskedState, asked_firm, checked_firm, described_firm};
pub use inquiry::{inquiry_reference, inquiry_with_person, inquiry_without_person};
pub use pages::{
    FirmPage, FirmState, OutcomeContext, OutcomeState, VisitorNotice, VisitorPage, VisitorState, photo,
};
pub use reviews::{ReviewContext, SentReview};
