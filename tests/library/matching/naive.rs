//! A literal implementation of the rules: slow, but obviously correct.

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::inquiry::Answers;
use taubenabwehr::domain::matching::{Firm, FirmId};

/// The history of all requests to firms, in order.
#[derive(Default)]
pub struct Naive {
    asks: Vec<(FirmId, Timestamp)>,
}

impl Naive {
    pub fn ask(
        &mut self,
        firms: &[Firm],
        answers: &Answers,
        already: &[FirmId],
        count: usize,
        now: Timestamp,
    ) -> Vec<FirmId> {
        let mut matching: Vec<&Firm> = firms
            .iter()
            .filter(|firm| firm.takes(answers) && !already.contains(&firm.id) && self.may_be_asked(firm, now))
            .collect();
        // The sort is stable, so ties keep the order of the file.
        matching.sort_by_key(|firm| self.asks.iter().rposition(|(id, _)| *id == firm.id));
        let chosen: Vec<_> = matching.iter().take(count).map(|firm| firm.id.clone()).collect();
        self.asks.extend(chosen.iter().map(|id| (id.clone(), now)));
        chosen
    }

    fn may_be_asked(&self, firm: &Firm, now: Timestamp) -> bool {
        let of_firm = self.asks.iter().filter(|(id, _)| *id == firm.id);
        let recent =
            of_firm.filter(|&&(_, time)| now.duration_since(time) < SignedDuration::from_hours(7 * 24));
        firm.per_week.is_none_or(|limit| recent.count() < limit as usize)
    }
}
