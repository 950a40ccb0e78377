//! Receiving photos: a form with files, read as it comes. What is in memory of it is one file, which is decoded before the next one is
//! read, and what became of those before.

mod pace;

use std::time::Duration;

use futures_util::stream::unfold;
use hyper::header;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, StatusCode};
use multer::{Constraints, Field, Multipart, SizeLimit};
use tokio::task::yield_now;
use tokio::time::timeout;

use super::app::App;
use super::body::{BodyError, RequestBody};
use super::posted::media_type;
use crate::domain::referral::MAX_PHOTOS;
use crate::photo::sandbox;
use crate::photo::{MAX_BYTES, Photo, PhotoError};
use crate::site::private_path::PrivatePath;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::uploads::{self, Reserved, STEP, TURN, Upload};
use pace::{Pace, STALL};

/// Media type of a form with files.
const MULTIPART: &str = "multipart/form-data";

/// The field of the form that has the files.
const FIELD: &str = "photos";

/// How long it may take in all: five photos of 12 MB at half a megabit a second.
pub const WHOLE: Duration = Duration::from_mins(15);

/// How long photos may take that have come, by the clock: a connection may be silent for a little longer (`server::limits`:
/// `REQUEST_TIME` and `LINGER_TIME`), and then nobody would get the answer.
const WORK: Duration = Duration::from_secs(65);

/// All that is read of an upload: five of the largest files, and 4 MiB for what stands around them. An upload that is refused is read to
/// its end, too, since a browser shows no answer before it has sent everything.
const MAX_UPLOAD: usize = MAX_PHOTOS * MAX_BYTES + (4 << 20);

/// Parts of a form, at most: files, and a few fields that nothing here asks for.
const MAX_PARTS: usize = 16;

/// A file's name is shown to whoever has sent it, up to so many characters.
const SHOWN_NAME: usize = 80;

/// Why nothing of an upload is kept.
#[derive(Debug, PartialEq, Eq)]
pub enum UploadError {
    /// A file is no photo.
    File {
        /// What the visitor calls it.
        name: String,
        /// Why.
        error: PhotoError,
    },
    /// There are more photos than an inquiry may have.
    TooMany,
    /// No file was chosen.
    Nothing,
    /// All files together are too large.
    TooLarge,
    /// Too many photos come in.
    Busy,
    /// Too many have come from the client's network on this day.
    TooManyToday,
    /// It stood still, or took too long.
    TooSlow,
    /// It is incomplete, or no form.
    Broken,
}

impl UploadError {
    /// Returns the status that goes with it.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::TooLarge
            | Self::File {
                error: PhotoError::TooLarge,
                ..
            } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooManyToday => StatusCode::TOO_MANY_REQUESTS,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::File { .. } | Self::TooMany | Self::Nothing | Self::Broken => StatusCode::BAD_REQUEST,
        }
    }
}

impl From<BodyError> for UploadError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::TooLarge,
            BodyError::TooSlow => Self::TooSlow,
            BodyError::Broken => Self::Broken,
        }
    }
}

impl From<multer::Error> for UploadError {
    fn from(error: multer::Error) -> Self {
        match error {
            multer::Error::StreamSizeExceeded { .. } => Self::TooLarge,
            multer::Error::StreamReadFailed(inner) => inner
                .downcast_ref::<BodyError>()
                .map_or(Self::Broken, |error| Self::from(*error)),
            _ => Self::Broken,
        }
    }
}

/// Returns whether a request sends photos, which takes longer than others.
pub fn is_one(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    *method == Method::POST
        && media_type(headers).eq_ignore_ascii_case(MULTIPART)
        && matches!(PrivatePath::parse(path), Some(PrivatePath::Photos(_)))
}

/// Returns what stands between the parts of a form with files; `None` if a request sends none.
pub fn boundary(parts: &Parts) -> Option<String> {
    let content_type = parts.headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(content_type).ok()
}

/// Receives at most so many photos, all or none.
///
/// # Errors
/// When nothing is kept.
pub async fn receive(
    app: &App,
    client: ClientNetwork,
    boundary: String,
    body: &mut RequestBody,
    room: usize,
) -> Result<Vec<Photo>, UploadError> {
    let (upload, first) = app.uploads.begin(client).await.ok_or(UploadError::Busy)?;
    let received = timeout(WHOLE, async {
        let incoming = Incoming {
            app,
            client,
            upload: &upload,
            pace: Pace::start(),
        };
        let received = tokio::select! {
            received = incoming.read(first, boundary, body, room) => received,
            () = upload.evicted() => Err(UploadError::Busy),
        };
        if received.is_err() {
            discard(body).await;
        }
        received
    });
    received.await.unwrap_or(Err(UploadError::TooSlow))
}

/// An upload that is being read.
struct Incoming<'a> {
    app: &'a App,
    client: ClientNetwork,
    upload: &'a Upload<'a>,
    pace: Pace,
}

