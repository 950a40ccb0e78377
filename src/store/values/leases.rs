//! Deliveries that somebody has begun to try. Each instance leases those that it tries, and renews the leases as long as it
//! does: what a killed one has left is taken over when its lease has run out.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};

use super::ids::Id;
use crate::domain::referral::millis;

/// How long a lease lasts. Others take over within a minute, of which they need ten seconds to notice.
pub const LEASE: SignedDuration = SignedDuration::from_secs(40);

/// A delivery that somebody has begun to try and not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(context_bound = "millis::Epoch")]
pub struct Lease {
    /// The number of the delivery.
    #[n(0)]
    pub number: u16,
    /// When anybody may take it over.
    #[cbor(n(1), with = "millis")]
    pub until: Timestamp,
    /// Whether somebody had begun to try it before, and nobody knows how far that came.
    #[n(2)]
    pub is_retaken: bool,
    /// Who tries it.
    #[cbor(n(3), with = "minicbor::bytes")]
    pub holder: Id,
}

/// The leases of an inquiry's deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode)]
#[cbor(transparent, context_bound = "millis::Epoch")]
pub struct Leases(#[n(0)] Vec<Lease>);

impl Leases {
    /// Returns the lease of a delivery.
    pub fn of(&self, number: u16) -> Option<&Lease> {
        self.0.iter().find(|lease| lease.number == number)
    }

    /// Returns the numbers of the deliveries that somebody has begun to try.
    pub fn numbers(&self) -> Vec<u16> {
        self.0.iter().map(|lease| lease.number).collect()
    }

    /// Leases a delivery unless somebody has it; returns whether it did.
    pub fn take(&mut self, number: u16, holder: Id, now: Timestamp) -> bool {
        let known = self.of(number);
        if known.is_some_and(|lease| lease.until > now) {
            return false;
        }
        let lease = Lease {
            number,
            until: now.saturating_add(LEASE).unwrap_or(now),
            is_retaken: known.is_some(),
            holder,
        };
        self.end(number);
        self.0.push(lease);
        true
    }

    /// Moves the end of a lease that this holder still has; returns whether it has it.
    pub fn renew(&mut self, number: u16, holder: Id, until: Timestamp) -> bool {
        let own = self
            .0
            .iter_mut()
            .find(|lease| lease.number == number && lease.holder == holder);
        own.map(|lease| lease.until = until).is_some()
    }

    /// Gives back a lease that this holder still has and did not use; returns whether it has it.
    pub fn give_back(&mut self, number: u16, holder: Id, now: Timestamp) -> bool {
        let own = |lease: &Lease| lease.number == number && lease.holder == holder;
        let before = self.0.len();
        self.0.retain(|lease| !own(lease) || lease.is_retaken);
        // What somebody had begun before stays so.
        self.0.len() < before || self.renew(number, holder, now)
    }

    /// Ends the leases of other holders, who are dead: anybody may take them over. Returns whether there were any.
    pub fn end_others(&mut self, holder: Id, now: Timestamp) -> bool {
        let mut is_any = false;
        for lease in self
            .0
            .iter_mut()
            .filter(|lease| lease.holder != holder && lease.until > now)
        {
            lease.until = now;
            is_any = true;
        }
        is_any
    }

    /// Ends a lease, since it is known what came of the delivery; returns whether there was one.
    pub fn end(&mut self, number: u16) -> bool {
        let before = self.0.len();
        self.0.retain(|lease| lease.number != number);
        self.0.len() < before
    }

    /// Returns when a delivery that is due at some time may be tried.
    pub fn free(&self, number: u16, due: Timestamp) -> Timestamp {
        self.of(number).map_or(due, |lease| lease.until.max(due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::referral::millis::Since;
    use crate::store::values::{decode, encode};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_lease_is_one_holders_until_it_runs_out() {
        let mut leases = Leases::default();
        assert!(leases.take(3, [1; 16], at(100)));
        assert!(!leases.take(3, [2; 16], at(139)));
        assert!(leases.renew(3, [1; 16], at(150)));
        assert!(!leases.renew(3, [2; 16], at(200)));
        assert!(!leases.of(3).unwrap().is_retaken);
        assert!(leases.take(3, [2; 16], at(150)));
        assert!(leases.of(3).unwrap().is_retaken);
        assert!(!leases.renew(3, [1; 16], at(300)));
        let value = encode(&leases, Since(0));
        assert_eq!(decode(&value, Since(0)), Some(leases.clone()));
        // Whoever did not use it leaves it as it was.
        assert!(leases.give_back(3, [2; 16], at(160)));
        assert_eq!(leases.of(3).unwrap().until, at(160));
        leases.end(3);
        assert_eq!(leases, Leases::default());
        assert!(leases.take(4, [1; 16], at(100)));
        assert!(!leases.give_back(4, [2; 16], at(110)));
        assert!(leases.give_back(4, [1; 16], at(110)));
        assert_eq!(leases, Leases::default());
    }
}
