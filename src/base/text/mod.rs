//! Short texts with rules, shared by all parts of the program.

pub mod ascii_host;
pub mod berlin;
pub mod mail_address;
pub mod origin;
pub mod phone;
