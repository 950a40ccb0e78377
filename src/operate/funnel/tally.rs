//! What is counted, and under which name the store keeps it.

use std::collections::HashMap;

use crate::store::DayCounts;

/// How many steps the questionnaire has.
pub const STEPS: usize = 5;

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<'a> {
    /// A page of the site was shown; this is its path.
    Page(&'a str),
    /// A step of the questionnaire was reached, from 0.
    Step(u8),
    /// An inquiry of the questionnaire was stored.
    Inquiry,
    /// An inquiry was stored that a program had sent.
    OtherInquiry,
}

/// Counts of one day.
#[derive(Debug, Default)]
pub struct Tally {
    pages: HashMap<String, u64>,
    steps: [u64; STEPS],
    inquiries: u64,
    other_inquiries: u64,
}

impl Tally {
    /// Counts something once.
    pub fn add(&mut self, what: Counted<'_>) {
        match what {
            Counted::Page(path) => match self.pages.get_mut(path) {
                Some(count) => *count += 1,
                None => {
                    self.pages.insert(path.to_owned(), 1);
                }
            },
            Counted::Step(step) => {
                if let Some(count) = self.steps.get_mut(usize::from(step)) {
                    *count += 1;
                }
            }
            Counted::Inquiry => self.inquiries += 1,
            Counted::OtherInquiry => self.other_inquiries += 1,
        }
    }

    /// Returns the counts by name, and starts over.
    pub fn take(&mut self) -> DayCounts {
        let Self {
            pages,
            steps,
            inquiries,
            other_inquiries,
        } = std::mem::take(self);
        let pages = pages
            .into_iter()
            .map(|(path, count)| (format!("page:{path}"), count));
        let steps = steps.into_iter().enumerate();
        let steps = steps.map(|(step, count)| (format!("step:{step}"), count));
        let inquiries = [
            ("inquiry".to_owned(), inquiries),
            ("inquiry:other".to_owned(), other_inquiries),
        ];
        let all = pages.chain(steps).chain(inquiries);
        all.filter(|(_, count)| *count > 0).collect()
    }
}
