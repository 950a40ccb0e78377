//! The threads that serve visitors: the calling one, and as many more as listeners have further sockets. Each has a
//! socket of every listener, and a runtime of its own, so that a connection never changes threads and no two threads wait for one queue. What holds
//! for the process (limits, counts, the store) they share.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

use super::connection_limits::ConnectionLimits;
use super::listener;
use super::socket::Listener;
use crate::base::process::Shutdown;
use crate::web::App;

/// Serves visitors on all listeners until the shutdown is requested, which waits for their requests. The future completes
/// when a listener has ended. Must run inside a runtime.
///
/// # Errors
/// When the system gives no thread.
pub fn serve(
    listeners: Vec<Listener>,
    app: &Arc<App>,
    limits: &Arc<ConnectionLimits>,
    shutdown: &Shutdown,
) -> io::Result<impl Future<Output = ()> + use<>> {
    let ended = CancellationToken::new();
    let mut threads: Vec<Vec<_>> = Vec::new();
    for listener in listeners {
        let transport = listener.transport().clone();
        let sockets = listener.into_sockets();
        threads.resize_with(threads.len().max(sockets.len()), Vec::new);
        for (thread, socket) in threads.iter_mut().zip(sockets) {
            thread.push((socket, transport.clone()));
        }
    }
    for (number, sockets) in threads.into_iter().enumerate() {
        let serving = sockets.into_iter().map(|(socket, transport)| {
            // Whatever ends the task, also a panic, drops the guard.
            let guard = ended.clone().drop_guard();
            let (app, limits) = (Arc::clone(app), Arc::clone(limits));
            let serving = listener::serve(socket, transport, app, limits, shutdown.clone());
            async move {
                let _guard = guard;
                if let Err(error) = serving.await {
                    tracing::error!(%error, "a listener has failed");
                }
            }
        });
        if number == 0 {
            serving.for_each(|serving| shutdown.spawn_on(serving, &Handle::current()));
        } else {
            start_thread(number, serving, shutdown)?;
        }
    }
    Ok(ended.cancelled_owned())
}

fn start_thread(
    number: usize,
    serving: impl Iterator<Item: Future<Output = ()> + Send + 'static>,
    shutdown: &Shutdown,
) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    serving.for_each(|serving| shutdown.spawn_on(serving, runtime.handle()));
    let drained = shutdown.drained();
    thread::Builder::new()
        .name(format!("serve-{number}"))
        .spawn(move || {
            runtime.block_on(drained);
            // Dropping the runtime would wait for threads that hang on a disk.
            runtime.shutdown_background();
        })?;
    Ok(())
}
