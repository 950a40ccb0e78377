//! Keeps a certificate: orders the first one, renews it long before its end, and tries again after failures.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, Unit};
use rustls_pki_types::CertificateDer;
use tokio::time::{sleep, timeout};

use super::account;
use super::challenge::Answers;
use super::client::Client;
use super::failure::Failure;
use super::files::{ACCOUNT, CERTIFICATE, Files, PROGRESS};
use super::kind::Kind;
use super::order::order;
use super::progress::Progress;
use super::schedule::{Backoff, renewal, renewal_of_new};
use super::stored::Stored;
use crate::config::AcmeSettings;

/// The longest sleep. The clock may be set, and a machine that is suspended does not count the time.
const LONGEST_SLEEP: Duration = Duration::from_mins(30);

/// For one try with all its checks. A directory that is so slow is better asked again later.
const TRY_TIME: Duration = Duration::from_mins(10);

/// What keeping a certificate needs.
#[derive(Debug)]
pub struct Setup {
    /// What is ordered, and where.
    pub settings: AcmeSettings,
    /// The only roots that the directory's own certificate may lead to; `None`: the system's.
    pub roots: Option<Vec<CertificateDer<'static>>>,
    /// Where account and certificate are kept.
    pub data_dir: PathBuf,
    /// Where challenges are answered, and certificates served.
    pub answers: Answers,
    /// The ports of the plain listeners.
    pub plain_ports: Vec<u16>,
    /// Pauses after failures.
    pub backoff: Backoff,
}

/// Why a certificate cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot use `acme` in {directory}: {source}; check the directory's permissions", directory = directory.display())]
pub struct OpenError {
    directory: PathBuf,
    source: io::Error,
}

/// Keeps one certificate.
#[derive(Debug)]
pub struct Keeper {
    setup: Setup,
    files: Files,
    progress: Progress,
    current: Option<Stored>,
    /// Whether the file of the certificate makes no sense. It is reported once there is a log.
    is_damaged: bool,
}

