//! Telling callers what came of their requests.

use tokio::runtime::Handle;

/// Sends one reply.
type Sending = Box<dyn FnOnce() + Send>;

/// Sends the reply of an operation. Dropping it tells the caller that the store is unavailable.
pub struct Reply {
    /// Where the caller waits.
    runtime: Option<Handle>,
    send: Sending,
}

impl Reply {
    /// Creates a reply to a caller that waits on a runtime.
    pub fn new(runtime: Option<Handle>, send: impl FnOnce() + Send + 'static) -> Self {
        Self {
            runtime,
            send: Box::new(send),
        }
    }
}

/// Sends all replies. Each runtime is woken once, by a task that sends those to its callers: waking it from this thread for
/// each of them would take a system call each.
pub fn send_all(replies: Vec<Reply>) {
    let mut by_runtime: Vec<(Handle, Vec<Sending>)> = Vec::new();
    let is_one = replies.len() == 1;
    for Reply { runtime, send } in replies {
        match runtime.filter(|_| !is_one) {
            None => send(),
            // There are as many as threads that serve visitors, and two more.
            Some(runtime) => match by_runtime
                .iter_mut()
                .find(|(known, _)| known.id() == runtime.id())
            {
                Some((_, group)) => group.push(send),
                None => by_runtime.push((runtime, vec![send])),
            },
        }
    }
    for (runtime, group) in by_runtime {
        runtime.spawn(async {
            for send in group {
                send();
            }
        });
    }
}
