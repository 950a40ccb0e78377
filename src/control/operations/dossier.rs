//! Everything about one inquiry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::control::dossier_line::DossierLine;
use crate::control::operation::Operation;
use crate::store::{Store, Unavailable};

/// Reads what is known of an inquiry.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadDossier {
    id: String,
}

/// The tokens of an inquiry's private pages.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tokens {
    /// That of the visitor.
    pub visitor: String,
    /// Those of the firms, in the order in which they were asked.
    pub firms: Vec<String>,
}

impl ReadDossier {
    /// Asks for the inquiry with an id.
    pub fn of(id: Uuid) -> Self {
        Self { id: id.to_string() }
    }
}

impl Operation for ReadDossier {
    const PATH: &'static str = "/dossier";
    const CHANGES: bool = false;
    type Answer = Option<(DossierLine, Tokens)>;

    async fn run(self, store: Arc<Store>) -> Result<Self::Answer, Unavailable> {
        let Ok(id) = self.id.parse() else { return Ok(None) };
        let Some(dossier) = store.dossier(id).await? else {
            return Ok(None);
        };
        let secret = store.secret();
        let firms = dossier.referral.asked.iter();
        let tokens = Tokens {
            visitor: secret.visitor_token(id),
            firms: firms.map(|asked| secret.firm_token(id, &asked.firm)).collect(),
        };
        Ok(Some((DossierLine::from(&dossier), tokens)))
    }
}
