//! Reproducible random numbers.

use std::env;
use std::time::Duration;

/// The environment variable that sets the seed.
const SEED: &str = "TAUBENABWEHR_CRASH_SEED";

/// A small pseudo-random number generator (xorshift).
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from the seed in the environment, or else from the clock. Prints the seed, so that a failed test shows
    /// it.
    pub fn from_env() -> Self {
        let now = || jiff::Timestamp::now().subsec_nanosecond().unsigned_abs().into();
        let seed: u64 = env::var(SEED).map_or_else(|_| now(), |seed| seed.parse().unwrap());
        println!("{SEED}={seed}");
        // The multiplier spreads the seed over all bits (Knuth). The state must not be 0, which xorshift never leaves.
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// A duration below `end`.
    pub fn duration_below(&mut self, end: Duration) -> Duration {
        Duration::from_micros(self.below(u64::try_from(end.as_micros()).unwrap()))
    }
}
