//! The one thread that writes: it takes everything that waits, commits it in one transaction, and only then
//! answers (group commit). One sync to disk serves all who wait for it.

mod batch;

use std::fmt;
use std::io;
use std::iter;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use redb::Database;
use tokio::sync::oneshot;

use super::erasure::{self, EraseError, Erasure};
use super::error::attempt;
use super::ids::Ids;
use super::opened::Opened;
use super::{Clock, IdempotencyKey, InsertError, OpenError, Shared, Unavailable, open, record};
use crate::inquiry::{Fingerprint, Inquiry, NewInquiry};
use crate::quiet;

/// Requests that may wait. At 60,000 inquiries a second the last of them waits some 70 ms; who comes then is
/// told at once to come again later. Each takes about half a kilobyte.
const QUEUE: usize = 4096;

/// Requests committed together, at most: a transaction holds its new pages in memory until it is committed,
/// and beyond a few hundred the sync to disk is no longer what takes the time.
const MAX_BATCH: usize = 512;

/// How long the writer waits before it opens the file again after a fault, for the first time and at most. A
/// disk that has room again is used again within the latter.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Where the file is.
pub struct Place {
    /// The directory that it is in.
    pub data_dir: PathBuf,
    /// Opens it again after a fault.
    pub reopen: Box<dyn Fn() -> Result<Database, OpenError> + Send>,
}

impl Place {
    /// The file of a data directory.
    pub fn of(data_dir: &Path) -> Self {
        let data_dir = data_dir.to_owned();
        let reopened = data_dir.clone();
        Self {
            data_dir,
            reopen: Box::new(move || open::existing(&reopened, Duration::ZERO)),
        }
    }
}

/// What the writer is asked for.
pub enum Request {
    /// What is committed together with others.
    Write(Write),
    /// To erase inquiries, which makes a new file.
    Erase(Erasure, oneshot::Sender<Result<u64, EraseError>>),
}

impl From<Write> for Request {
    fn from(write: Write) -> Self {
        Self::Write(write)
    }
}

/// A small write.
pub enum Write {
    /// To store an inquiry.
    Insert(Box<Insert>),
    /// To find out whether it could.
    Check(oneshot::Sender<bool>),
}

/// An inquiry that waits to be stored.
pub struct Insert {
    inquiry: NewInquiry,
    /// Encoded by the asking thread, so that the one writer has less to do.
    value: Vec<u8>,
    key: Option<(IdempotencyKey, Fingerprint)>,
    answer: oneshot::Sender<Result<Inquiry, InsertError>>,
}

impl Insert {
    /// Prepares what can be done before the writer's turn.
    pub fn new(
        inquiry: NewInquiry,
        key: Option<IdempotencyKey>,
        answer: oneshot::Sender<Result<Inquiry, InsertError>>,
    ) -> Result<Self, Unavailable> {
        let value = record::encode(&inquiry)?;
        let key = key.map(|key| (key, inquiry.fingerprint()));
        Ok(Self {
            inquiry,
            value,
            key,
            answer,
        })
    }
}

