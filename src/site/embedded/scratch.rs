//! Memory for the time of one compression, all of which goes back to the system at its end.
//!
//! The system's allocator keeps what was freed for the next time, up to twice the largest piece that it has given back so
//! far, and for each thread. A piece of more than 32 MiB always goes back, and does not count. So each large piece is
//! reserved with that size; what of it is not touched takes no memory.

use brotli::enc::BrotliAlloc;
use brotli::{Allocator, SliceWrapper, SliceWrapperMut};

/// Smaller pieces are left to the allocator.
const LARGE: usize = 32 * 1024;

/// A little more than the 32 MiB at which glibc stops adapting (`DEFAULT_MMAP_THRESHOLD_MAX`).
const RESERVED: usize = 33 * 1024 * 1024;

/// Returns an empty buffer for anything. What is to be kept of it must be copied.
pub fn buffer() -> Vec<u8> {
    Vec::with_capacity(RESERVED)
}

/// Gives Brotli its memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scratch;

/// A piece of memory.
#[derive(Debug)]
pub struct Piece<T>(Vec<T>);

impl<T> Default for Piece<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> SliceWrapper<T> for Piece<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Piece<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Clone + Default> Allocator<T> for Scratch {
    type AllocatedMemory = Piece<T>;

    fn alloc_cell(&mut self, length: usize) -> Piece<T> {
        let size = size_of::<T>().max(1);
        let capacity = if length.saturating_mul(size) < LARGE {
            length
        } else {
            length.max(RESERVED.div_ceil(size))
        };
        let mut piece = Vec::with_capacity(capacity);
        piece.resize(length, T::default());
        Piece(piece)
    }

    fn free_cell(&mut self, _: Piece<T>) {}
}

impl BrotliAlloc for Scratch {}
