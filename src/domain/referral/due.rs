//! When a referral has something due.

use jiff::Timestamp;

/// Who handles what is due. Each lane has its own order, so that a mail server that hangs holds up no webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The clock: an answer is overdue, a released inquiry begins, a withdrawn one is forgotten.
    Clock,
    /// The mail server.
    Mail,
    /// The operator's webhook.
    Webhook,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Self; 3] = [Self::Clock, Self::Mail, Self::Webhook];
}

/// When something is due in each lane; `None` where nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Due {
    /// In [`Lane::Clock`].
    pub clock: Option<Timestamp>,
    /// In [`Lane::Mail`].
    pub mail: Option<Timestamp>,
    /// In [`Lane::Webhook`].
    pub webhook: Option<Timestamp>,
}

impl Due {
    /// Returns when something is due in a lane.
    pub fn of(&self, lane: Lane) -> Option<Timestamp> {
        match lane {
            Lane::Clock => self.clock,
            Lane::Mail => self.mail,
            Lane::Webhook => self.webhook,
        }
    }

    /// Notes that something is due in a lane.
    pub(super) fn note(&mut self, lane: Lane, at: Timestamp) {
        let due = match lane {
            Lane::Clock => &mut self.clock,
            Lane::Mail => &mut self.mail,
            Lane::Webhook => &mut self.webhook,
        };
        *due = Some(due.map_or(at, |before| before.min(at)));
    }
}
