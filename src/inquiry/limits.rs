//! The longest texts, in characters, from `content/inquiry.toml`.
#![expect(missing_docs, reason = "each has the name of what it limits")]

include!(concat!(env!("OUT_DIR"), "/ui/generated/inquiry/limits.rs"));
