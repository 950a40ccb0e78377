//! What a store says when what waits in it is held.

use jiff::Timestamp;

/// Returns a warning that what waits is held.
pub fn restored(at: Timestamp) -> String {
    format!(
        "the inquiries were restored from a backup at {at}: what was to be sent and done for them then is held until \
         `taubenabwehr deliveries retry`"
    )
}
