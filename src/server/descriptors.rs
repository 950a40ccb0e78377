//! File descriptors: each connection needs one, and the system gives a process 1024 unless it asks for more.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for everything else: the store, the event queue, standard streams and the control socket take some 15,
/// each command that runs meanwhile one or two. Without them, an attack could keep the operator from an export.
const RESERVED: u64 = 64;

/// Asks the system for as many as the connections need. Gives how many connections it allows.
pub fn allow(connections: usize) -> usize {
    let needed =
        u64::try_from(connections).map_or(u64::MAX, |connections| connections.saturating_add(RESERVED));
    let limit = getrlimit(Resource::Nofile);
    // No limit is told as none.
    let given = limit.current.unwrap_or(u64::MAX);
    if given >= needed {
        return connections;
    }
    let wished = Rlimit {
        current: Some(limit.maximum.map_or(needed, |most| most.min(needed))),
        maximum: limit.maximum,
    };
    let given = match setrlimit(Resource::Nofile, wished) {
        Ok(()) => wished.current.unwrap_or(given),
        Err(_) => given,
    };
    usize::try_from(given.saturating_sub(RESERVED))
        .unwrap_or(connections)
        .clamp(1, connections)
}
