//! The server's side of the control socket.

use std::io::{self, BufWriter, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream as BlockingStream;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::socket::ControlListener;
use super::{BACKUP, Failure, RECORDS, Reply, SUBSCRIPTIONS};
use crate::operate::{CallError, FoundSubscription, Operations, calls};
use crate::store::{Records, TimeRange, pack};

/// Time limit for receiving a request. Our commands send it at once.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest request, in bytes: somewhat more than the ids that fit on a command line (2 MiB on Linux).
const MAX_REQUEST: u64 = 4 << 20;

/// How long a command may read nothing before it is cut off: an open read keeps erased inquiries in the store's file.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Size of the write buffer in bytes: some 250 inquiries.
const BUFFER: usize = 64 << 10;

/// How long exports may continue after shutdown begins. Most finish in time; the rest are cut off, and their commands report it.
const GRACE: Duration = Duration::from_secs(5);

/// Pause after a failed accept, for example when file descriptors run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Interval between checks of the socket: less than commands wait for a server that holds the store.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Writes what follows the first line of an answer, on a thread that may block.
type Body = Box<dyn FnOnce(&mut BufWriter<BlockingStream>) -> io::Result<()> + Send>;

/// Serves commands until `shutdown` completes, then removes the socket.
pub async fn serve(
    mut listener: ControlListener,
    operations: impl Into<Operations>,
    shutdown: impl Future<Output = ()>,
) {
    let operations = operations.into();
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut look = interval(LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_refused = false;
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok(stream) => {
                    connections.spawn(connection(stream, operations.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "the control socket gave no connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
            _ = look.tick() => match listener.renew() {
                Ok(is_new) => {
                    is_refused = false;
                    if is_new {
                        tracing::warn!("the control socket was removed; it was made anew");
                    }
                }
                Err(error) if !is_refused => {
                    is_refused = true;
                    tracing::error!(%error, "the control socket was removed and cannot be made anew; it is tried again");
                }
                Err(_) => {}
            },
        }
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    // Dropping the set aborts those still open.
    let _ = tokio::time::timeout(GRACE, all).await;
}

async fn connection(stream: UnixStream, operations: Operations) {
    if let Err(error) = answer(stream, &operations).await {
        tracing::debug!(%error, "a command broke off");
    }
}

/// Reads a request and answers it.
async fn answer(mut stream: UnixStream, operations: &Operations) -> io::Result<()> {
    let mut request = Vec::new();
    let mut received = BufReader::new(&mut stream).take(MAX_REQUEST);
    timeout(REQUEST_TIMEOUT, received.read_until(b'\n', &mut request)).await??;
    let answer = Box::pin(respond(operations, &request)).await;
    let stream = stream.into_std()?;
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(READ_TIMEOUT))?;
    let _hang_up = HangUp(stream.try_clone()?);
    tokio::task::spawn_blocking(move || write(stream, answer)).await?
}

/// Ends a connection when dropped, so that a thread that writes to it does not outlive the task that waits for the thread.
struct HangUp(BlockingStream);

impl Drop for HangUp {
    fn drop(&mut self) {
        // If the command is gone, there is nothing left to end.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Carries out the call of a request.
async fn respond(operations: &Operations, request: &[u8]) -> Result<Body, Failure> {
    let answer = carry_out(operations, request).await;
    let answer =
        answer.ok_or_else(|| Failure::Failed("this server does not understand the request".to_owned()))?;
    answer.map_err(|error| match error {
        CallError::Refused(refused) => Failure::Refused(refused),
        CallError::Unreadable => Failure::Failed("the store cannot be read now".to_owned()),
        CallError::Unwritable => Failure::Failed(
            "the store cannot be written now: see that the disk has room, then try again".to_owned(),
        ),
        error => Failure::Failed(error.to_string()),
    })
}

/// `None` if the line is not complete, the call is unknown, or its fields are invalid.
async fn carry_out(operations: &Operations, request: &[u8]) -> Option<Result<Body, CallError>> {
    let line = str::from_utf8(request).ok()?.strip_suffix('\n')?;
    let (name, fields) = line.split_once(' ')?;
    Some(match name {
        RECORDS => {
            let range: TimeRange = serde_json::from_str(fields).ok()?;
            let records = operations.store.records(range).await;
            records
                .map(|records| lines(records, |record| record))
                .map_err(CallError::from)
        }
        SUBSCRIPTIONS => {
            let store = Arc::clone(&operations.store);
            let found = move |subscription| FoundSubscription::new(subscription, &store);
            let subscriptions = operations.store.subscriptions().await;
            subscriptions
                .map(|records| lines(records, found))
                .map_err(CallError::from)
        }
        BACKUP => backup(operations).await,
        name => {
            let answer = calls::answer(operations, name, fields.as_bytes()).await?;
            answer.map(|json| -> Body { Box::new(move |out| write_line(out, &json)) })
        }
    })
}

fn write(stream: BlockingStream, answer: Result<Body, Failure>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, stream);
    let (reply, body): (Reply, _) = match answer {
        Ok(body) => (Ok(()), Some(body)),
        Err(failure) => (Err(failure), None),
    };
    write_line(&mut out, &serde_json::to_vec(&reply)?)?;
    if let Some(body) = body {
        body(&mut out)?;
    }
    out.flush()
}

fn write_line(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    out.write_all(line)?;
    out.write_all(b"\n")
}

/// Converts records with `found` and writes them as lines of JSON.
fn lines<T, F>(mut records: Records<T>, found: impl Fn(T) -> F + Send + 'static) -> Body
where
    T: Send + 'static,
    F: Serialize,
{
    let runtime = Handle::current();
    Box::new(move |out| {
        while let Some(record) = runtime.block_on(records.next()).map_err(io::Error::other)? {
            write_line(out, &serde_json::to_vec(&found(record))?)?;
        }
        write_line(out, b"")
    })
}

async fn backup(operations: &Operations) -> Result<Body, CallError> {
    let made_at = operations.store.now();
    let rows = operations.rows().await?;
    Ok(Box::new(move |out| {
        pack(rows, made_at, out).map_err(|error| {
            tracing::warn!(%error, "a backup broke off");
            io::Error::other(error)
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes an answer too large for any socket buffer.
    fn write_much(stream: BlockingStream) -> io::Result<()> {
        let body: Body = Box::new(|out| out.write_all(&vec![b'x'; 1 << 22]));
        write(stream, Ok(body))
    }

    #[test]
    fn a_reader_that_stands_still_holds_no_writer() {
        let (ours, _reader) = BlockingStream::pair().unwrap();
        ours.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        assert!(write_much(ours).is_err());
    }

    #[test]
    fn a_writer_ends_with_its_task() {
        let (ours, _reader) = BlockingStream::pair().unwrap();
        let hang_up = HangUp(ours.try_clone().unwrap());
        let written = std::thread::spawn(move || write_much(ours));
        drop(hang_up);
        assert!(written.join().unwrap().is_err());
    }
}
