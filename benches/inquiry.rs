//! Measures the cost of parsing and validating an inquiry: `cargo bench --bench inquiry`.

#![allow(clippy::unwrap_used, reason = "a benchmark ends where anything fails")]

use std::hint::black_box;
use std::time::Instant;

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::NewInquiry;

/// Enough to make clock resolution and page faults negligible: about a second in total.
const INQUIRIES: u32 = 1_000_000;

fn main() {
    let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
    let body = serde_json::json!([{
        "created_at": "2026-11-08T11:59:59.123Z",
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Änne",
        "last_name": "O'Neill",
        "email_address": "aenne@example.de",
        "phone_number": "+49 (40) 123-4567",
    }])
    .to_string();
    let started = Instant::now();
    for _ in 0..INQUIRIES {
        black_box(NewInquiry::parse(black_box(body.as_bytes()), now).unwrap());
    }
    println!("{:?} an inquiry", started.elapsed() / INQUIRIES);
}
