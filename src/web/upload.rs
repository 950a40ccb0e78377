//! Receiving photos: a form with files, read as it comes. What is in memory of it is one file, which is decoded before the next one is
//! read, and what became of those before.

mod pace;

use std::fmt::Display;
use std::time::Duration;

use futures_util::stream::unfold;
use hyper::header;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, StatusCode};
use multer::{Constraints, Field, Multipart, SizeLimit};
use tokio::task::yield_now;
use tokio::time::timeout;

use super::api_error::ApiError;
use super::app::App;
use super::body::{BodyError, RequestBody};
use super::posted::media_type;
use crate::base::metrics::Refusal;
use crate::domain::inquiry::ErrorBody;
use crate::domain::referral::MAX_PHOTOS;
use crate::photo::sandbox;
use crate::photo::{MAX_BYTES, Photo, PhotoError};
use crate::site::private_path::PrivatePath;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::uploads::{self, STEP, TURN, Upload};
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

/// How long a visitor waits before photos are sent again, where too many came in.
const RETRY: Duration = Duration::from_mins(1);

/// Parts of a form, at most: files, and a few fields that nothing here asks for.
const MAX_PARTS: usize = 16;

/// A file's name is shown to whoever has sent it, up to so many characters.
const SHOWN_NAME: usize = 80;

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
/// When nothing is kept, with what the visitor is told.
pub async fn receive(
    app: &App,
    client: ClientNetwork,
    boundary: String,
    body: &mut RequestBody,
    room: usize,
) -> Result<Vec<Photo>, ApiError> {
    let upload = app.uploads.begin(client).await.ok_or_else(busy)?;
    let received = timeout(WHOLE, async {
        let incoming = Incoming {
            app,
            client,
            upload: &upload,
            pace: Pace::start(),
        };
        let received = tokio::select! {
            received = incoming.read(boundary, body, room) => received,
            () = upload.evicted() => Err(busy()),
        };
        if received.is_err() {
            upload.give_up();
            discard(body).await;
        }
        received
    });
    received
        .await
        .unwrap_or_else(|_| Err(of_body(BodyError::TooSlow)))
}

/// An upload that is being read.
struct Incoming<'a> {
    app: &'a App,
    client: ClientNetwork,
    upload: &'a Upload<'a>,
    pace: Pace,
}

impl Incoming<'_> {
    /// Reads a form, and makes photos of its files.
    async fn read(
        &self,
        boundary: String,
        body: &mut RequestBody,
        room: usize,
    ) -> Result<Vec<Photo>, ApiError> {
        let limit = u64::try_from(MAX_UPLOAD).unwrap_or(u64::MAX);
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(limit));
        let incoming = unfold(body, |body| async move {
            // The form's reader takes parts until none is ready. This pause has it take one at a time.
            yield_now().await;
            let Some(patience) = self.pace.patience(self.upload.steps()) else {
                return Some((Err(BodyError::Broken), body));
            };
            let next = body.next(patience).await?;
            if let Ok(bytes) = &next {
                self.pace.came(bytes.len());
            }
            Some((next, body))
        });
        let mut form = Multipart::with_constraints(incoming, boundary, constraints);
        // What is held beside files: the first step for the form's reader, then photos.
        let mut held = self.upload.steps();
        let (mut photos, mut parts) = (Vec::new(), 0);
        while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
            self.pace.understood();
            parts += 1;
            if parts > MAX_PARTS {
                return Err(of_body(BodyError::Broken));
            }
            let Some(name) = file_name(&field) else {
                while field.chunk().await.map_err(unreadable)?.is_some() {
                    self.pace.understood();
                }
                continue;
            };
            let file = self.read_file(&mut field, &name).await?;
            if file.is_empty() && name.is_empty() {
                // A field in which nothing was chosen.
                continue;
            }
            if file.is_empty() {
                return Err(of_file(&name, PhotoError::Damaged));
            }
            if photos.len() >= room {
                return Err(too_many());
            }
            let photo = self.develop(&file).await?;
            let photo = photo.map_err(|error| of_file(&name, error))?;
            drop(file);
            held += (photo.large.len() + photo.small.len()).div_ceil(STEP);
            self.hold(held).await?;
            photos.push(photo);
            self.pace.resume();
        }
        if photos.is_empty() {
            return Err(nothing());
        }
        Ok(photos)
    }

    async fn hold(&self, steps: usize) -> Result<(), ApiError> {
        self.upload.hold(steps).await.then_some(()).ok_or_else(busy)
    }

    /// Reads a file, for which memory is held until less is.
    async fn read_file(&self, field: &mut Field<'_>, name: &str) -> Result<Vec<u8>, ApiError> {
        let mut file = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
            if file.len() + chunk.len() > MAX_BYTES {
                return Err(of_file(name, PhotoError::TooLarge));
            }
            while file.capacity() - file.len() < chunk.len() {
                self.hold(self.upload.steps() + 1).await?;
                file.reserve_exact(file.capacity() - file.len() + STEP);
            }
            file.extend_from_slice(&chunk);
            self.pace.understood();
        }
        Ok(file)
    }

    /// Makes a photo of a file, when it is its turn. The inner error is the file's fault.
    async fn develop(&self, file: &[u8]) -> Result<Result<Photo, PhotoError>, ApiError> {
        let share = &self.app.photo_share;
        if share.reserve(self.client.site()).is_err() || (share.is_limited() && !self.upload.has_time()) {
            return Err(too_many_today());
        }
        let came = self.pace.last_came();
        let mut expected = uploads::expected(file.len());
        loop {
            if !self.upload.turn(expected, came + TURN).await {
                return Err(busy());
            }
            let is_enough = |took| self.upload.is_outranked(expected, took);
            let developed = sandbox::develop(file, came + WORK, is_enough).await;
            let (developed, took) = developed.map_err(|error| {
                tracing::warn!(%error, "a photo was refused; check the limits of processes and memory");
                busy()
            })?;
            self.upload.end_turn(Some(took));
            if let Some(developed) = developed {
                return Ok(developed);
            }
            expected *= 2;
        }
    }
}

