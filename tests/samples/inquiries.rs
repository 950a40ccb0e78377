//! Inquiries for tests and benchmarks.

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::inquiry::NewInquiry;

/// An inquiry; each number gives a different one.
pub fn sample(number: u64) -> NewInquiry {
    sample_at("2026-11-08T12:00:00.123Z", number)
}

/// An inquiry made at a time.
pub fn sample_at(created_at: &str, number: u64) -> NewInquiry {
    sample_of("anna@example.de", created_at, number)
}

/// An inquiry from this address, made at a time.
pub fn sample_of(email_address: &str, created_at: &str, number: u64) -> NewInquiry {
    let body = serde_json::json!({
        "created_at": created_at,
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Anna",
        "last_name": format!("Meier {number}"),
        "email_address": email_address,
        "phone_number": "+49 40 1234567",
    });
    let at: Timestamp = created_at.parse().unwrap();
    NewInquiry::parse(body.to_string().as_bytes(), at + SignedDuration::from_secs(1)).unwrap()
}
