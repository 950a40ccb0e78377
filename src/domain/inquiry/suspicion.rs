//! Signs of a robot in how the questionnaire was filled in, which it reports with an inquiry.
//!
//! A suspected inquiry is stored and answered like any other, since the suspicion may be wrong; only exports leave it out by
//! default. A client that does not use the questionnaire reports nothing and is not suspected.

use std::time::Duration;

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// Request header with the time for which the page was open, in whole milliseconds.
pub const FILL_TIME_HEADER: &str = "form-fill-time";

/// Request header that is sent if the invisible field was filled in.
pub const TRAP_HEADER: &str = "form-trap";

/// The minimum time for a human. The questionnaire pauses for 300 ms between questions, which makes 900 ms even with a preselected
/// building, and nobody loads, reads and types in the remaining tenth of a second. A higher limit would catch more programs, but
/// also visitors whose browser fills in all fields at once; the invisible field catches those programs.
const MIN_FILL_TIME: Duration = Duration::from_secs(1);

/// Why an inquiry is held back: suspected spam, or too many from one sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
pub enum Suspicion {
    /// The invisible field was filled in.
    #[n(0)]
    TrapFilled,
    /// The form was filled in faster than is humanly possible: in this many milliseconds.
    #[n(1)]
    TooQuick(#[n(0)] u16),
    /// Not a sign of a robot: the sender or its network has reached the daily limit of inquiries passed on. Holds the number of
    /// the inquiry among theirs within 24 hours.
    #[n(2)]
    TooMany(#[n(0)] u32),
    /// The reported time is malformed in a way that the questionnaire never produces.
    #[n(3)]
    Forged,
}

impl Suspicion {
    /// The suspicion raised by a report, given the values of its two headers; `None` for a header that was not sent.
    pub fn of(fill_time: Option<&[u8]>, trap: Option<&[u8]>) -> Option<Self> {
        if trap.is_some() {
            return Some(Self::TrapFilled);
        }
        let millis = std::str::from_utf8(fill_time?).ok();
        let time = millis
            .and_then(|text| text.parse().ok())
            .map(Duration::from_millis);
        time.map_or(Some(Self::Forged), Self::of_time)
    }

    /// The suspicion raised by the time that the form took.
    pub fn of_time(time: Duration) -> Option<Self> {
        (time < MIN_FILL_TIME).then(|| Self::TooQuick(u16::try_from(time.as_millis()).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_and_a_missing_one_raises_nothing() {
        let of = |fill_time: Option<&str>, trap: Option<&str>| {
            Suspicion::of(fill_time.map(str::as_bytes), trap.map(str::as_bytes))
        };
        assert_eq!(of(None, None), None);
        for honest in ["1000", "60000", "86400000", "18446744073709551615"] {
            assert_eq!(of(Some(honest), None), None, "{honest}");
        }
        for (quick, millis) in [("0", 0), ("1", 1), ("999", 999)] {
            assert_eq!(
                of(Some(quick), None),
                Some(Suspicion::TooQuick(millis)),
                "{quick}"
            );
        }
        for forged in ["", "-1", "1e9", "12.5", " 5000", "soon", "18446744073709551616"] {
            assert_eq!(of(Some(forged), None), Some(Suspicion::Forged), "{forged}");
        }
        assert_eq!(Suspicion::of(Some(b"\xff"), None), Some(Suspicion::Forged));
        assert_eq!(of(Some("60000"), Some("filled")), Some(Suspicion::TrapFilled));
        assert_eq!(of(None, Some("")), Some(Suspicion::TrapFilled));
    }
}
