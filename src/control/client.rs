//! A command's side of the control socket.

use std::io;
use std::path::{Path, PathBuf};

use bytes::{Buf, Bytes, BytesMut};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{HeaderMap, TE};
use hyper::http::request;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::dossier_line::DossierLine;
use super::erasure::{EraseRequest, EraseResponse};
use super::operation::Operation;
use super::operations::FoundSubscription;
use super::protocol::{BACKUP, DOSSIERS, ERASURE, INQUIRIES, LEFT_OUT, SUBSCRIPTIONS, TOTAL};
use super::{query, socket};
use crate::referral::Dossier;
use crate::store::{Erasure, Selection, TimeRange};

/// The longest error text that is shown, in bytes; ours are one line.
const ERROR_LIMIT: usize = 1024;

/// The longest response to an erasure that is read, in bytes.
const RESPONSE_LIMIT: usize = 1024;

/// Why a server could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No server listens, or it ended before it responded.
    #[error("no server listens on the control socket: {0}")]
    NoServer(String),
    /// The server refused.
    #[error("the server refused: {0}; see its log")]
    Refused(String),
    /// The response broke off.
    #[error("the server broke off: {0}; try again, and see its log")]
    Broken(String),
    /// The response is of another version.
    #[error("the server sent something that is not understood; is it of the same version as this program?")]
    Strange,
    /// This user may not reach the server, nor enter its directory.
    #[error("cannot use {}: {source}; run this as the user of the server, or check --data-dir", data_dir.display())]
    #[allow(missing_docs, reason = "the message says what the fields are")]
    Denied { data_dir: PathBuf, source: io::Error },
    /// The operating system refused.
    #[error("cannot ask the server: {0}")]
    System(#[from] io::Error),
}

/// Records that a server sends, one a line.
#[derive(Debug)]
pub struct Streamed {
    runtime: Runtime,
    body: Incoming,
    /// How many inquiries the server's snapshot holds, in all; of subscriptions it does not say it.
    pub total: Option<u64>,
    /// How many suspected inquiries of the range were left out; known after the last line.
    pub left_out: Option<u64>,
    /// What was received and not read yet, and the length of the line to be dropped from it.
    received: BytesMut,
    shown: usize,
}

/// Asks the server of a data directory for its inquiries.
///
/// # Errors
/// [`AskError::NoServer`] if there is none, in which case the store can be opened.
pub fn inquiries(data_dir: &Path, selection: Selection) -> Result<Streamed, AskError> {
    stream(data_dir, &format!("{INQUIRIES}{}", query::write(selection)))?.counted()
}

/// Asks the server of a data directory for everything that is known of the inquiries of a range;
/// [`Streamed::next_dossier`] reads it.
///
/// # Errors
/// As for [`inquiries`].
pub fn dossiers(data_dir: &Path, range: TimeRange) -> Result<Streamed, AskError> {
    let selection = Selection {
        range,
        ..Selection::default()
    };
    stream(data_dir, &format!("{DOSSIERS}{}", query::write(selection)))?.counted()
}

/// Asks the server of a data directory for the subscriptions to its newsletter;
/// [`Streamed::next_subscription`] reads them.
///
/// # Errors
/// As for [`inquiries`].
pub fn subscriptions(data_dir: &Path) -> Result<Streamed, AskError> {
    stream(data_dir, SUBSCRIPTIONS)
}

/// Asks the server of a data directory for a backup; [`Streamed::write_to`] reads it.
///
/// # Errors
/// As for [`inquiries`].
pub fn backup(data_dir: &Path) -> Result<Streamed, AskError> {
    stream(data_dir, BACKUP)?.counted()
}

fn stream(data_dir: &Path, target: &str) -> Result<Streamed, AskError> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let request = Request::get(target).header(TE, "trailers");
    let response = runtime.block_on(ask(data_dir, request, Bytes::new()))?;
    let total = number(response.headers(), TOTAL);
    Ok(Streamed {
        runtime,
        body: response.into_body(),
        total,
        left_out: None,
        received: BytesMut::new(),
        shown: 0,
    })
}

impl Streamed {
    fn counted(self) -> Result<Self, AskError> {
        match self.total {
            Some(_) => Ok(self),
            None => Err(AskError::Broken("it did not say how many there are".to_owned())),
        }
    }

