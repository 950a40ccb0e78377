//! The content of a disk in pages, so that hundreds of copies share what they have in common.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The unit of the system's page cache; also redb's page size.
pub const PAGE: usize = 4096;

#[derive(Debug, Clone, Default)]
pub struct Image {
    pub len: usize,
    /// The written pages, by number.
    pub pages: BTreeMap<usize, Arc<[u8]>>,
}

impl Image {
    pub fn of(bytes: &[u8]) -> Self {
        let pages = bytes.chunks(PAGE).map(Arc::from).enumerate().collect();
        let len = bytes.len();
        Self { len, pages }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        for (number, page) in &self.pages {
            bytes[number * PAGE..][..PAGE].copy_from_slice(page);
        }
        bytes
    }

    /// A page; zeros if it was never written.
    pub fn page(&self, number: usize) -> Arc<[u8]> {
        let page = self.pages.get(&number).cloned();
        page.unwrap_or_else(|| Arc::from([0; PAGE].as_slice()))
    }

    /// Truncates the content, or extends it with zeros.
    pub fn resize(&mut self, len: usize) {
        assert_eq!(len % PAGE, 0, "redb's files consist of whole pages");
        self.len = len;
        self.pages.split_off(&(len / PAGE));
    }
}
