//! Receives photos in a multipart form, read as it arrives. Only one file is in memory at a time, since each is decoded before the
//! next is read, along with the photos from earlier files.

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

/// The form field that contains the files.
const FIELD: &str = "photos";

/// Time limit of a whole upload: five photos of 12 MB at 0.5 Mbit/s.
pub const WHOLE: Duration = Duration::from_mins(15);

/// Wall time to process photos that have arrived. Connections may be silent for slightly longer (`server::limits`: `REQUEST_TIME`
/// and `LINGER_TIME`), after which the client would not get the response.
const WORK: Duration = Duration::from_secs(65);

/// Bytes read of an upload: five of the largest files, and 4 MiB for the form around them. Refused uploads are also read to the
/// end, since browsers show no response until they have sent everything.
const MAX_UPLOAD: usize = MAX_PHOTOS * MAX_BYTES + (4 << 20);

/// When visitors should retry if there were too many uploads.
const RETRY: Duration = Duration::from_mins(1);

/// Maximum number of form parts: files, and a few unknown fields.
const MAX_PARTS: usize = 16;

/// Characters of a file's name that are shown to the visitor.
const SHOWN_NAME: usize = 80;

/// Whether a request uploads photos, which takes longer than others.
pub fn is_one(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    *method == Method::POST
        && media_type(headers).eq_ignore_ascii_case(MULTIPART)
        && matches!(PrivatePath::parse(path), Some(PrivatePath::Photos(_)))
}

/// The boundary of a multipart form. `None` if the request is not one.
pub fn boundary(parts: &Parts) -> Option<String> {
    let content_type = parts.headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(content_type).ok()
}

/// Receives up to `room` photos, all or none.
///
/// # Errors
/// When nothing is kept, with the message for the visitor.
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

/// An upload being read.
struct Incoming<'a> {
    app: &'a App,
    upload: &'a Upload<'a>,
    pace: Pace,
}

impl Incoming<'_> {
    /// Reads a form, and converts its files to photos.
    async fn read(
        &self,
        boundary: String,
        body: &mut RequestBody,
        room: usize,
    ) -> Result<Vec<Photo>, ApiError> {
        let limit = u64::try_from(MAX_UPLOAD).unwrap_or(u64::MAX);
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(limit));
        let incoming = unfold(body, |body| async move {
            // The form parser takes parts until none is ready. Yielding makes it take one at a time.
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
        // Memory besides the current file: one step for the form parser, then the photos.
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
                // A field without a selected file.
                continue;
            }
            if file.is_empty() {
                return Err(of_file(&name, PhotoError::Damaged));
            }
            if photos.len() >= room {
                return Err(too_many());
            }
            let photo = self.develop(&file, &name).await?;
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

    /// Reads a file, for which more memory is held as it grows.
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

    /// Converts a file to a photo once it is its turn.
    async fn develop(&self, file: &[u8], name: &str) -> Result<Photo, ApiError> {
        let share = &self.app.photo_share;
        if share.reserve(self.upload.client.site()).is_err()
            || (share.is_limited() && !self.upload.has_time())
        {
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
                return developed.map_err(|error| of_file(name, error));
            }
            expected *= 2;
        }
    }
}

/// An error with the problem and its remedy.
fn refused(status: StatusCode, what: impl Display) -> ApiError {
    let message = format!("{what} Gespeichert ist noch nichts.");
    ApiError::of(status, ErrorBody::new("photos", message))
}

/// There are more photos than an inquiry may have.
pub fn too_many() -> ApiError {
    let what = format!("Das sind zu viele Fotos. Möglich sind zusammen höchstens {MAX_PHOTOS}.");
    refused(StatusCode::BAD_REQUEST, what)
}

/// There are too many uploads at once, or the decoder failed.
fn busy() -> ApiError {
    let what = "Gerade kommen zu viele Fotos auf einmal an. Bitte versuchen Sie es in einer Minute erneut.";
    refused(StatusCode::SERVICE_UNAVAILABLE, what)
        .refusal(Refusal::Busy)
        .retry_after(RETRY)
}

/// The client's network has used up its share of the day.
fn too_many_today() -> ApiError {
    let what =
        "Aus Ihrem Netz sind heute schon sehr viele Fotos gekommen. Bitte versuchen Sie es morgen erneut.";
    refused(StatusCode::TOO_MANY_REQUESTS, what).refusal(Refusal::RateLimit)
}

/// No file was selected.
fn nothing() -> ApiError {
    let message = "Bitte wählen Sie mindestens ein Foto aus.";
    ApiError::of(StatusCode::BAD_REQUEST, ErrorBody::new("photos", message))
}

/// A file is not a usable photo; `name` is its name on the visitor's device.
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

/// The name of a file; `None` for other fields. Falls back to reading the header here, since the form parser rejects those that are
/// not UTF-8, as some old browsers send.
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

/// Reads the rest of a refused upload, up to the size of the largest one.
async fn discard(body: &mut RequestBody) {
    let mut length = 0;
    while let Some(Ok(part)) = body.next(STALL).await {
        length += part.len();
        if length > MAX_UPLOAD {
            break;
        }
    }
}
