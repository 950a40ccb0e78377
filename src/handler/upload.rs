//! Receiving photos: a form with files, read as it comes. What is in memory of it is one file, which is decoded before the next one is
//! read, and what became of those before.

use std::time::Duration;

use futures_util::stream::unfold;
use hyper::header;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, StatusCode};
use multer::{Constraints, Field, Multipart, SizeLimit};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::timeout;

use super::app::App;
use super::body::{BodyError, RequestBody};
use super::posted::media_type;
use crate::limits::client_ip::ClientNetwork;
use crate::limits::uploads::STEP;
use crate::panics;
use crate::photo::{self, MAX_BYTES, MAX_PHOTOS, Photo, PhotoError};
use crate::text::private_path::PrivatePath;

/// Media type of a form with files.
const MULTIPART: &str = "multipart/form-data";

/// The field of the form that has the files.
const FIELD: &str = "photos";

/// How long an upload may stand still.
pub const STALL: Duration = Duration::from_mins(1);

/// How long it may take in all: five photos of 12 MB at half a megabit a second.
pub const WHOLE: Duration = Duration::from_mins(15);

/// All that is read of an upload: five of the largest files, and 4 MiB for what stands around them. An upload that is refused is read to
/// its end, too, since a browser shows no answer before it has sent everything.
const MAX_UPLOAD: usize = MAX_PHOTOS * MAX_BYTES + (4 << 20);

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
    let _under_way = app.uploads.begin(client).ok_or(UploadError::Busy)?;
    let received = timeout(WHOLE, async {
        let received = read(app, boundary, body, room).await;
        if received.is_err() {
            discard(body).await;
        }
        received
    });
    received.await.unwrap_or(Err(UploadError::TooSlow))
}

/// Reads a form, and makes photos of its files.
async fn read(
    app: &App,
    boundary: String,
    body: &mut RequestBody,
    room: usize,
) -> Result<Vec<Photo>, UploadError> {
    let limit = u64::try_from(MAX_UPLOAD).unwrap_or(u64::MAX);
    let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(limit));
    let incoming = unfold(body, |body| async move {
        // The form's reader takes parts until none is ready. This pause has it take one at a time.
        yield_now().await;
        Some((body.next(STALL).await?, body))
    });
    let mut form = Multipart::with_constraints(incoming, boundary, constraints);
    let mut photos = Vec::new();
    while let Some(mut field) = form.next_field().await? {
        let Some(name) = file_name(&field) else { continue };
        let (file, held) = match read_file(app, &mut field).await? {
            Ok(Some(file)) => file,
            // A field in which nothing was chosen.
            Ok(None) => continue,
            Err(error) => return Err(UploadError::File { name, error }),
        };
        if photos.len() >= room {
            return Err(UploadError::TooMany);
        }
        let developed = develop(app, file, held).await;
        photos.push(developed.map_err(|error| UploadError::File { name, error })?);
    }
    if photos.is_empty() {
        return Err(UploadError::Nothing);
    }
    Ok(photos)
}

/// Returns what a file is called; `None` for fields without files.
fn file_name(field: &Field<'_>) -> Option<String> {
    let name = field.file_name().filter(|_| field.name() == Some(FIELD))?;
    Some(
        name.chars()
            .filter(|c| !c.is_control())
            .take(SHOWN_NAME)
            .collect(),
    )
}

type File = (Vec<u8>, Vec<OwnedSemaphorePermit>);

/// Reads a file; `None` if it is empty. The inner error says that it is too large.
async fn read_file(
    app: &App,
    field: &mut Field<'_>,
) -> Result<Result<Option<File>, PhotoError>, UploadError> {
    let (mut file, mut held) = (Vec::new(), Vec::new());
    while let Some(chunk) = field.chunk().await? {
        if file.len() + chunk.len() > MAX_BYTES {
            return Ok(Err(PhotoError::TooLarge));
        }
        while file.capacity() - file.len() < chunk.len() {
            held.push(app.uploads.reserve().ok_or(UploadError::Busy)?);
            file.reserve_exact(file.capacity() - file.len() + STEP);
        }
        file.extend_from_slice(&chunk);
    }
    Ok(Ok((!file.is_empty()).then_some((file, held))))
}

/// Makes a photo of a file, whose memory is held for as long. Goes on to its end although nobody may wait for it any more.
async fn develop(app: &App, file: Vec<u8>, held: Vec<OwnedSemaphorePermit>) -> Result<Photo, PhotoError> {
    let turn = app.uploads.decoding().await;
    let developing = spawn_blocking(move || {
        let developed = panics::catch(|| photo::develop(&file)).unwrap_or_else(|_| {
            tracing::warn!("a picture was refused because its decoder gave up");
            Err(PhotoError::Damaged)
        });
        drop((file, held, turn));
        developed
    });
    developing.await.unwrap_or(Err(PhotoError::Damaged))
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
