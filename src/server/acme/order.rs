//! One order: the CA checks each name, then signs a certificate for a new key.

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, Error, Identifier, NewOrder, Order, OrderStatus, RetryPolicy,
};
use rcgen::{CertificateParams, DistinguishedName, KeyPair};

use super::cache::AcmeCache;
use super::challenge::ChallengeKind;
use super::failure::{AcmeFailure, detail};
use crate::web::Challenges;

/// How often the CA is polled: at increasing intervals, unless it sends a `Retry-After`.
const POLLING: RetryPolicy = RetryPolicy::new()
    .initial_delay(Duration::from_millis(500))
    .backoff(1.5)
    .timeout(Duration::from_mins(2));

/// Orders a certificate, using challenges of one type. Returns key and chain in PEM.
///
/// # Errors
/// If the CA returns an error, or cannot check a name.
pub async fn order(
    account: &Account,
    domains: &[String],
    kind: ChallengeKind,
    challenges: &Challenges,
    cache: &AcmeCache,
) -> Result<String, AcmeFailure> {
    let identifiers: Vec<Identifier> = domains.iter().cloned().map(Identifier::Dns).collect();
    let mut order = account.new_order(&NewOrder::new(&identifiers)).await?;
    let responses = responses(&mut order, kind).await?;
    cache.answer(challenges, responses).await?;
    match check(&mut order, kind).await {
        Ok(OrderStatus::Ready) => {}
        checked => return Err(refusal(&mut order, kind, checked.err()).await),
    }
    let mut params = CertificateParams::new(domains)?;
    params.distinguished_name = DistinguishedName::new();
    let key = KeyPair::generate()?;
    let request = params.serialize_request(&key)?;
    order.finalize_csr(request.der()).await?;
    let chain = order.poll_certificate(&POLLING).await?;
    Ok(format!(
        "{}\n{}\n",
        key.serialize_pem().trim_end(),
        chain.trim_end()
    ))
}

/// The challenge responses for every name that the CA does not already consider valid.
async fn responses(order: &mut Order, kind: ChallengeKind) -> Result<Vec<(String, String)>, AcmeFailure> {
    let mut responses = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        if authorization.status == AuthorizationStatus::Valid {
            continue;
        }
        let domain = authorization.identifier().to_string();
        match authorization.challenge(kind.library_name()) {
            Some(challenge) => responses.push(kind.response(&domain, &challenge)),
            None => return Err(AcmeFailure::NotOffered(domain, kind)),
        }
    }
    Ok(responses)
}

/// Asks the CA to check every name; returns the resulting status of the order.
async fn check(order: &mut Order, kind: ChallengeKind) -> Result<OrderStatus, Error> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        if authorization.status != AuthorizationStatus::Valid
            && let Some(mut challenge) = authorization.challenge(kind.library_name())
        {
            challenge.set_ready().await?;
        }
    }
    order.poll_ready(&POLLING).await
}

/// Finds out why an order failed. CAs report it on the authorization, and often not on the order.
async fn refusal(order: &mut Order, kind: ChallengeKind, error: Option<Error>) -> AcmeFailure {
    let error = match error {
        // If the CA cannot be reached, asking again is pointless.
        Some(error) if !matches!(error, Error::Api(_)) => return error.into(),
        error => error,
    };
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        if authorization.refresh().await.is_err() {
            break;
        }
        if !matches!(
            authorization.status,
            AuthorizationStatus::Valid | AuthorizationStatus::Pending
        ) {
            let mut challenges = authorization.challenges.iter();
            let problem = challenges.find_map(|challenge| challenge.error.as_ref());
            return AcmeFailure::Check {
                domain: authorization.identifier().to_string(),
                kind,
                reason: problem.map_or_else(|| "it gives no reason".to_owned(), detail),
            };
        }
    }
    error.map_or(AcmeFailure::GivenUp, AcmeFailure::from)
}
