//! A signal while a file is written: what was written so far is removed first.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::error::ExportError;

/// Whether a signal asked to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches from now on. The second signal ends the process at once, whatever it waits for.
    pub fn watch() -> Result<Self, ExportError> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            register(signal, &came).map_err(ExportError::Signals)?;
        }
        Ok(Self(came))
    }

    /// Returns whether one came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn register(signal: i32, came: &Arc<AtomicBool>) -> io::Result<()> {
    // In this order: the first signal finds the flag not set yet.
    flag::register_conditional_shutdown(signal, 1, Arc::clone(came))?;
    flag::register(signal, Arc::clone(came))?;
    Ok(())
}
