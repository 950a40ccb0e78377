//! Leases of deliveries in progress. Each instance leases the deliveries that it attempts and keeps renewing the leases; after a
//! crash, others take over once they have expired.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};

use super::ids::Id;
use crate::domain::referral::millis;

/// Duration of a lease. Others take over within a minute, including the ten seconds until they notice.
pub const LEASE: SignedDuration = SignedDuration::from_secs(40);

/// A lease of a delivery that was begun but not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Lease {
    /// The number of the delivery.
    #[n(0)]
    pub number: u16,
    /// When any instance may take it over.
    #[cbor(n(1), with = "millis")]
    pub until: Timestamp,
    /// Whether an earlier attempt was begun, with unknown outcome.
    #[n(2)]
    pub is_retaken: bool,
    /// The process that attempts it.
    #[cbor(n(3), with = "minicbor::bytes")]
    pub holder: Id,
}

/// The leases of an inquiry's deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode)]
#[cbor(transparent, context_bound = "Copy + Into<i64>")]
pub struct Leases(#[n(0)] Vec<Lease>);

impl Leases {
    /// The lease of a delivery.
    pub fn of(&self, number: u16) -> Option<&Lease> {
        self.0.iter().find(|lease| lease.number == number)
    }

    /// The numbers of the leased deliveries.
    pub fn numbers(&self) -> Vec<u16> {
        self.0.iter().map(|lease| lease.number).collect()
    }

    /// Leases a delivery unless it is leased; returns whether it did.
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

    /// Extends a lease of this holder; returns whether the holder has it.
    pub fn renew(&mut self, number: u16, holder: Id, until: Timestamp) -> bool {
        let own = self
            .0
            .iter_mut()
            .find(|lease| lease.number == number && lease.holder == holder);
        own.map(|lease| lease.until = until).is_some()
    }

    /// Releases an unused lease of this holder; returns whether the holder had it.
    pub fn give_back(&mut self, number: u16, holder: Id, now: Timestamp) -> bool {
        let own = |lease: &Lease| lease.number == number && lease.holder == holder;
        let before = self.0.len();
        self.0.retain(|lease| !own(lease) || lease.is_retaken);
        // An earlier attempt stays on record.
        self.0.len() < before || self.renew(number, holder, now)
    }

    /// Expires the leases of other holders, which are no longer running. Returns whether there were any.
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

    /// Ends a lease because the outcome is known; returns whether there was one.
    pub fn end(&mut self, number: u16) -> bool {
        let before = self.0.len();
        self.0.retain(|lease| lease.number != number);
        self.0.len() < before
    }

    /// When a delivery due at `due` may be attempted.
    pub fn free(&self, number: u16, due: Timestamp) -> Timestamp {
        self.of(number).map_or(due, |lease| lease.until.max(due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let value = encode(&leases, 0);
        assert_eq!(decode(&value, 0), Some(leases.clone()));
        // Giving back an unused lease leaves the earlier attempt on record.
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
