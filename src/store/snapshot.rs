//! Reading: the inquiries as they were at one moment.

use std::fmt;

use uuid::Uuid;

use super::map::View;
use super::reads;
use super::selection::TimeRange;
use super::stream::InquiryRecords;

/// The inquiries at one moment. The store keeps them for as long as the snapshot, or a stream of it, exists.
pub struct Snapshot {
    view: Box<dyn View + Send>,
    count: u64,
}

impl Snapshot {
    pub(super) fn new(view: Box<dyn View + Send>, count: u64) -> Self {
        Self { view, count }
    }

    /// Returns about how many inquiries there are, in all, with those of which something is left.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Starts to read what is known of the inquiries of a range in the order of their ids, that is, as they were stored;
    /// in constant memory. Those that were withdrawn or erased are among them while anything of them is kept. Must run
    /// inside the runtime.
    pub fn into_records(self, range: TimeRange) -> InquiryRecords {
        let view = self.view;
        InquiryRecords::read(move |each| reads::records(&*view, range, each))
    }

    /// As [`Self::into_records`], the newest first, of those that came before one; `None` begins with the last.
    pub fn into_newest(self, before: Option<Uuid>) -> InquiryRecords {
        let view = self.view;
        InquiryRecords::read(move |each| reads::newest_records(&*view, before, each))
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}
