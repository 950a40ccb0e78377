//! An in-memory disk that can lose its power and fail, as real ones do.
//!
//! Written data is visible at once, but only durable after a sync. A power cut keeps any part of the data written since: pages in
//! any order, and individual sectors of a page. A failed sync makes just as little durable, and no later sync makes up for it:
//! the system considers the pages written (as Linux does) or discards their content.

use std::io;
use std::sync::{Arc, MutexGuard, PoisonError};

use redb::StorageBackend;

use crate::image::{Image, PAGE};
use crate::rng::Rng;

/// The unit that a disk writes atomically.
const SECTOR: usize = 512;

/// The error code of a broken disk (EIO).
const BROKEN: i32 = 5;

/// When the disk fails. Steps are reads, writes, syncs and changes of length, counted from 1.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    Never,
    /// The power fails before this step is done, and stays off.
    Cut(usize),
    /// Only this step fails.
    Once(usize),
    /// This step and all later ones fail.
    From(usize),
}

/// A change since the last sync.
#[derive(Debug)]
enum Change {
    Length(usize),
    Page(usize, Arc<[u8]>),
}

#[derive(Debug)]
struct State {
    kept: Image,
    seen: Image,
    waiting: Vec<Change>,
    steps: usize,
    fault: Fault,
    dark: bool,
    rng: Rng,
}

/// A handle of the disk.
#[derive(Debug, Clone)]
pub struct Disk(Arc<std::sync::Mutex<State>>);

impl Disk {
    pub fn new(holds: &Image, fault: Fault, seed: u64) -> Self {
        Self(Arc::new(std::sync::Mutex::new(State {
            kept: holds.clone(),
            seen: holds.clone(),
            waiting: Vec::new(),
            steps: 0,
            fault,
            dark: false,
            rng: Rng::new(seed),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn steps(&self) -> usize {
        self.state().steps
    }

    /// Restarts the count of steps, with a new fault.
    pub fn set(&self, fault: Fault) {
        let mut state = self.state();
        (state.steps, state.fault) = (0, fault);
    }

    /// Cuts the power; returns the remaining content.
    pub fn cut(&self) -> Image {
        let mut state = self.state();
        state.cut();
        state.kept.clone()
    }

    /// Switches the power on again, without further faults.
    pub fn mend(&self) {
        let mut state = self.state();
        (state.fault, state.dark) = (Fault::Never, false);
    }
}

impl State {
    /// Counts a step, which may fail.
    fn step(&mut self) -> io::Result<()> {
        self.steps += 1;
        let fails = match self.fault {
            Fault::Never => false,
            Fault::Cut(step) | Fault::Once(step) => self.steps == step,
            Fault::From(step) => self.steps >= step,
        };
        if fails && matches!(self.fault, Fault::Cut(_)) {
            self.cut();
        }
        match fails || self.dark {
            true if self.rng.below(2) == 0 => Err(io::ErrorKind::StorageFull.into()),
            true => Err(io::Error::from_raw_os_error(BROKEN)),
            false => Ok(()),
        }
    }

    fn cut(&mut self) {
        self.keep_some();
        self.seen = self.kept.clone();
        self.dark = true;
    }

    /// Keeps a random part of the data that was not synced.
    fn keep_some(&mut self) {
        // The share varies, so that keeping almost nothing or almost everything is as likely as keeping half.
        let share = [0, 1, 8, 15, 16][self.rng.below(5)];
        let mut lengths_kept = true;
        for change in std::mem::take(&mut self.waiting) {
            let kept = self.rng.below(16) < share;
            match change {
                // File systems keep the order of lengths.
                Change::Length(len) => {
                    lengths_kept &= kept;
                    if lengths_kept {
                        self.kept.resize(len);
                    }
                }
                Change::Page(number, page) if number < self.kept.len / PAGE => {
                    let torn = self.rng.below(4) == 0;
                    let mut mixed = self.kept.page(number).to_vec();
                    for (old, new) in mixed.chunks_mut(SECTOR).zip(page.chunks(SECTOR)) {
                        if if torn { self.rng.below(2) == 0 } else { kept } {
                            old.copy_from_slice(new);
                        }
                    }
                    self.kept.pages.insert(number, mixed.into());
                }
                Change::Page(..) => {}
            }
        }
    }

    fn write(&mut self, offset: usize, data: &[u8]) {
        let mut done = 0;
        while done < data.len() {
            let (number, within) = ((offset + done) / PAGE, (offset + done) % PAGE);
            let size = (PAGE - within).min(data.len() - done);
            let mut page = self.seen.page(number).to_vec();
            page[within..within + size].copy_from_slice(&data[done..done + size]);
            let page: Arc<[u8]> = page.into();
            self.seen.pages.insert(number, Arc::clone(&page));
            self.waiting.push(Change::Page(number, page));
            done += size;
        }
    }
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().seen.len as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        state.step()?;
        let (start, end) = (size(offset), size(offset) + out.len());
        if end > state.seen.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut at = start;
        while at < end {
            let part = (PAGE - at % PAGE).min(end - at);
            let page = state.seen.page(at / PAGE);
            out[at - start..][..part].copy_from_slice(&page[at % PAGE..][..part]);
            at += part;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state();
        state.step()?;
        state.seen.resize(size(len));
        state.waiting.push(Change::Length(size(len)));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.state();
        if let Err(error) = state.step() {
            state.keep_some();
            if state.rng.below(2) == 0 {
                state.seen = state.kept.clone();
            } else {
                // A pending change of length is not lost.
                let len = state.seen.len;
                state.waiting.push(Change::Length(len));
            }
            return Err(error);
        }
        for change in std::mem::take(&mut state.waiting) {
            match change {
                Change::Length(len) => state.kept.resize(len),
                Change::Page(number, page) => drop(state.kept.pages.insert(number, page)),
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        let step = state.step();
        if step.is_ok() {
            state.write(size(offset), data);
        } else if !state.dark {
            // A failed write may have been done in part.
            let part = state.rng.below(data.len() + 1);
            state.write(size(offset), &data[..part]);
        }
        step
    }
}
