//! The serving threads: the calling one, and one for each further socket of a listener. Each has one socket of every listener and
//! its own runtime, so that connections never change threads and no queue is shared. Limits, counters and the store are shared by
//! the whole process.

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

/// Spawns the tasks that serve all listeners until shutdown, which waits for requests in flight. Must be called inside a runtime.
///
/// # Errors
/// If the system cannot start a thread or register a socket.
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
            // Dropping the runtime would wait for threads blocked on a hung disk.
            runtime.shutdown_background();
        })?;
    Ok(())
}
