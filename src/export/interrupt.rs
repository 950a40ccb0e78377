//! Being told to end while a file is written: what was written so far is removed first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, process, thread};

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::ExportError;

/// Whether a signal asked to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches from now on. The second signal ends the process at once, whatever it waits for.
    pub fn watch() -> Result<Self, ExportError> {
        let came = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&came);
        start(move || {
            if seen.swap(true, Ordering::Relaxed) {
                process::exit(1);
            }
        })
        .map_err(ExportError::Signals)?;
        Ok(Self(came))
    }

    /// Whether one came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn start(told: impl Fn() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let [mut interrupt, mut terminate, mut hangup] = {
        let _inside = runtime.enter();
        [
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            while any(&mut interrupt, &mut terminate, &mut hangup).await.is_some() {
                told();
            }
        });
    })?;
    Ok(())
}

async fn any(interrupt: &mut Signal, terminate: &mut Signal, hangup: &mut Signal) -> Option<()> {
    tokio::select! {
        signal = interrupt.recv() => signal,
        signal = terminate.recv() => signal,
        signal = hangup.recv() => signal,
    }
}