impl Keeper {
    /// Reads what is kept. A certificate that is still valid is served from now on.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub fn open(setup: Setup) -> Result<Self, OpenError> {
        let unusable = |source| OpenError {
            directory: setup.data_dir.clone(),
            source,
        };
        let files = Files::open(&setup.data_dir, &setup.settings.directory).map_err(unusable)?;
        let kept = files.read(CERTIFICATE).map_err(unusable)?;
        let progress = files.read(PROGRESS).map_err(unusable)?;
        let kept = kept.map(|pem| Stored::parse(&pem));
        let is_damaged = matches!(kept, Some(Err(_)));
        // One that has expired would keep visitors out whom plain listeners can still serve.
        let current = kept
            .and_then(Result::ok)
            .filter(|kept| !kept.certificate.has_expired());
        if let Some(current) = &current {
            setup.answers.resolver.set_default(current.certificate.clone());
        }
        Ok(Self {
            progress: Progress::parse(progress.as_deref()),
            setup,
            files,
            current,
            is_damaged,
        })
    }

    /// Orders and renews. Never ends by itself.
    pub async fn keep(mut self) {
        let now = Timestamp::now();
        let backoff = self.setup.backoff;
        if self.is_damaged {
            let path = self.files.path(CERTIFICATE);
            tracing::warn!("{} is damaged; another certificate is ordered", path.display());
        }
        let mut next = match &self.current {
            Some(current) if current.is_for(&self.setup.settings.domains) => {
                let next = renewal(&current.validity, chance());
                tracing::info!(
                    until = %current.validity.not_after,
                    "the certificate for {} is valid; it is renewed {}", self.names(), inform(now, next)
                );
                next
            }
            _ => now,
        };
        if let Some(earliest) = self.progress.failures.next_try_after_start(backoff, now) {
            next = next.max(earliest);
            tracing::info!(
                "the last try to get a certificate failed; the next one is {}",
                inform(now, next)
            );
        }
        loop {
            sleep_until(next).await;
            let now = Timestamp::now();
            next = match self.attempt().await {
                Ok(renewal) => renewal,
                Err(failure) => self.fail(&failure, now).await,
            };
        }
    }

    /// Tries to get a certificate; returns when the next one is to be ordered.
    async fn attempt(&mut self) -> Result<Timestamp, (Failure, Option<Timestamp>)> {
        let roots = self.setup.roots.clone();
        let client = tokio::task::spawn_blocking(move || Client::new(roots.as_deref())).await;
        let client = match client {
            Ok(client) => client.map_err(|error| (error.into(), None))?,
            Err(_) => return Err((Failure::TooLong, None)),
        };
        let tried = timeout(TRY_TIME, self.order(&client)).await;
        let (pem, kind) = tried
            .unwrap_or(Err(Failure::TooLong))
            .map_err(|failure| (failure, client.hold_until()))?;
        self.take(pem, kind).await.map_err(|failure| (failure, None))
    }

    /// Orders a certificate with the challenge that should work.
    async fn order(&mut self, client: &Client) -> Result<(Vec<u8>, Kind), Failure> {
        // Before the directory has any work with it: what cannot be written would be ordered again and again.
        self.progress.write(&self.files).await?;
        match self.order_with_account(client).await {
            Err(failure) if account::is_forgotten(&failure) => {
                tracing::warn!("the directory has forgotten the account; another one is made");
                let files = self.files.clone();
                Failure::blocking(move || files.remove(ACCOUNT)).await?;
                self.order_with_account(client).await
            }
            ordered => ordered,
        }
    }

    async fn order_with_account(&self, client: &Client) -> Result<(Vec<u8>, Kind), Failure> {
        let settings = &self.setup.settings;
        let account = account::open(client, settings, &self.files).await?;
        let kinds = Kind::in_order(&self.setup.plain_ports, self.progress.worked);
        let failures = usize::try_from(self.progress.failures.count).unwrap_or_default();
        // The first try takes what works. Later ones take one kind each, since directories allow only few checks an hour.
        let kinds: Vec<Kind> = match failures {
            0 => kinds,
            _ => kinds
                .iter()
                .copied()
                .cycle()
                .skip(failures % kinds.len())
                .take(1)
                .collect(),
        };
        let mut last = Failure::GivenUp;
        for kind in kinds {
            match order(&account, &settings.domains, kind, &self.setup.answers).await {
                Ok(pem) => return Ok((pem, kind)),
                Err(failure) if failure.is_of_challenge() => {
                    tracing::debug!("{failure}");
                    last = failure;
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(last)
    }

    /// Serves and keeps a new certificate; returns when it is renewed.
    async fn take(&mut self, pem: Vec<u8>, kind: Kind) -> Result<Timestamp, Failure> {
        let now = Timestamp::now();
        let new = Stored::parse_new(&pem, &self.setup.settings.domains, now)?;
        let files = self.files.clone();
        let written = Failure::blocking(move || files.write(CERTIFICATE, &pem)).await;
        // Served even where it cannot be kept.
        self.setup.answers.resolver.set_default(new.certificate.clone());
        let next = renewal_of_new(&new.validity, now, chance());
        let until = new.validity.not_after;
        self.current = Some(new);
        written?;
        self.progress = Progress {
            worked: Some(kind),
            ..Progress::default()
        };
        self.progress.write(&self.files).await?;
        tracing::info!(%until, "got a certificate for {}; it is renewed {}", self.names(), inform(now, next));
        Ok(next)
    }

    /// Notes a failure and reports it; returns when to try again.
    async fn fail(
        &mut self,
        (failure, hold_until): &(Failure, Option<Timestamp>),
        now: Timestamp,
    ) -> Timestamp {
        self.progress.failures.add(now, *hold_until);
        let next = self.progress.failures.next_try(self.setup.backoff, now, chance());
        let next = next.unwrap_or(now);
        let names = self.names();
        let again = inform(now, next);
        let end = self.current.as_ref().map(|current| current.validity.not_after);
        match end {
            Some(end) if end > now => tracing::warn!(
                until = %end,
                "cannot renew the certificate for {names}: {failure}; the next try is {again}"
            ),
            Some(_) => tracing::error!(
                "the certificate for {names} has expired, and cannot be renewed: {failure}; the next try is {again}"
            ),
            None => {
                tracing::error!("cannot get a certificate for {names}: {failure}; the next try is {again}");
            }
        }
        // Where the disk is what failed, a restart merely tries earlier.
        let _ = self.progress.write(&self.files).await;
        next
    }

    fn names(&self) -> String {
        let names = self.setup.settings.domains.iter().map(|domain| &**domain);
        names.collect::<Vec<_>>().join(", ")
    }
}

/// Says when something is, for people.
fn inform(now: Timestamp, then: Timestamp) -> String {
    let wait = now.duration_until(then);
    if wait <= SignedDuration::ZERO {
        return "now".to_owned();
    }
    let unit = if wait < SignedDuration::from_mins(10) {
        Unit::Second
    } else {
        Unit::Minute
    };
    format!("at {}", then.round(unit).unwrap_or(then))
}

async fn sleep_until(then: Timestamp) {
    while let Ok(wait) = Duration::try_from(Timestamp::now().duration_until(then))
        && !wait.is_zero()
    {
        sleep(wait.min(LONGEST_SLEEP)).await;
    }
}

/// Returns any number. Nobody gains by guessing it.
fn chance() -> u32 {
    getrandom::u32().unwrap_or_default()
}