impl<'a> Incoming<'a> {
    /// Reads a form, and makes photos of its files.
    async fn read(
        &self,
        first: Reserved<'a>,
        boundary: String,
        body: &mut RequestBody,
        room: usize,
    ) -> Result<Vec<Photo>, UploadError> {
        // What the form's reader keeps.
        let mut held = vec![first];
        let limit = u64::try_from(MAX_UPLOAD).unwrap_or(u64::MAX);
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(limit));
        let incoming = unfold(body, |body| async move {
            // The form's reader takes parts until none is ready. This pause has it take one at a time.
            yield_now().await;
            let Some(patience) = self.pace.patience() else {
                return Some((Err(BodyError::Broken), body));
            };
            let next = body.next(patience).await?;
            if let Ok(bytes) = &next {
                self.pace.came(bytes.len());
            }
            Some((next, body))
        });
        let mut form = Multipart::with_constraints(incoming, boundary, constraints);
        let (mut photos, mut parts) = (Vec::new(), 0);
        while let Some(mut field) = form.next_field().await? {
            self.pace.understood(held.len());
            parts += 1;
            if parts > MAX_PARTS {
                return Err(UploadError::Broken);
            }
            let Some(name) = file_name(&field) else {
                while field.chunk().await?.is_some() {
                    self.pace.understood(held.len());
                }
                continue;
            };
            let (file, of_file) = match self.read_file(&mut field, held.len()).await? {
                // A field in which nothing was chosen.
                Ok((file, _)) if file.is_empty() && name.is_empty() => continue,
                Ok((file, _)) if file.is_empty() => {
                    let error = PhotoError::Damaged;
                    return Err(UploadError::File { name, error });
                }
                Ok(file) => file,
                Err(error) => return Err(UploadError::File { name, error }),
            };
            if photos.len() >= room {
                return Err(UploadError::TooMany);
            }
            let photo = self.develop(&file).await?;
            let photo = photo.map_err(|error| UploadError::File { name, error })?;
            drop((file, of_file));
            for _ in 0..(photo.large.len() + photo.small.len()).div_ceil(STEP) {
                held.push(self.reserve().await?);
            }
            photos.push(photo);
            self.pace.resume();
        }
        if photos.is_empty() {
            return Err(UploadError::Nothing);
        }
        Ok(photos)
    }

    async fn reserve(&self) -> Result<Reserved<'a>, UploadError> {
        self.upload.reserve().await.ok_or(UploadError::Busy)
    }

    /// Reads a file beside so many steps of memory that are held already. The inner error says that it is too large.
    async fn read_file(
        &self,
        field: &mut Field<'_>,
        beside: usize,
    ) -> Result<Result<(Vec<u8>, Vec<Reserved<'a>>), PhotoError>, UploadError> {
        let (mut file, mut held) = (Vec::new(), Vec::new());
        while let Some(chunk) = field.chunk().await? {
            if file.len() + chunk.len() > MAX_BYTES {
                return Ok(Err(PhotoError::TooLarge));
            }
            while file.capacity() - file.len() < chunk.len() {
                held.push(self.reserve().await?);
                file.reserve_exact(file.capacity() - file.len() + STEP);
            }
            file.extend_from_slice(&chunk);
            self.pace.understood(beside + held.len());
        }
        Ok(Ok((file, held)))
    }

    /// Makes a photo of a file, when it is its turn.
    async fn develop(&self, file: &[u8]) -> Result<Result<Photo, PhotoError>, UploadError> {
        let share = &self.app.photo_share;
        if share.reserve(self.client.site()).is_err() || (share.is_limited() && !self.upload.has_time()) {
            return Err(UploadError::TooManyToday);
        }
        let came = self.pace.last_came();
        let mut expected = uploads::expected(file.len());
        loop {
            let turn = self.upload.turn(expected, came + TURN).await;
            let turn = turn.ok_or(UploadError::Busy)?;
            let developed = sandbox::develop(file, came + WORK, |took| turn.is_outranked(took)).await;
            let (developed, took) = developed.map_err(|error| {
                tracing::warn!(%error, "a photo was refused; check the limits of processes and memory");
                UploadError::Busy
            })?;
            turn.end(took);
            if let Some(developed) = developed {
                return Ok(developed);
            }
            expected *= 2;
        }
    }
}

/// Returns what a file is called; `None` for fields without files. The reader of forms reads no head that is not UTF-8, as some old browsers
/// send names.
fn file_name(field: &Field<'_>) -> Option<String> {
    let head = field.headers().get(header::CONTENT_DISPOSITION)?;
    let head = String::from_utf8_lossy(head.as_bytes());
    let attribute = |name| {
        let (_, value) = head.split_once(name)?;
        value.split_once('"').map(|(value, _)| value)
    };
    let name = match field.name() {
        Some(FIELD) => field.file_name().or_else(|| attribute(" filename=\"")),
        None if attribute(" name=\"") == Some(FIELD) => attribute(" filename=\""),
        _ => None,
    };
    let shown = name?.chars().filter(|c| !c.is_control());
    Some(shown.take(SHOWN_NAME).collect())
}

/// Reads what is left of an upload that was refused, up to what one may have.
async fn discard(body: &mut RequestBody) {
    let mut length = 0;
    while let Some(Ok(part)) = body.next(STALL).await {
        length += part.len();
        if length > MAX_UPLOAD {
            break;
        }
    }
}