/// The handle of the writer's thread.
pub struct Writer {
    /// `None` once stopped: without a sender the thread ends when the queue is empty.
    queue: RwLock<Option<SyncSender<Request>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread.
    pub fn start(database: Shared, place: Place, clock: Clock) -> io::Result<Self> {
        let (queue, requests) = sync_channel(QUEUE);
        let state = State {
            database,
            place,
            clock,
            ids: Ids::after(None),
            ids_known: false,
            back_off: BACK_OFF.0,
            retry_at: None,
        };
        let thread = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || state.run(&requests))?;
        Ok(Self {
            queue: RwLock::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Puts a request into the queue, if there is room.
    pub fn send(&self, request: Request) -> Result<(), Unavailable> {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        queue
            .as_ref()
            .ok_or(Unavailable)?
            .try_send(request)
            .map_err(|_| Unavailable)
    }

    /// Takes no more requests, and waits until those in the queue are answered and the file is closed.
    pub fn stop(&self) {
        drop(self.queue.write().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the store's writer ended by a panic");
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

struct State {
    database: Shared,
    place: Place,
    clock: Clock,
    ids: Ids,
    /// Whether `ids` goes on behind what the open file holds.
    ids_known: bool,
    back_off: Duration,
    /// When the file may be opened again after a fault.
    retry_at: Option<Instant>,
}

impl State {
    fn run(mut self, requests: &Receiver<Request>) {
        while let Some(first) = self.next(requests) {
            let mut batch = Vec::new();
            for request in iter::once(first).chain(requests.try_iter()).take(MAX_BATCH) {
                match request {
                    Request::Write(write) => batch.push(write),
                    Request::Erase(what, answer) => {
                        self.serve(mem::take(&mut batch));
                        // Who no longer waits is not told; they are erased all the same.
                        drop(answer.send(self.erase(&what)));
                    }
                }
            }
            self.serve(batch);
        }
        self.close();
    }

    /// Waits for the next request; `None` when there will be none. After a fault it opens the file again meanwhile, so
    /// that it can be read even when nobody wants to write.
    fn next(&mut self, requests: &Receiver<Request>) -> Option<Request> {
        while let Some(retry_at) = self.retry_at {
            match requests.recv_timeout(retry_at.saturating_duration_since(Instant::now())) {
                Ok(request) => return Some(request),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.try_again(),
            }
        }
        requests.recv().ok()
    }

    /// Commits a batch and answers each request in it.
    fn serve(&mut self, batch: Vec<Write>) {
        if batch.is_empty() {
            return;
        }
        self.try_again();
        let now = (self.clock)();
        let written = {
            let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
            let Some(database) = database.as_ref() else {
                return batch::refuse(batch);
            };
            let (ids, ids_known) = (&mut self.ids, &mut self.ids_known);
            attempt(|| {
                if !*ids_known {
                    batch::continue_ids(database, ids)?;
                    *ids_known = true;
                }
                batch::write(database, &batch, ids, now)
            })
        };
        match written {
            Ok(outcomes) => {
                self.back_off = BACK_OFF.0;
                batch::answer(batch, outcomes);
            }
            Err(error) => {
                tracing::error!(%error, "the store cannot be written");
                batch::refuse(batch);
                self.give_up();
            }
        }
    }

    /// Puts a file without the erased inquiries in the place of the one in use.
    fn erase(&mut self, what: &Erasure) -> Result<u64, EraseError> {
        self.try_again();
        let erased = {
            let file = self.database.read().unwrap_or_else(PoisonError::into_inner);
            let file = file.as_ref().ok_or(EraseError::Unavailable)?;
            erasure::erase(file, &self.place.data_dir, what, (self.clock)())?
        };
        if let Some(new) = erased.file {
            let mut file = self.database.write().unwrap_or_else(PoisonError::into_inner);
            let old = file.replace(new.database.into());
            drop(file);
            // It is no longer in the directory; however it closes, nothing hangs on it.
            let _ = quiet::catch(|| old.map(Opened::retire));
            new.named.map_err(EraseError::Unsure)?;
        }
        tracing::info!(count = erased.count, "inquiries were erased");
        Ok(erased.count)
    }

    /// Opens the file again when a fault closed it and it is time to.
    fn try_again(&mut self) {
        if self.retry_at.is_none_or(|retry_at| Instant::now() < retry_at) {
            return;
        }
        match (self.place.reopen)() {
            Ok(database) => {
                *self.database.write().unwrap_or_else(PoisonError::into_inner) = Some(database.into());
                self.retry_at = None;
                self.ids_known = false;
                tracing::info!("the store was opened again");
            }
            Err(error) => {
                tracing::error!(%error, "the store cannot be opened again");
                self.wait_longer();
            }
        }
    }

    /// Closes the file after a fault: redb refuses all work on a file that failed until it is opened again.
    fn give_up(&mut self) {
        self.close();
        self.wait_longer();
    }

    fn wait_longer(&mut self) {
        self.retry_at = Some(Instant::now() + self.back_off);
        self.back_off = (self.back_off * 2).min(BACK_OFF.1);
    }

    fn close(&mut self) {
        let database = self
            .database
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Err(panic) = quiet::catch(|| drop(database)) {
            tracing::error!(error = %panic, "the store was not closed cleanly");
        }
    }
}