/// Says what is wrong with an upload, and what would be right.
fn refused(status: StatusCode, what: impl Display) -> ApiError {
    let message = format!("{what} Gespeichert ist noch nichts.");
    ApiError::of(status, ErrorBody::new("photos", message))
}

/// There are more photos than an inquiry may have.
pub fn too_many() -> ApiError {
    let what = format!("Das sind zu viele Fotos. Möglich sind zusammen höchstens {MAX_PHOTOS}.");
    refused(StatusCode::BAD_REQUEST, what)
}

/// Too many photos come in, or the store does not answer.
fn busy() -> ApiError {
    let what = "Gerade kommen zu viele Fotos auf einmal an. Bitte versuchen Sie es in einer Minute erneut.";
    refused(StatusCode::SERVICE_UNAVAILABLE, what)
        .refusal(Refusal::Busy)
        .retry_after(RETRY)
}

/// Too many have come from the client's network on this day.
fn too_many_today() -> ApiError {
    let what =
        "Aus Ihrem Netz sind heute schon sehr viele Fotos gekommen. Bitte versuchen Sie es morgen erneut.";
    refused(StatusCode::TOO_MANY_REQUESTS, what).refusal(Refusal::RateLimit)
}

/// No file was chosen.
fn nothing() -> ApiError {
    let message = "Bitte wählen Sie mindestens ein Foto aus.";
    ApiError::of(StatusCode::BAD_REQUEST, ErrorBody::new("photos", message))
}

/// A file is no photo; `name` is what the visitor calls it.
fn of_file(name: &str, error: PhotoError) -> ApiError {
    let status = match error {
        PhotoError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::BAD_REQUEST,
    };
    let what = match error {
        PhotoError::TooLarge => "hat mehr als 12 MB. Bitte wählen Sie ein kleineres Foto.",
        PhotoError::WrongKind => "ist kein Foto, das wir lesen können. Möglich sind JPEG, PNG und WebP.",
        PhotoError::TooManyPixels => "hat mehr als 50 Megapixel. Bitte wählen Sie ein kleineres Foto.",
        PhotoError::TooDemanding => {
            "ist so gespeichert, dass wir es in dieser Größe nicht lesen können. Bitte speichern Sie es kleiner oder als gewöhnliches JPEG."
        }
        PhotoError::Damaged => "ist beschädigt oder unvollständig. Bitte wählen Sie ein anderes Foto.",
        PhotoError::Unsupported => {
            "ist ein JPEG einer seltenen Art, die wir nicht lesen können. Bitte speichern Sie es als gewöhnliches JPEG."
        }
    };
    refused(status, format_args!("„{name}“ {what}"))
}

fn of_body(error: BodyError) -> ApiError {
    let (status, what) = match error {
        BodyError::TooLarge => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "Die Fotos sind zusammen zu groß. Bitte senden Sie weniger auf einmal.",
        ),
        BodyError::TooSlow => (
            StatusCode::REQUEST_TIMEOUT,
            "Die Übertragung hat zu lange gedauert. Bitte senden Sie die Fotos einzeln.",
        ),
        BodyError::Broken => (
            StatusCode::BAD_REQUEST,
            "Die Fotos sind unvollständig angekommen. Bitte senden Sie sie noch einmal.",
        ),
    };
    refused(status, what)
}

fn unreadable(error: multer::Error) -> ApiError {
    of_body(match error {
        multer::Error::StreamSizeExceeded { .. } => BodyError::TooLarge,
        multer::Error::StreamReadFailed(inner) => inner.downcast_ref().copied().unwrap_or(BodyError::Broken),
        _ => BodyError::Broken,
    })
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
