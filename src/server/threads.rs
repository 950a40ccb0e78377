//! The threads that serve visitors: the calling one, and as many more as listeners have further sockets. Each has
//! a runtime of its own, so that a connection never changes threads and no two threads wait for one queue. What holds
//! for the process (limits, counts, the store) they share.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

use super::connection_limits::ConnectionLimits;
use super::listener;
use super::transport::Transport;
use crate::handler::App;
use crate::shutdown::Shutdown;

/// Serves visitors on all listeners until the shutdown is requested, which waits for their requests. The future completes
/// when a listener has ended. Must run inside a runtime.
///
/// # Errors
/// When the system gives no thread.
pub fn serve(
    listeners: Vec<(Vec<TcpListener>, Transport)>,
    app: &Arc<App>,
    limits: &Arc<ConnectionLimits>,
    shutdown: &Shutdown,
) -> io::Result<impl Future<Output = ()> + use<>> {
    let ended = CancellationToken::new();
    let mut threads = vec![Handle::current()];
    for (sockets, transport) in listeners {
        for (number, socket) in sockets.into_iter().enumerate() {
            // Whatever ends the task, also a panic, drops the guard.
            let guard = ended.clone().drop_guard();
            let (app, limits) = (Arc::clone(app), Arc::clone(limits));
            let serving = listener::serve(socket, transport.clone(), app, limits, shutdown.clone());
            let serving = async move {
                let _guard = guard;
                if let Err(error) = serving.await {
                    tracing::error!(%error, "a listener has failed");
                }
            };
            let thread = match threads.get(number) {
                Some(thread) => thread.clone(),
                None => start_thread(number, shutdown)?,
            };
            shutdown.spawn_on(serving, &thread);
            if number == threads.len() {
                threads.push(thread);
            }
        }
    }
    Ok(ended.cancelled_owned())
}

fn start_thread(number: usize, shutdown: &Shutdown) -> io::Result<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let drained = shutdown.drained();
    thread::Builder::new()
        .name(format!("serve-{number}"))
        .spawn(move || {
            runtime.block_on(drained);
            // Dropping the runtime would wait for threads that hang on a disk.
            runtime.shutdown_background();
        })?;
    Ok(handle)
}
