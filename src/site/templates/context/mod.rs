//! What templates are filled with, so that none gets a value that its reader must not see. `ui/build/mails/names.ts` lists the
//! names that each may use.

mod firm;
mod inquiry;
mod pages;
mod reviews;

pub use firm::{AskedState, asked_firm, checked_firm, configured_firm, named_firm};
pub use inquiry::{inquiry_reference, inquiry_with_person, inquiry_without_person};
pub use pages::{
    FirmPage, FirmState, OutcomeContext, OutcomeState, VisitorNotice, VisitorPage, VisitorState, photo,
};
pub use reviews::{ReviewContext, SentReview};