    /// Writes what comes as it is. The outer error is the server's, the inner one that of writing.
    ///
    /// # Errors
    /// When the answer breaks off. What was written is then not complete.
    pub fn write_to(&mut self, mut out: impl io::Write) -> Result<io::Result<()>, AskError> {
        while let Some(frame) = self.runtime.block_on(self.body.frame()) {
            let frame = frame.map_err(|error| AskError::Broken(error.to_string()))?;
            if let Ok(data) = frame.into_data()
                && let Err(error) = out.write_all(&data)
            {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Returns the next dossier; `None` after the last.
    ///
    /// # Errors
    /// When the answer breaks off, or something in it is not understood.
    pub fn next_dossier(&mut self) -> Result<Option<Dossier>, AskError> {
        let Some(line) = self.next_line()? else {
            return Ok(None);
        };
        DossierLine::read(line).map(Some).ok_or(AskError::Strange)
    }

    /// Returns the next subscription; `None` after the last.
    ///
    /// # Errors
    /// As for [`Self::next_dossier`].
    pub fn next_subscription(&mut self) -> Result<Option<FoundSubscription>, AskError> {
        let line = self.next_line()?.map(serde_json::from_slice);
        line.transpose().map_err(|_| AskError::Strange)
    }

    /// Returns the next line, one JSON object; `None` after the last.
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
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.received.extend_from_slice(&data),
                    Err(frame) => self.left_out = frame.trailers_ref().and_then(|all| number(all, LEFT_OUT)),
                },
                Some(Err(error)) => return Err(AskError::Broken(error.to_string())),
                None if self.received.is_empty() => return Ok(None),
                None => return Err(AskError::Broken("the last line is not complete".to_owned())),
            }
        }
    }
}

/// Asks the server of a data directory to erase inquiries; returns their number, or the id that it does not know, in
/// which case nothing was erased.
///
/// # Errors
/// [`AskError::NoServer`] if there is none. After [`AskError::Broken`] they may or may not be erased.
pub fn erase(data_dir: &Path, what: &Erasure) -> Result<Result<u64, Uuid>, AskError> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let request = serde_json::to_vec(&EraseRequest::from(what)).map_err(io::Error::from)?;
    let response = runtime.block_on(async {
        let response = ask(data_dir, Request::post(ERASURE), request.into()).await?;
        let body = Limited::new(response.into_body(), RESPONSE_LIMIT).collect().await;
        body.map_err(|error| AskError::Broken(error.to_string()))
    })?;
    let unclear = || AskError::Broken("it did not say how many were erased".to_owned());
    match serde_json::from_slice(&response.to_bytes()) {
        Ok(EraseResponse::Erased(count)) => Ok(Ok(count)),
        Ok(EraseResponse::Unknown(id)) => Ok(Err(id.parse().map_err(|_| unclear())?)),
        Err(_) => Err(unclear()),
    }
}

/// Asks the server of a data directory to carry out an operation.
///
/// # Errors
/// [`AskError::NoServer`] if there is none. After [`AskError::Broken`] a change may or may not have been made.
pub fn operate<O: Operation>(data_dir: &Path, operation: &O) -> Result<O::Answer, AskError> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let request = serde_json::to_vec(operation).map_err(io::Error::from)?;
    let answer = runtime.block_on(async {
        let asked = ask_for(data_dir, Request::post(O::PATH), request.into(), !O::CHANGES);
        let body = asked.await?.into_body().collect().await;
        body.map_err(|error| AskError::Broken(error.to_string()))
    })?;
    serde_json::from_slice(&answer.to_bytes()).map_err(|_| AskError::Strange)
}

async fn ask(
    data_dir: &Path,
    request: request::Builder,
    body: Bytes,
) -> Result<Response<Incoming>, AskError> {
    let only_reads = request.method_ref() == Some(&Method::GET);
    ask_for(data_dir, request, body, only_reads).await
}

async fn ask_for(
    data_dir: &Path,
    request: request::Builder,
    body: Bytes,
    only_reads: bool,
) -> Result<Response<Incoming>, AskError> {
    let no_server = |error: &dyn std::error::Error| AskError::NoServer(error.to_string());
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
    let request = request
        .header(hyper::header::HOST, "localhost")
        .body(Full::new(body));
    let request = request.map_err(|error| AskError::Broken(error.to_string()))?;
    let response = sender.send_request(request).await.map_err(|error| {
        // A server that is about to end hangs up without a response. A request that changes something may have been
        // carried out then, unless it was never sent, so it must not be repeated on the file.
        if only_reads || error.is_canceled() {
            no_server(&error)
        } else {
            AskError::Broken(error.to_string())
        }
    })?;
    if response.status() == StatusCode::OK {
        return Ok(response);
    }
    let status = response.status();
    let text = Limited::new(response.into_body(), ERROR_LIMIT).collect().await;
    let text = text.map_or_else(
        |_| status.to_string(),
        |text| String::from_utf8_lossy(&text.to_bytes()).into_owned(),
    );
    Err(AskError::Refused(text))
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}
