//! A command's side of the control socket.

use std::io;
use std::path::Path;

use bytes::{Buf, Bytes, BytesMut};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::runtime::{Builder, Runtime};

use super::{INQUIRIES, TOTAL, socket};
use crate::store::TimeRange;

/// Longest text of a refusal that is shown, in bytes; ours are one line.
const REFUSAL_LIMIT: usize = 1024;

/// Why a server could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No server listens, or it ended before it answered.
    #[error("no server listens on the control socket: {0}")]
    NoServer(String),
    /// The server said no.
    #[error("the server refused: {0}; see its log")]
    Refused(String),
    /// The answer broke off.
    #[error("the server broke off: {0}; try again, and see its log")]
    Broken(String),
    /// The operating system refused.
    #[error("cannot ask the server: {0}")]
    System(#[from] io::Error),
}

/// Inquiries that a server sends.
#[derive(Debug)]
pub struct Inquiries {
    runtime: Runtime,
    body: Incoming,
    /// How many inquiries the server's snapshot holds, in all.
    pub total: u64,
    /// What has come and was not read yet, and the length of the line to be dropped from it.
    received: BytesMut,
    shown: usize,
}

/// Asks the server of a data directory for its inquiries.
///
/// # Errors
/// [`AskError::NoServer`] if there is none, in which case the file can be opened, or another one.
pub fn inquiries(data_dir: &Path, range: TimeRange) -> Result<Inquiries, AskError> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let response = runtime.block_on(ask(data_dir, &target(range)))?;
    let total = response
        .headers()
        .get(TOTAL)
        .and_then(|total| total.to_str().ok()?.parse().ok());
    let total = total.ok_or_else(|| AskError::Broken("it did not say how many there are".to_owned()))?;
    Ok(Inquiries {
        runtime,
        body: response.into_body(),
        total,
        received: BytesMut::new(),
        shown: 0,
    })
}

impl Inquiries {
    /// The next line, one JSON object; `None` after the last.
    ///
    /// # Errors
    /// When the answer breaks off. It is then not complete.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, AskError> {
        self.received.advance(std::mem::take(&mut self.shown));
        let mut searched = 0;
        loop {
            let new = self.received.get(searched..).unwrap_or_default();
            if let Some(end) = new.iter().position(|&byte| byte == b'\n') {
                self.shown = searched + end + 1;
                return Ok(self.received.get(..self.shown));
            }
            searched = self.received.len();
            match self.runtime.block_on(self.body.frame()) {
                Some(Ok(frame)) => self
                    .received
                    .extend_from_slice(&frame.into_data().unwrap_or_default()),
                Some(Err(error)) => return Err(AskError::Broken(error.to_string())),
                None if self.received.is_empty() => return Ok(None),
                None => return Err(AskError::Broken("the last line is not complete".to_owned())),
            }
        }
    }
}

async fn ask(data_dir: &Path, target: &str) -> Result<Response<Incoming>, AskError> {
    let no_server = |error: &dyn std::error::Error| AskError::NoServer(error.to_string());
    let stream = match socket::connect(data_dir).await {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error.into()),
        Err(error) => return Err(no_server(&error)),
    };
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| no_server(&error))?;
    // Its errors show in the response and its body as well.
    tokio::spawn(connection);
    let request = Request::get(target)
        .header(hyper::header::HOST, "localhost")
        .body(Empty::<Bytes>::new());
    let request = request.map_err(|error| AskError::Broken(error.to_string()))?;
    // A server that ends just now hangs up without an answer.
    let response = sender
        .send_request(request)
        .await
        .map_err(|error| no_server(&error))?;
    if response.status() == StatusCode::OK {
        return Ok(response);
    }
    let status = response.status();
    let text = Limited::new(response.into_body(), REFUSAL_LIMIT).collect().await;
    let text = text.map_or_else(
        |_| status.to_string(),
        |text| String::from_utf8_lossy(&text.to_bytes()).into_owned(),
    );
    Err(AskError::Refused(text))
}

fn target(range: TimeRange) -> String {
    let bounds = [("since", range.since), ("until", range.until)];
    let query: Vec<String> = bounds
        .iter()
        .filter_map(|(name, time)| time.map(|time| format!("{name}={time}")))
        .collect();
    if query.is_empty() {
        INQUIRIES.to_owned()
    } else {
        format!("{INQUIRIES}?{}", query.join("&"))
    }
}
