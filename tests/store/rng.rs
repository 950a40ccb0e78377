//! Deterministic randomness.

/// A small pseudorandom generator, deterministic for a seed.
#[derive(Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator; even small seeds give different sequences.
    pub fn new(seed: u64) -> Self {
        // The multiplier spreads the seed over all bits (Knuth); 0 would stay 0 forever.
        let mut rng = Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        rng.below(2);
        rng
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0).unwrap() % end
    }
}
