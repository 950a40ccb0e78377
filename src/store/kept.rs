//! What is in the place where something else was to go.

/// Says how many inquiries there are, and that nothing happens to them.
pub fn kept(count: u64) -> String {
    match count {
        1 => "1 inquiry, which stays as it is".to_owned(),
        _ => format!("{count} inquiries, which stay as they are"),
    }
}
