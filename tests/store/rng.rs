//! Randomness that is the same in every run.

/// A small pseudo-random sequence, the same in every run.
#[derive(Debug)]
pub struct Rng(u64);

impl Rng {
    /// Each seed, however small, gives a sequence of its own.
    pub fn new(seed: u64) -> Self {
        // The multiplier spreads the seed over all bits (Knuth); 0 would stay 0 for ever.
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
