//! Deliveries that somebody has begun to try. Each instance leases those that it tries, and renews the leases as long as it
//! does: what a killed one has left is taken over when its lease has run out.

use jiff::{SignedDuration, Timestamp};

use crate::domain::referral::{Due, Lane, Referral};
use crate::store::error::Damaged;

/// How long a lease lasts. Others take over within a minute, of which they need ten seconds to notice.
pub const LEASE: SignedDuration = SignedDuration::from_secs(40);

/// The first byte of every value.
const VERSION: u8 = 1;

/// Bytes of a lease: number, end, whether it was taken over, holder.
const LENGTH: usize = 2 + 8 + 1 + 16;

/// Names the instance that holds a lease.
pub type Holder = [u8; 16];

/// A delivery that somebody has begun to try and not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The number of the delivery.
    pub number: u16,
    /// When anybody may take it over.
    pub until: Timestamp,
    /// Whether somebody had begun to try it before, and nobody knows how far that came.
    pub is_retaken: bool,
    /// Who tries it.
    pub holder: Holder,
}

/// The leases of an inquiry's deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leases(Vec<Lease>);

impl Leases {
    /// Reads what [`Self::encode`] has written.
    pub fn decode(value: Option<&[u8]>) -> Result<Self, Damaged> {
        let Some(value) = value else {
            return Ok(Self::default());
        };
        let damaged = Damaged("what is leased cannot be read");
        let (&VERSION, rest) = value.split_first().ok_or(damaged)? else {
            return Err(damaged);
        };
        let (leases, []) = rest.as_chunks::<LENGTH>() else {
            return Err(damaged);
        };
        leases
            .iter()
            .map(|bytes| read(bytes).ok_or(damaged))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the value that is stored; `None` if nothing is leased.
    pub fn encode(&self) -> Option<Vec<u8>> {
        if self.0.is_empty() {
            return None;
        }
        let mut value = Vec::with_capacity(1 + LENGTH * self.0.len());
        value.push(VERSION);
        for lease in &self.0 {
            value.extend(lease.number.to_be_bytes());
            value.extend(lease.until.as_millisecond().to_be_bytes());
            value.push(u8::from(lease.is_retaken));
            value.extend(lease.holder);
        }
        Some(value)
    }

    /// Returns the lease of a delivery.
    pub fn of(&self, number: u16) -> Option<&Lease> {
        self.0.iter().find(|lease| lease.number == number)
    }

    /// Returns the numbers of the deliveries that somebody has begun to try.
    pub fn numbers(&self) -> Vec<u16> {
        self.0.iter().map(|lease| lease.number).collect()
    }

    /// Leases a delivery unless somebody has it; returns whether it did.
    pub fn take(&mut self, number: u16, holder: Holder, now: Timestamp) -> bool {
        let until = now.saturating_add(LEASE).unwrap_or(now);
        match self.0.iter_mut().find(|lease| lease.number == number) {
            Some(lease) if lease.until > now => return false,
            Some(lease) => {
                *lease = Lease {
                    number,
                    until,
                    is_retaken: true,
                    holder,
                };
            }
            None => self.0.push(Lease {
                number,
                until,
                is_retaken: false,
                holder,
            }),
        }
        true
    }

    /// Moves the end of a lease that this holder still has; returns whether it has it.
    pub fn renew(&mut self, number: u16, holder: Holder, until: Timestamp) -> bool {
        let own = self
            .0
            .iter_mut()
            .find(|lease| lease.number == number && lease.holder == holder);
        own.map(|lease| lease.until = until).is_some()
    }

    /// Gives back a lease that this holder still has and did not use; returns whether it has it.
    pub fn give_back(&mut self, number: u16, holder: Holder, now: Timestamp) -> bool {
        let own = |lease: &Lease| lease.number == number && lease.holder == holder;
        let before = self.0.len();
        self.0.retain(|lease| !own(lease) || lease.is_retaken);
        // What somebody had begun before stays so.
        self.0.len() < before || self.renew(number, holder, now)
    }

    /// Ends the leases of other holders, who are dead: anybody may take them over. Returns whether there were any.
    pub fn end_others(&mut self, holder: Holder, now: Timestamp) -> bool {
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

    /// Returns when somebody may do something for a referral.
    pub fn due(&self, referral: &Referral) -> Due {
        let mut due = Due {
            clock: referral.due().clock,
            ..Due::default()
        };
        for (number, delivery) in (0..=u16::MAX).zip(&referral.deliveries) {
            let free = delivery.due().map(|due| self.free(number, due));
            let lane = match delivery.message.lane() {
                Lane::Clock => continue,
                Lane::Mail => &mut due.mail,
                Lane::Webhook => &mut due.webhook,
            };
            *lane = match (*lane, free) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        due
    }

    /// Returns when a delivery that is due at some time may be tried.
    pub fn free(&self, number: u16, due: Timestamp) -> Timestamp {
        self.of(number).map_or(due, |lease| lease.until.max(due))
    }
}

fn read(bytes: &[u8; LENGTH]) -> Option<Lease> {
    let (number, rest) = bytes.split_first_chunk()?;
    let (until, rest) = rest.split_first_chunk()?;
    let (&is_retaken, holder) = rest.split_first()?;
    Some(Lease {
        number: u16::from_be_bytes(*number),
        until: Timestamp::from_millisecond(i64::from_be_bytes(*until)).ok()?,
        is_retaken: is_retaken == 1,
        holder: holder.try_into().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_lease_is_one_holders_until_it_runs_out() {
        let mut leases = Leases::default();
        assert_eq!(leases.encode(), None);
        assert!(leases.take(3, [1; 16], at(100)));
        assert!(!leases.take(3, [2; 16], at(139)));
        assert!(leases.renew(3, [1; 16], at(150)));
        assert!(!leases.renew(3, [2; 16], at(200)));
        assert!(!leases.of(3).unwrap().is_retaken);
        assert!(leases.take(3, [2; 16], at(150)));
        assert!(leases.of(3).unwrap().is_retaken);
        assert!(!leases.renew(3, [1; 16], at(300)));
        let value = leases.encode().unwrap();
        assert_eq!(Leases::decode(Some(&value)), Ok(leases.clone()));
        for length in [0, 2, value.len() - 1] {
            assert!(Leases::decode(Some(&value[..length])).is_err(), "{length}");
        }
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
