//! A command's side of the control socket.

use std::error::Error;
use std::io;
use std::path::Path;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{HOST, TE};
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::runtime::Builder;

use super::socket;
use crate::operate::{AskError, Reply, Request};

/// The longest error text that is shown, in bytes; ours are one line.
const ERROR_LIMIT: usize = 1024;

/// Asks the server of a data directory.
///
/// # Errors
/// [`AskError::NoServer`] if there is none, in which case the store can be opened. After [`AskError::Broken`] a change may or may
/// not have been made.
pub fn ask(data_dir: &Path, request: &Request) -> Result<Reply, AskError> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let response = runtime.block_on(send(data_dir, request))?;
    Ok(Reply::of_server(response, runtime))
}

async fn send(data_dir: &Path, request: &Request) -> Result<Response<Incoming>, AskError> {
    let no_server = |error: &dyn Error| AskError::NoServer(error.to_string());
    let stream = match socket::connect(data_dir).await {
        Ok(stream) => stream,
        Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
            let data_dir = data_dir.to_owned();
            return Err(AskError::Denied { data_dir, source });
        }
        Err(error) => return Err(no_server(&error)),
    };
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| no_server(&error))?;
    // Its errors show in the response and its body as well.
    tokio::spawn(connection);
    let json: Bytes = serde_json::to_vec(request).map_err(io::Error::from)?.into();
    let sent = hyper::Request::post("/")
        .header(HOST, "localhost")
        .header(TE, "trailers")
        .body(Full::new(json));
    let sent = sent.map_err(|error| AskError::Broken(error.to_string()))?;
    let response = sender.send_request(sent).await.map_err(|error| {
        // A server that is about to end hangs up without a response. A request that changes something may have been
        // carried out then, unless it was never sent, so it must not be repeated on the file.
        if !request.changes() || error.is_canceled() {
            no_server(&error)
        } else {
            AskError::Broken(error.to_string())
        }
    })?;
    let status = response.status();
    if status == StatusCode::OK {
        return Ok(response);
    }
    let text = Limited::new(response.into_body(), ERROR_LIMIT).collect().await;
    let text = text.map_or_else(
        |_| status.to_string(),
        |text| String::from_utf8_lossy(&text.to_bytes()).into_owned(),
    );
    Err(AskError::Refused(text))
}
