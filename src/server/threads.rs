//! The threads that serve visitors: the calling one, and as many more as listeners have further sockets. Each has a
//! socket of every listener, and a runtime of its own, so that a connection never changes threads and no two threads wait for one queue. What holds
//! for the process (limits, counts, the store) they share.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle, Runtime};

use super::connection_limits::ConnectionLimits;
use super::listener;
use super::socket::Listener;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::web::App;

/// Serves visitors on all listeners until the shutdown is requested, which waits for their requests. Must run inside a runtime.
///
/// # Errors
/// When the system gives no thread, or cannot watch a socket.
pub fn serve(
    mut listeners: Vec<Listener>,
    app: &Arc<App>,
    limits: &Arc<ConnectionLimits>,
    shutdown: &Shutdown,
) -> io::Result<()> {
    let threads = listeners.iter().map(|listener| listener.sockets.len()).max();
    for number in 0..threads.unwrap_or_default() {
        let runtime = match number {
            0 => None,
            _ => Some(Builder::new_current_thread().enable_all().build()?),
        };
        let handle = runtime
            .as_ref()
            .map_or_else(Handle::current, |own| own.handle().clone());
        let _entered = handle.enter();
        for listener in &mut listeners {
            let Some(socket) = listener.sockets.pop() else {
                continue;
            };
            let socket = TcpListener::from_std(socket)?;
            let tls = listener.tls.clone();
            let (app, limits, end) = (Arc::clone(app), Arc::clone(limits), shutdown.clone());
            let serving = keep_alive("accepting connections", async move || {
                listener::serve(&socket, tls.as_ref(), &app, &limits, &end).await;
            });
            shutdown.tasks.spawn_on(serving, &handle);
        }
        if let Some(runtime) = runtime {
            start_thread(number, runtime, shutdown)?;
        }
    }
    Ok(())
}

fn start_thread(number: usize, runtime: Runtime, shutdown: &Shutdown) -> io::Result<()> {
    let tasks = shutdown.tasks.clone();
    thread::Builder::new()
        .name(format!("serve-{number}"))
        .spawn(move || {
            runtime.block_on(tasks.wait());
            // Dropping the runtime would wait for threads that hang on a disk.
            runtime.shutdown_background();
        })?;
    Ok(())
}
