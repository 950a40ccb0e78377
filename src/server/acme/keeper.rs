//! Keeps a certificate valid: orders the first one, renews it long before it expires, and retries after failures.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, Unit};
use rustls_pki_types::CertificateDer;
use tokio::time::{sleep, timeout};

use super::account;
use super::cache::{ACCOUNT, AcmeCache, CERTIFICATE, FAILURES};
use super::challenge::ChallengeKind;
use super::client::Client;
use super::failure::AcmeFailure;
use super::order::order;
use super::schedule::{Failures, earliest_renewal, renewal};
use crate::base::logging::LogThrottle;
use crate::config::AcmeSettings;
use crate::server::tls::{Certificate, Resolver};
use crate::store::Unavailable;

/// The longest sleep: another instance may have ordered a certificate, the clock may be changed, and sleeps do not advance while
/// the machine is suspended.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_secs(10);

/// Timeout of one attempt, including all checks. If the CA is slower than this, it is better to retry later.
const TRY_TIME: Duration = Duration::from_mins(10);

/// An unreadable store is logged at most once in this time.
const UNREAD_PAUSE: Duration = Duration::from_mins(30);

/// Keeps one certificate valid.
#[derive(Debug)]
pub struct Keeper {
    /// What to order, and from which CA.
    pub settings: AcmeSettings,
    /// The only roots accepted for the CA's own certificate; `None` for the system's.
    pub roots: Option<Vec<CertificateDer<'static>>>,
    /// Where the account and the certificate are stored.
    pub cache: AcmeCache,
    /// Serves the certificate and answers challenges.
    pub resolver: Arc<Resolver>,
    /// Whether there are plain listeners, which can answer HTTP-01 challenges.
    pub answers_plain: bool,
    /// The pause after the first failure, such as [`FIRST_PAUSE`](super::FIRST_PAUSE).
    pub first_pause: Duration,
}

impl Keeper {
    /// Serves the stored certificate, if it is still valid. A store that does not answer is read later.
    pub async fn serve_kept(&self) {
        let kept = self.kept().await.unwrap_or_default();
        // An expired certificate would turn away visitors whom plain listeners can still serve.
        if let Some(certificate) = kept.filter(|kept| !kept.has_expired()) {
            self.resolver.set_certificate(certificate);
        }
    }

    /// Orders and renews the certificate, and answers challenges. Never returns.
    pub async fn keep(&self) {
        tokio::select! {
            () = self.cache.follow(&self.resolver.challenges) => {}
            () = self.renew() => {}
        }
    }

    async fn renew(&self) {
        self.log_start().await;
        let unread = LogThrottle::every(UNREAD_PAUSE);
        let mut earliest = Timestamp::MIN;
        loop {
            let next = self.order_if_due(&mut earliest).await;
            let next = next.unwrap_or_else(|failure| {
                if unread.is_due() {
                    tracing::warn!("cannot look for the certificate for {}: {failure}", self.names());
                }
                Timestamp::MAX
            });
            let wait = Timestamp::now().duration_until(next).min(LOOK_AGAIN);
            sleep(Duration::try_from(wait).unwrap_or_default()).await;
        }
    }

    /// Orders a certificate if one is due, but not before `earliest`, which it updates; returns when the next one is due.
    async fn order_if_due(&self, earliest: &mut Timestamp) -> Result<Timestamp, Unavailable> {
        let (due, _) = self.look(*earliest).await?;
        let now = Timestamp::now();
        if due > now {
            return Ok(due);
        }
        if !self.cache.begin().await? {
            return Ok(Timestamp::MAX);
        }
        // Another instance may have just ordered one.
        let (due, failures) = self.look(*earliest).await?;
        if due <= now {
            *earliest = self.attempt(failures).await;
        }
        self.cache.end(&self.resolver.challenges).await;
        Ok(due.max(*earliest))
    }

    /// Serves the stored certificate if it is for these domains; returns when the next order is due, and the failures so far. While
    /// a configuration with other domains is rolled out, each instance serves the certificate for its own domains.
    async fn look(&self, earliest: Timestamp) -> Result<(Timestamp, Failures), Unavailable> {
        let failures = Failures::parse(&self.cache.read(FAILURES).await?);
        let next_try = failures
            .after_start()
            .next_try(self.first_pause, Timestamp::now());
        let mut due = next_try.map_or(earliest, |next| next.max(earliest));
        let kept = self.kept().await?;
        if let Some(kept) = kept.filter(|kept| kept.is_for(self.domains())) {
            due = due.max(renewal(&kept.validity, kept.chance()));
            let served = self.resolver.certificate();
            let served = served.filter(|served| served.is_for(self.domains()));
            // A newer certificate that could not be stored stays in use.
            let is_newer = served.is_none_or(|served| served.validity.end < kept.validity.end);
            if is_newer && !kept.has_expired() {
                self.resolver.set_certificate(kept);
            }
        }
        Ok((due, failures))
    }

    /// The stored certificate; `None` if there is no readable one.
    async fn kept(&self) -> Result<Option<Certificate>, Unavailable> {
        let pem = self.cache.read(CERTIFICATE).await?;
        Ok(Certificate::from_pem(&pem, &pem).ok())
    }

    async fn log_start(&self) {
        let Ok((next, failures)) = self.look(Timestamp::MIN).await else {
            return;
        };
        if next <= Timestamp::now() {
            return;
        }
        let next = next.round(Unit::Second).unwrap_or(next);
        if failures.count > 0 {
            tracing::info!("the last try to get a certificate failed; the next one is at {next}");
        } else if let Some(served) = self.resolver.certificate() {
            let (until, names) = (served.validity.end, self.names());
            tracing::info!(%until, "the certificate for {names} is valid; it is renewed at {next}");
        }
    }

