//! Who may enter the operator's desk, as the desk and its command ask for it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Store;
use super::error::Unavailable;
use super::operations::{code_name, session_name};

/// Bytes of a code, which works for minutes: 128 bits cannot be guessed.
const CODE: usize = 16;

/// Bytes of what a session is known by.
const SESSION: usize = 32;

/// What digests are for.
const PURPOSE: &[u8] = b"desk";

impl Store {
    /// Notes where the desk is that was opened last, or that there is none any more.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_desk(&self, address: Option<String>) -> Result<(), Unavailable> {
        self.write(move |tx| tx.note_desk(address.as_deref())).await
    }

    /// Returns a new code that lets in whoever has it, once and within ten minutes, and where the desk is, if a server has noted it.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn offer_desk_code(&self) -> Result<(String, Option<String>), Unavailable> {
        let code = random::<CODE>()?;
        let digest = self.desk_digest(&code).await?;
        let address = self.write(move |tx| tx.offer_desk_code(digest)).await?;
        Ok((code, address))
    }

    /// Begins a session; returns what it is known by, or `None` if the code does not work.
    ///
    /// # Errors
    /// While the store cannot be read or written.
    pub async fn begin_desk_session(&self, code: &str) -> Result<Option<String>, Unavailable> {
        let code = self.desk_digest(code).await?;
        // Whoever guesses must not fill the queue of those who write.
        if !self.lasts(code_name(code)).await? {
            return Ok(None);
        }
        let session = random::<SESSION>()?;
        let digest = self.desk_digest(&session).await?;
        let is_known = self.write(move |tx| tx.begin_desk_session(code, digest)).await?;
        Ok(is_known.then_some(session))
    }

    /// Returns whether a session lasts.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn has_desk_session(&self, session: &str) -> Result<bool, Unavailable> {
        self.lasts(session_name(self.desk_digest(session).await?)).await
    }

    /// Returns whether a code or a session is not over.
    async fn lasts(&self, name: String) -> Result<bool, Unavailable> {
        let end = self.fact(name).await?;
        Ok(end.is_some_and(|end| end > self.now()))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn end_desk_session(&self, session: &str) -> Result<(), Unavailable> {
        let ended = session_name(self.desk_digest(session).await?);
        self.write(move |tx| tx.forget_entries(|name, _| name == ended))
            .await
            .map(drop)
    }

    /// Ends all sessions, and no code works any more; returns how many sessions those were.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn end_desk_sessions(&self) -> Result<u64, Unavailable> {
        self.write(|tx| tx.forget_entries(|_, _| true)).await
    }

    async fn desk_digest(&self, text: &str) -> Result<[u8; 16], Unavailable> {
        Ok(self.known_secret().await?.digest(PURPOSE, text))
    }
}

fn random<const BYTES: usize>() -> Result<String, Unavailable> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system gives no random bits");
        Unavailable
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
