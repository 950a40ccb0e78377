//! Photos on private pages. Visitors add and remove them, and everyone permitted gets them as JPEG. The address contains the page's
//! secret, which is the only authorization.

use hyper::{Response, StatusCode};

use super::visitor::{PHOTO_REMOVED, PHOTOS_SAVED, VisitorInquiry};
use crate::domain::referral::{InquiryRecord, PhotoList};
use crate::domain::referral::{MAX_PHOTOS, PhotoSize};
use crate::site::http::response::{self, Body};
use crate::store::{PhotoRefusal, Store};
use crate::web::api_error::ApiError;
use crate::web::app::{App, RequestContext};
use crate::web::posted;
use crate::web::upload;

/// Sends a photo of an inquiry.
pub async fn show(
    app: &App,
    store: &Store,
    record: &InquiryRecord,
    number: u16,
    size: PhotoSize,
) -> Result<Response<Body>, ApiError> {
    if !record.referral.photo_numbers().contains(&number) {
        return Err(ApiError::not_found());
    }
    let jpeg = store.photo(record.id, number, size).await?;
    let jpeg = jpeg.ok_or_else(ApiError::not_found)?;
    let mut response = response::with_type(StatusCode::OK, "image/jpeg", jpeg);
    app.security_headers
        .add_for_private_picture(response.headers_mut());
    Ok(response)
}

/// Removes a photo.
pub async fn remove(app: &App, token: &str, number: u16) -> Result<Response<Body>, ApiError> {
    let inquiry = VisitorInquiry::find(app, token).await?;
    match inquiry.store.remove_photo(inquiry.record.id, number).await {
        Ok(()) => Ok(inquiry.back(Some(PHOTO_REMOVED))),
        Err(PhotoRefusal::Unavailable(error)) => Err(error.into()),
        // The page shows the current photos.
        Err(_) => Ok(inquiry.back(None)),
    }
}

/// Receives photos. The client is authorized before the body is read, since uploads are large.
pub async fn add(token: &str, request: RequestContext<'_>) -> Result<Response<Body>, ApiError> {
    let (app, client, parts) = (request.app, request.client, request.parts);
    if !posted::is_own_site(app, parts) {
        return Err(ApiError::cross_site());
    }
    let boundary = upload::boundary(parts).ok_or_else(ApiError::not_form)?;
    let inquiry = VisitorInquiry::find(app, token).await?;
    let record = &inquiry.record;
    if record.inquiry.is_none() {
        // The page shows that it is withdrawn.
        return Ok(inquiry.back(None));
    }
    // The reservation stays counted when dropped: an upload is work even if it fails.
    let _ = app.rate_limit.reserve(client).map_err(ApiError::rate_limited)?;
    let photos = record.referral.photos.as_ref();
    let room = photos.map_or(MAX_PHOTOS, PhotoList::room);
    let error = match upload::receive(app, client, boundary, request.body, room).await {
        Ok(photos) => match inquiry.store.add_photos(record.id, photos).await {
            Ok(()) => return Ok(inquiry.back(Some(PHOTOS_SAVED))),
            Err(PhotoRefusal::Gone) => return Ok(inquiry.back(None)),
            Err(PhotoRefusal::Unavailable(error)) => return Err(error.into()),
            Err(PhotoRefusal::TooMany) => upload::too_many(),
        },
        Err(error) => error,
    };
    // Reload, since the upload took a while.
    let inquiry = VisitorInquiry::find(app, token).await?;
    Ok(inquiry.show_photo_error(&error))
}