    /// Tries to get a certificate; returns the earliest time for the next order.
    async fn attempt(&self, failures: Failures) -> Timestamp {
        let client = Client::new(self.roots.clone());
        let taken = async {
            let ordered = timeout(TRY_TIME, self.order(&client, failures)).await;
            self.take(ordered.unwrap_or(Err(AcmeFailure::TooLong))?).await
        };
        match taken.await {
            Ok(earliest) => earliest,
            Err(failure) => self.fail(&failure, failures, client.hold_until()).await,
        }
    }

    /// Orders a certificate with the challenge type most likely to work.
    async fn order(&self, client: &Client, failures: Failures) -> Result<String, AcmeFailure> {
        // Test that writes work first: otherwise a certificate that cannot be stored would be ordered over and over.
        self.keep_failures(failures).await?;
        let account = account::open(client, &self.settings, &self.cache).await?;
        // HTTP-01 first: it works through any proxy in front of this server.
        let mut kinds = vec![ChallengeKind::Http01, ChallengeKind::TlsAlpn01];
        kinds.retain(|&kind| kind == ChallengeKind::TlsAlpn01 || self.answers_plain);
        // The first attempt tries all types. Later ones try one each, since CAs allow only a few failed checks an hour.
        let failures = usize::try_from(failures.count).unwrap_or_default();
        if failures > 0 {
            kinds = vec![kinds.swap_remove(failures % kinds.len())];
        }
        let mut first = None;
        let (domains, challenges) = (&self.settings.domains, &self.resolver.challenges);
        for kind in kinds {
            match order(&account, domains, kind, challenges, &self.cache).await {
                Err(failure) if failure.is_of_challenge() => {
                    tracing::debug!("{failure}");
                    first.get_or_insert(failure);
                }
                ordered => return ordered,
            }
        }
        Err(first.unwrap_or(AcmeFailure::GivenUp))
    }

    /// Serves and stores a new certificate; returns the earliest time for the next order.
    async fn take(&self, pem: String) -> Result<Timestamp, AcmeFailure> {
        let new = parse_new(&pem, &self.settings.domains)?;
        let until = new.validity.end;
        let earliest = earliest_renewal(&new.validity, Timestamp::now());
        let next = renewal(&new.validity, new.chance()).max(earliest);
        let next = next.round(Unit::Second).unwrap_or(next);
        let written = self.cache.write(CERTIFICATE, pem.into_bytes()).await;
        // Served even if it could not be stored.
        self.resolver.set_certificate(new);
        written?;
        self.keep_failures(Failures::default()).await?;
        tracing::info!(%until, "got a certificate for {}; it is renewed at {next}", self.names());
        Ok(earliest)
    }

    /// Records a failure and logs it; returns when to retry.
    async fn fail(
        &self,
        failure: &AcmeFailure,
        before: Failures,
        hold_until: Option<Timestamp>,
    ) -> Timestamp {
        let now = Timestamp::now();
        let failures = Failures {
            count: before.count.saturating_add(1),
            last: Some(now),
            hold_until,
        };
        let next = failures.next_try(self.first_pause, now).unwrap_or(now);
        // If this fails, a restart merely retries earlier.
        let _ = self.keep_failures(failures).await;
        if account::is_lost(failure) {
            // The next attempt creates a new account.
            let _ = self.cache.write(ACCOUNT, Vec::new()).await;
        }
        let names = self.names();
        let again = next.round(Unit::Second).unwrap_or(next);
        let served = self.resolver.certificate();
        match served.map(|served| served.validity.end) {
            Some(until) if until > now => tracing::warn!(
                %until,
                "cannot renew the certificate for {names}: {failure}; the next try is at {again}"
            ),
            Some(_) => tracing::error!(
                "the certificate for {names} has expired, and cannot be renewed: {failure}; the next try is at {again}"
            ),
            None => {
                tracing::error!(
                    "cannot get a certificate for {names}: {failure}; the next try is at {again}"
                );
            }
        }
        next
    }

    async fn keep_failures(&self, failures: Failures) -> Result<(), Unavailable> {
        // If this fails, the next start counts no failures.
        let failures = serde_json::to_vec(&failures).unwrap_or_default();
        self.cache.write(FAILURES, failures).await
    }

    fn domains(&self) -> impl Iterator<Item = &str> {
        self.settings.domains.iter().map(String::as_str)
    }

    fn names(&self) -> String {
        self.domains().collect::<Vec<_>>().join(", ")
    }
}

/// Parses a new certificate, which must not have expired and must be for exactly these domains.
fn parse_new(pem: &str, domains: &[String]) -> Result<Certificate, AcmeFailure> {
    let new = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())?;
    if new.has_expired() {
        return Err(AcmeFailure::Unusable("it has expired"));
    }
    if !new.is_for(domains.iter().map(String::as_str)) {
        return Err(AcmeFailure::Unusable("it is for other domains"));
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn kept(end: i32) -> String {
        let names = ["a.example", "b.example"].map(str::to_owned);
        let mut params = CertificateParams::new(names).unwrap();
        params.not_after = date_time_ymd(end, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        format!("{}{}", key.serialize_pem(), certificate.pem())
    }

    #[test]
    fn a_new_certificate_must_be_what_was_ordered() {
        let both = ["a.example", "b.example"].map(|domain| domain.parse().unwrap());
        assert!(parse_new(&kept(2040), &both).is_ok());
        for (pem, ordered, expected) in [
            (kept(2020), &both[..], "it has expired"),
            (kept(2040), &both[..1], "it is for other domains"),
            (
                kept(2040).chars().skip(300).collect(),
                &both[..],
                "there is no certificate in PEM",
            ),
        ] {
            let error = parse_new(&pem, ordered).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
