//! Keeps a certificate: orders the first one, renews it long before it expires, and tries again after failures.

use std::io;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, Unit};
use rustls_pki_types::CertificateDer;
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

use super::account;
use super::cache::{AcmeCache, Place};
use super::challenge::ChallengeAnswers;
use super::client::Client;
use super::failure::AcmeFailure;
use super::files::{ACCOUNT, CERTIFICATE, FAILURES};
use super::kind::ChallengeKind;
use super::order::order;
use super::schedule::{Backoff, Failures, renewal, renewal_of_new};
use super::stored::StoredCertificate;
use crate::base::panics::keep_alive;
use crate::config::AcmeSettings;

/// The longest sleep. The clock may be set, and a machine that is suspended does not count the time.
const LONGEST_SLEEP: Duration = Duration::from_mins(30);

/// For one attempt with all its checks. A directory that is slower is better asked again later.
const TRY_TIME: Duration = Duration::from_mins(10);

/// When an instance looks again that may not order, because another one does or the store does not answer.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_secs(10);

/// What keeping a certificate needs.
#[derive(Debug)]
pub struct Setup {
    /// What is ordered, and where.
    pub settings: AcmeSettings,
    /// The only roots that the directory's own certificate may lead to; `None`: the system's.
    pub roots: Option<Vec<CertificateDer<'static>>>,
    /// Where account and certificate are kept.
    pub place: Place,
    /// Where challenges are answered, and certificates served.
    pub answers: ChallengeAnswers,
    /// Whether there are plain listeners, which can answer, too.
    pub answers_plain: bool,
    /// Pauses after failures.
    pub backoff: Backoff,
}

/// Why a certificate cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot use `acme` in {place}: {source}; check the directory's permissions")]
pub struct KeeperError {
    place: String,
    source: io::Error,
}

/// Keeps one certificate.
#[derive(Debug)]
pub struct Keeper {
    setup: Setup,
    cache: AcmeCache,
    failures: Failures,
    current: Option<StoredCertificate>,
    /// Whether the file of the certificate is damaged. It is reported once there is a log.
    is_damaged: bool,
}

impl Keeper {
    /// Reads what is kept. A certificate that is still valid is served from now on.
    ///
    /// # Errors
    /// When the data directory cannot be used. A store that does not answer is read later.
    pub async fn open(setup: Setup) -> Result<Self, KeeperError> {
        let unusable = |source| KeeperError {
            place: match &setup.place {
                Place::Directory(data_dir) => data_dir.display().to_string(),
                Place::Shared(_) => "the database".to_owned(),
            },
            source,
        };
        let cache = AcmeCache::open(&setup.place, &setup.settings.directory).map_err(unusable)?;
        let unread = |failure| match failure {
            AcmeFailure::Files(error) => Err(unusable(error)),
            _ => Ok(None),
        };
        let certificate = cache.read(CERTIFICATE).await.or_else(unread)?;
        let failures = cache.read(FAILURES).await.or_else(unread)?;
        let certificate = certificate.map(|pem| StoredCertificate::parse(&pem));
        let is_damaged = matches!(certificate, Some(Err(_)));
        // An expired one would keep out visitors whom plain listeners can still serve.
        let current = certificate
            .and_then(Result::ok)
            .filter(|kept| !kept.certificate.has_expired());
        if let Some(current) = &current {
            setup.answers.resolver.set_default(current.certificate.clone());
        }
        Ok(Self {
            failures: Failures::parse(failures.as_deref()),
            setup,
            cache,
            current,
            is_damaged,
        })
    }

    /// Orders and renews. Runs forever.
    pub async fn keep(&mut self) {
        let now = Timestamp::now();
        let backoff = self.setup.backoff;
        if self.is_damaged {
            let place = self.cache.place(CERTIFICATE);
            tracing::warn!("{place} is damaged; another certificate is ordered");
        }
        // Aborted when this call ends.
        let _following = self.cache.shared().map(|shared| {
            let (shared, answers) = (shared.clone(), self.setup.answers.clone());
            let domains = self.setup.settings.domains.clone();
            AbortOnDropHandle::new(tokio::spawn(keep_alive(
                "following the other instances' certificate",
                async move || shared.follow(&answers, &domains).await,
            )))
        });
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
        if let Some(earliest) = self.failures.next_try_after_start(backoff, now) {
            next = next.max(earliest);
            tracing::info!(
                "the last try to get a certificate failed; the next one is {}",
                inform(now, next)
            );
        }
        loop {
            sleep_until(next).await;
            let now = Timestamp::now();
            next = match self.look_at_others(now).await {
                Ok(None) => match self.attempt().await {
                    Ok(renewal) => renewal,
                    Err(failure) => self.fail(&failure, now).await,
                },
                Ok(Some(later)) => later,
                Err(failure) => {
                    tracing::warn!("cannot look for the certificate for {}: {failure}", self.names());
                    now.saturating_add(LOOK_AGAIN).unwrap_or(now)
                }
            };
            if let Some(shared) = self.cache.shared() {
                shared.end().await;
            }
        }
    }

