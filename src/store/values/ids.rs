//! Ids of inquiries: `UUIDv7`, with the time of receipt, by which inquiries are sorted. They increase unless the clock is set back.

use crate::store::map::EngineError;

/// A `UUIDv7` as bytes, which sort by time.
pub type Id = [u8; 16];

/// Bits of a `UUIDv7` that are not time, version or variant.
const RANDOM_BITS: u32 = 74;
const RANDOM_MASK: u128 = (1 << RANDOM_BITS) - 1;

/// The largest distance between two ids of one millisecond, in bits: the last twelve characters (48 bits), which visitors see as
/// a reference number, stay unpredictable, and a millisecond has room for 131,072 ids even if every step is the longest and the
/// first id is in the middle.
const STEP_BITS: u32 = 56;

/// How far the clock may go back while ids keep increasing, in milliseconds. Clocks are corrected by seconds; after a larger error,
/// new ids would keep the wrong time.
const BACK: u64 = 60_000;

/// Generates ids.
#[derive(Debug, Default)]
pub struct Ids {
    millis: u64,
    random: u128,
}

impl Ids {
    /// Makes later ids greater than this one, unless it comes from a clock that was ahead.
    pub fn skip_to(&mut self, last: Id) {
        let bits = u128::from_be_bytes(last);
        let millis = (bits >> 80) as u64;
        let random = ((bits >> 64 & 0xfff) << 62) | (bits & ((1 << 62) - 1));
        if (millis, random) > (self.millis, self.random) {
            (self.millis, self.random) = (millis, random);
        }
    }

    /// Returns the next id for `millis`, in milliseconds since 1970; its time is slightly later if that of an earlier id was.
    ///
    /// # Errors
    /// When the system provides no random bits.
    pub fn next(&mut self, millis: u64) -> Result<Id, EngineError> {
        let fresh = u128::from_be_bytes(random()?) & RANDOM_MASK;
        let step = fresh & ((1 << STEP_BITS) - 1);
        if millis > self.millis || self.millis - millis > BACK {
            (self.millis, self.random) = (millis, fresh >> 1);
        } else if self.random + step < RANDOM_MASK {
            self.random += step + 1;
        } else {
            (self.millis, self.random) = (self.millis + 1, fresh >> 1);
        }
        let high = (u128::from(self.millis) << 80) | (7 << 76) | ((self.random >> 62) << 64);
        let low = (0b10 << 62) | (self.random & ((1 << 62) - 1));
        Ok((high | low).to_be_bytes())
    }
}

/// The smallest id of an inquiry created at `millis` or later, since an id's time is never before `created_at`. There is no upper
/// bound, because an inquiry may be stored days after its creation.
pub fn first_since(millis: u64) -> Id {
    (u128::from(millis) << 80).to_be_bytes()
}

/// The time of an id, in milliseconds since 1970.
pub fn millis(id: Id) -> u64 {
    (u128::from_be_bytes(id) >> 80) as u64
}

/// Returns random bits.
///
/// # Errors
/// When the system provides none.
pub fn random<const BYTES: usize>() -> Result<[u8; BYTES], EngineError> {
    let mut bytes = [0; BYTES];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| EngineError::Failed(format!("the system gives no random bits: {error}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn after(last: Id) -> Ids {
        let mut ids = Ids::default();
        ids.skip_to(last);
        ids
    }

    #[test]
    fn ids_are_uuids_of_version_7_with_their_time() {
        let id = Uuid::from_bytes(Ids::default().next(1_793_534_400_123).unwrap());
        assert_eq!(id.get_version_num(), 7);
        assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        assert_eq!(
            id.get_timestamp().unwrap().to_unix(),
            (1_793_534_400, 123_000_000)
        );
    }

    #[test]
    fn ids_grow_though_the_clock_is_corrected() {
        let mut ids = Ids::default();
        let mut last = Id::default();
        for clock in [1000, 1000, 1001, 1001, 500, 0, 1001, 1002, 900] {
            for _ in 0..1000 {
                let next = ids.next(clock).unwrap();
                assert!(next > last);
                assert!(millis(next) >= clock);
                last = next;
            }
        }
        assert!(millis(last) <= 1003);
        assert!(after(last).next(1).unwrap() > last);
    }

    #[test]
    fn ids_have_the_time_of_a_clock_that_was_set_right() {
        let day = 24 * 60 * 60 * 1000;
        let (right, wrong) = (20_000 * day, 20_400 * day);
        let mut ids = Ids::default();
        let ahead = ids.next(wrong).unwrap();
        assert_eq!(millis(ids.next(right).unwrap()), right);
        assert_eq!(millis(after(ahead).next(right).unwrap()), right);
        assert_eq!(millis(ids.next(right - BACK).unwrap()), right);
    }

    #[test]
    fn a_full_millisecond_goes_over_into_the_next() {
        let mut ids = Ids {
            millis: 5,
            random: RANDOM_MASK - 1,
        };
        let (first, second) = (ids.next(5).unwrap(), ids.next(5).unwrap());
        assert!(second > first);
        assert_eq!(millis(second), 6);
    }

    #[test]
    fn the_last_twelve_characters_tell_nothing_about_the_next() {
        let mut ids = Ids::default();
        let tails: Vec<u64> = (0..1000)
            .map(|_| u64::try_from(u128::from_be_bytes(ids.next(1).unwrap()) & 0xffff_ffff_ffff).unwrap())
            .collect();
        let growing = tails.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&growing), "{growing}");
    }
}
