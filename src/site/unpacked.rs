//! The bytes of a resource as they are, which are kept only while somebody takes them.

use std::sync::{Arc, Weak};

use bytes::Bytes;
use parking_lot::Mutex;

/// The bytes that are under way. All who take them at once share them, so that clients that read slowly cannot fill the memory
/// with copies.
#[derive(Debug, Default)]
pub struct Unpacked(Mutex<Weak<Vec<u8>>>);

/// A reference that ends with the last response.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Unpacked {
    /// Returns the bytes, and unpacks them if nobody has them. `None` when that fails.
    pub fn get_or_unpack(&self, unpack: impl FnOnce() -> Option<Vec<u8>>) -> Option<Bytes> {
        let mut present = self.0.lock();
        let bytes = match present.upgrade() {
            Some(bytes) => bytes,
            None => Arc::new(unpack()?),
        };
        *present = Arc::downgrade(&bytes);
        Some(Bytes::from_owner(Shared(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shared_while_somebody_takes_them_and_gone_afterwards() {
        let unpacked = Unpacked::default();
        let first = unpacked.get_or_unpack(|| Some(vec![1])).unwrap();
        let second = unpacked.get_or_unpack(|| panic!("they are there")).unwrap();
        assert_eq!(first.as_ptr(), second.as_ptr());
        drop(first);
        assert_eq!(unpacked.get_or_unpack(|| Some(vec![2])).unwrap(), second);
        drop(second);
        assert!(unpacked.0.lock().upgrade().is_none(), "nothing is kept");
        assert!(unpacked.get_or_unpack(|| None).is_none());
    }
}
