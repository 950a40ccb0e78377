//! One order: the directory checks each name, then signs a certificate for a new key.

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationHandle, AuthorizationStatus, Error, Identifier, NewOrder, Order, OrderStatus,
    RetryPolicy,
};
use rcgen::{CertificateParams, DistinguishedName, KeyPair};

use super::cache::SharedCache;
use super::challenge::{ChallengeAnswer, ChallengeAnswers, Response};
use super::failure::{AcmeFailure, Problems, is_of_check};
use super::kind::ChallengeKind;
use super::stored;
use crate::base::text::acme_flags::Domain;

/// How often the directory is asked whether it is done: soon, then less and less often, unless it says when.
const POLLING: RetryPolicy = RetryPolicy::new()
    .initial_delay(Duration::from_millis(500))
    .backoff(1.5)
    .timeout(Duration::from_mins(2));

/// Orders a certificate, with challenges of one kind. Returns key and chain in PEM.
///
/// # Errors
/// When the directory refuses, or cannot check a name.
pub async fn order(
    account: &Account,
    domains: &[Domain],
    kind: ChallengeKind,
    answers: &ChallengeAnswers,
    shared: Option<&SharedCache>,
) -> Result<Vec<u8>, AcmeFailure> {
    let identifiers: Vec<Identifier> = domains
        .iter()
        .map(|domain| Identifier::Dns(domain.to_string()))
        .collect();
    let mut order = account.new_order(&NewOrder::new(&identifiers)).await?;
    // Kept until the directory has seen them.
    let given = answer_all(&mut order, kind, answers, shared).await?;
    let checked = order.poll_ready(&POLLING).await;
    if !matches!(checked, Ok(OrderStatus::Ready)) {
        return Err(refusal(&mut order, kind, checked.err()).await);
    }
    drop(given);
    let mut params = CertificateParams::new(
        domains
            .iter()
            .map(|domain| domain.to_string())
            .collect::<Vec<_>>(),
    )?;
    params.distinguished_name = DistinguishedName::new();
    let key = KeyPair::generate()?;
    let request = params.serialize_request(&key)?;
    order.finalize_csr(request.der()).await?;
    let chain = order.poll_certificate(&POLLING).await?;
    Ok(stored::pem(&key.serialize_pem(), &chain))
}

/// Answers the challenges of every name that the directory has not checked lately.
async fn answer_all(
    order: &mut Order,
    kind: ChallengeKind,
    answers: &ChallengeAnswers,
    shared: Option<&SharedCache>,
) -> Result<Vec<ChallengeAnswer>, AcmeFailure> {
    let mut given = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let authorization = authorization?;
        if authorization.status != AuthorizationStatus::Valid {
            given.push(answer(authorization, kind, answers, shared).await?);
        }
    }
    Ok(given)
}

async fn answer(
    mut authorization: AuthorizationHandle<'_>,
    kind: ChallengeKind,
    answers: &ChallengeAnswers,
    shared: Option<&SharedCache>,
) -> Result<ChallengeAnswer, AcmeFailure> {
    let domain = authorization.identifier().to_string();
    if authorization.status != AuthorizationStatus::Pending {
        let reason = Problems(problem(&authorization));
        return Err(AcmeFailure::Check { domain, kind, reason });
    }
    let Some(mut challenge) = authorization.challenge(kind.library_name()) else {
        return Err(AcmeFailure::NotOffered(domain, kind));
    };
    let response = Response::to(kind, &domain, &challenge);
    let answer = answers.give(&response)?;
    if let Some(shared) = shared {
        shared.publish(&response).await?;
    }
    match challenge.set_ready().await {
        Ok(()) => Ok(answer),
        // A directory may have asked and judged before it answers.
        Err(Error::Api(problem)) if is_of_check(&problem) => {
            let reason = Problems(Some(problem));
            Err(AcmeFailure::Check { domain, kind, reason })
        }
        Err(error) => Err(error.into()),
    }
}

/// Asks what was wrong with an order. Directories report it for the name, and often not for the order.
async fn refusal(order: &mut Order, kind: ChallengeKind, error: Option<Error>) -> AcmeFailure {
    let error = match error {
        // There is no point in asking a directory that can no longer be reached.
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
            return AcmeFailure::Check {
                domain: authorization.identifier().to_string(),
                kind,
                reason: Problems(problem(&authorization)),
            };
        }
    }
    error.map_or(AcmeFailure::GivenUp, AcmeFailure::from)
}

fn problem(authorization: &AuthorizationHandle<'_>) -> Option<instant_acme::Problem> {
    let mut challenges = authorization.challenges.iter();
    challenges.find_map(|challenge| challenge.error.clone())
}
