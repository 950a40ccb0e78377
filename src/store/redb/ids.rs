//! Ids of inquiries: `UUIDv7`, each greater than every one before.

use uuid::{NoContext, Timestamp, Uuid};

use super::schema::Id;

/// Bits of a `UUIDv7` that are not time, version or variant.
const RANDOM_BITS: u32 = 74;
const RANDOM_MASK: u128 = (1 << RANDOM_BITS) - 1;

/// How far two ids of one millisecond are apart at most, in bits: the last twelve characters (48 bits), which
/// visitors see as a reference number, stay unpredictable, and a millisecond has room for 131,072 ids even
/// when each step is the longest and the first id lies in the middle.
const STEP_BITS: u32 = 56;

/// Makes ids. What the clock does does not matter for their order.
#[derive(Debug)]
pub struct Ids {
    millis: u64,
    random: u128,
}

impl Ids {
    /// Goes on behind the last id stored.
    pub fn after(last: Option<Id>) -> Self {
        let mut ids = Self { millis: 0, random: 0 };
        if let Some(last) = last {
            ids.skip_to(last);
        }
        ids
    }

    /// Makes every further id greater than this one.
    pub fn skip_to(&mut self, last: Id) {
        let bits = u128::from_be_bytes(last);
        let millis = (bits >> 80) as u64;
        let random = ((bits >> 64 & 0xfff) << 62) | (bits & ((1 << 62) - 1));
        if (millis, random) > (self.millis, self.random) {
            (self.millis, self.random) = (millis, random);
        }
    }

    /// The next id. `millis` is the time it should have, in milliseconds since 1970; it has a later one when
    /// an id before had.
    pub fn next(&mut self, millis: u64) -> Id {
        let fresh = random();
        let step = fresh & ((1 << STEP_BITS) - 1);
        if millis > self.millis {
            (self.millis, self.random) = (millis, fresh >> 1);
        } else if self.random + step < RANDOM_MASK {
            self.random += step + 1;
        } else {
            (self.millis, self.random) = (self.millis + 1, fresh >> 1);
        }
        let high = (u128::from(self.millis) << 80) | (7 << 76) | ((self.random >> 62) << 64);
        let low = (0b10 << 62) | (self.random & ((1 << 62) - 1));
        (high | low).to_be_bytes()
    }
}

/// Random bits, from the operating system by way of a fresh `UUIDv7`.
fn random() -> u128 {
    let bits = Uuid::new_v7(Timestamp::from_unix(NoContext, 0, 0)).as_u128();
    ((bits >> 64 & 0xfff) << 62) | (bits & ((1 << 62) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(id: Id) -> u128 {
        u128::from_be_bytes(id) >> 80
    }

    #[test]
    fn ids_are_uuids_of_version_7_with_their_time() {
        let id = Uuid::from_bytes(Ids::after(None).next(1_793_534_400_123));
        assert_eq!(id.get_version_num(), 7);
        assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        assert_eq!(
            id.get_timestamp().unwrap().to_unix(),
            (1_793_534_400, 123_000_000)
        );
    }

    #[test]
    fn ids_grow_whatever_the_clock_does() {
        let mut ids = Ids::after(None);
        let mut last = Id::default();
        for clock in [1000, 1000, 1001, 1001, 500, 0, 1001, 1002, 900] {
            for _ in 0..1000 {
                let next = ids.next(clock);
                assert!(next > last);
                assert!(millis(next) >= u128::from(clock));
                last = next;
            }
        }
        assert!(millis(last) <= 1003);
        assert!(Ids::after(Some(last)).next(1) > last);
    }

    #[test]
    fn a_full_millisecond_goes_over_into_the_next() {
        let mut ids = Ids {
            millis: 5,
            random: RANDOM_MASK - 1,
        };
        let (first, second) = (ids.next(5), ids.next(5));
        assert!(second > first);
        assert_eq!(millis(second), 6);
    }

    #[test]
    fn the_last_twelve_characters_tell_nothing_about_the_next() {
        let mut ids = Ids::after(None);
        let tails: Vec<u64> = (0..1000)
            .map(|_| u64::try_from(u128::from_be_bytes(ids.next(1)) & 0xffff_ffff_ffff).unwrap())
            .collect();
        let growing = tails.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&growing), "{growing}");
    }
}
