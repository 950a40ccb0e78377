//! The limit of open file descriptors. Each connection needs one, and by default a process may have 1024.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for everything else. The store, the event queue, the standard streams and the control socket take some
/// 15, and each running command takes one or two more. Without a reserve, an attack could keep the operator from an
/// export.
const RESERVED: u64 = 64;

/// Raises the limit so that it covers this many connections, and returns how many it covers in the end.
pub fn raise_limit(connections: usize) -> usize {
    let needed =
        u64::try_from(connections).map_or(u64::MAX, |connections| connections.saturating_add(RESERVED));
    let limit = getrlimit(Resource::Nofile);
    // `None` stands for no limit.
    let current = limit.current.unwrap_or(u64::MAX);
    if current >= needed {
        return connections;
    }
    let raised = Rlimit {
        current: Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed))),
        maximum: limit.maximum,
    };
    let allowed = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => raised.current.unwrap_or(current),
        Err(_) => current,
    };
    usize::try_from(allowed.saturating_sub(RESERVED))
        .unwrap_or(connections)
        .clamp(1, connections)
}