    /// Returns when to look again if another instance orders, or has ordered; else only this one may order.
    async fn look_at_others(&mut self, now: Timestamp) -> Result<Option<Timestamp>, AcmeFailure> {
        let Some(shared) = self.cache.shared() else {
            return Ok(None);
        };
        if !shared.begin().await? {
            return Ok(Some(now.saturating_add(LOOK_AGAIN).unwrap_or(now)));
        }
        let found = self.cache.read(CERTIFICATE).await?;
        if let Some(found) = found.and_then(|pem| StoredCertificate::parse(&pem).ok())
            && found.is_for(&self.setup.settings.domains)
        {
            let next = renewal(&found.validity, chance());
            if next > now {
                self.setup.answers.resolver.set_default(found.certificate.clone());
                self.current = Some(found);
                return Ok(Some(next));
            }
        }
        let failures = self.cache.read(FAILURES).await?;
        self.failures = Failures::parse(failures.as_deref());
        let earliest = self.failures.next_try_after_start(self.setup.backoff, now);
        Ok(earliest.filter(|&earliest| earliest > now))
    }

    /// Tries to get a certificate; returns when the next one is to be ordered.
    async fn attempt(&mut self) -> Result<Timestamp, (AcmeFailure, Option<Timestamp>)> {
        let roots = self.setup.roots.clone();
        let client = tokio::task::spawn_blocking(move || Client::new(roots.as_deref())).await;
        let client = match client {
            Ok(client) => client.map_err(|error| (error.into(), None))?,
            Err(_) => return Err((AcmeFailure::TooLong, None)),
        };
        let tried = timeout(TRY_TIME, self.order(&client)).await;
        let pem = tried
            .unwrap_or(Err(AcmeFailure::TooLong))
            .map_err(|failure| (failure, client.hold_until()))?;
        self.take(pem).await.map_err(|failure| (failure, None))
    }

    /// Orders a certificate with the challenge that should work.
    async fn order(&mut self, client: &Client) -> Result<Vec<u8>, AcmeFailure> {
        // Before anything is ordered: a certificate that cannot be stored would be ordered again and again.
        self.keep_failures().await?;
        match self.order_with_account(client).await {
            Err(failure) if account::is_forgotten(&failure) => {
                tracing::warn!("the directory has forgotten the account; another one is made");
                self.cache.remove(ACCOUNT).await?;
                self.order_with_account(client).await
            }
            ordered => ordered,
        }
    }

    async fn order_with_account(&self, client: &Client) -> Result<Vec<u8>, AcmeFailure> {
        let settings = &self.setup.settings;
        let account = account::open(client, settings, &self.cache).await?;
        // HTTP-01 first: it gets through any proxy between the directory and this server.
        let mut kinds = vec![ChallengeKind::Http01, ChallengeKind::TlsAlpn01];
        kinds.retain(|&kind| kind == ChallengeKind::TlsAlpn01 || self.setup.answers_plain);
        // The first attempt tries all kinds. Later ones try one each, since directories allow only a few checks an hour.
        let failures = usize::try_from(self.failures.count).unwrap_or_default();
        if failures > 0 {
            kinds = vec![kinds.swap_remove(failures % kinds.len())];
        }
        let mut first = None;
        for kind in kinds {
            let shared = self.cache.shared();
            match order(&account, &settings.domains, kind, &self.setup.answers, shared).await {
                Err(failure) if failure.is_of_challenge() => {
                    tracing::debug!("{failure}");
                    first.get_or_insert(failure);
                }
                ordered => return ordered,
            }
        }
        Err(first.unwrap_or(AcmeFailure::GivenUp))
    }

    /// Serves and keeps a new certificate; returns when it is renewed.
    async fn take(&mut self, pem: Vec<u8>) -> Result<Timestamp, AcmeFailure> {
        let now = Timestamp::now();
        let new = StoredCertificate::parse_new(&pem, &self.setup.settings.domains, now)?;
        let written = self.cache.write(CERTIFICATE, pem).await;
        // Served even where it cannot be kept.
        self.setup.answers.resolver.set_default(new.certificate.clone());
        let next = renewal_of_new(&new.validity, now, chance());
        let until = new.validity.not_after;
        self.current = Some(new);
        written?;
        self.failures = Failures::default();
        self.keep_failures().await?;
        tracing::info!(%until, "got a certificate for {}; it is renewed {}", self.names(), inform(now, next));
        Ok(next)
    }

    /// Notes a failure and reports it; returns when to try again.
    async fn fail(
        &mut self,
        (failure, hold_until): &(AcmeFailure, Option<Timestamp>),
        now: Timestamp,
    ) -> Timestamp {
        self.failures.add(now, *hold_until);
        let next = self.failures.next_try(self.setup.backoff, now, chance());
        let next = next.unwrap_or(now);
        // If the disk has failed, a restart merely tries earlier.
        let _ = self.keep_failures().await;
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
        next
    }

    async fn keep_failures(&self) -> Result<(), AcmeFailure> {
        let failures = serde_json::to_vec_pretty(&self.failures).map_err(io::Error::from)?;
        self.cache.write(FAILURES, failures).await
    }

    fn names(&self) -> String {
        let names = self.setup.settings.domains.iter().map(|domain| &**domain);
        names.collect::<Vec<_>>().join(", ")
    }
}

/// Says when something is, for operators.
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

/// Returns jitter; it need not be secure.
fn chance() -> u32 {
    getrandom::u32().unwrap_or_default()
}
