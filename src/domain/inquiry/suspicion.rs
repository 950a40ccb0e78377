//! Signs of a robot: how the questionnaire was filled in, as it reports with an inquiry.
//!
//! A suspected inquiry is stored and answered like any other, for a mark can be wrong; only exports leave it out unless
//! asked. A program that sends inquiries without the questionnaire reports nothing and is not suspected.

use std::time::Duration;

/// Request header: for how long the page was open, in whole milliseconds.
pub const FILL_TIME_HEADER: &str = "form-fill-time";

/// Request header, sent when the field was filled that no visitor sees.
pub const TRAP_HEADER: &str = "form-trap";

/// No visitor is quicker. The questionnaire pauses for 300 ms between two questions, which makes 900 ms
/// even if the building was chosen before, and nobody loads, reads and types in a tenth of a second. A higher bound would
/// catch more programs, but also a visitor whose browser fills in all fields at once; the hidden field catches those
/// programs.
pub const MIN_FILL_TIME: Duration = Duration::from_secs(1);

/// Why an inquiry is held back: suspected spam, or one too many of its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspicion {
    /// The field that no visitor sees was filled.
    TrapFilled,
    /// It was filled in sooner than anybody can.
    TooQuick,
    /// The report is not what the questionnaire writes.
    Forged,
    /// Not a sign of a robot: its sender, or its network, has sent as many as may be passed on in a day.
    TooMany,
}

impl Suspicion {
    /// Returns the suspicion that a report raises. Takes the values of its two headers; `None` for one that was not sent.
    pub fn of(fill_time: Option<&[u8]>, trap: Option<&[u8]>) -> Option<Self> {
        if trap.is_some() {
            return Some(Self::TrapFilled);
        }
        let millis = std::str::from_utf8(fill_time?)
            .ok()
            .and_then(|text| text.parse().ok());
        match millis.map(Duration::from_millis) {
            None => Some(Self::Forged),
            Some(time) if time < MIN_FILL_TIME => Some(Self::TooQuick),
            Some(_) => None,
        }
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
        for quick in ["0", "1", "999"] {
            assert_eq!(of(Some(quick), None), Some(Suspicion::TooQuick), "{quick}");
        }
        for forged in ["", "-1", "1e9", "12.5", " 5000", "soon", "18446744073709551616"] {
            assert_eq!(of(Some(forged), None), Some(Suspicion::Forged), "{forged}");
        }
        assert_eq!(Suspicion::of(Some(b"\xff"), None), Some(Suspicion::Forged));
        assert_eq!(of(Some("60000"), Some("filled")), Some(Suspicion::TrapFilled));
        assert_eq!(of(None, Some("")), Some(Suspicion::TrapFilled));
    }
}
