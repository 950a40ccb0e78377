//! The secret from which tokens follow.

use redb::{Database, ReadableDatabase, ReadableTable, WriteTransaction};

use super::error::damaged;
use super::schema::SECRETS;
use crate::referral::Secret;

/// Its name in the table.
const TOKENS: &str = "tokens";

/// Creates the secret, unless the file has it.
pub fn create(file: &WriteTransaction) -> Result<(), redb::Error> {
    let mut secrets = file.open_table(SECRETS)?;
    if secrets.get(TOKENS)?.is_none() {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(std::io::Error::from)?;
        secrets.insert(TOKENS, secret.as_slice())?;
    }
    Ok(())
}

/// Reads the secret.
pub fn read(database: &Database) -> Result<Secret, redb::Error> {
    find(&database.begin_read()?.open_table(SECRETS)?)
}

/// Finds the secret in its table.
pub fn find(secrets: &impl ReadableTable<&'static str, &'static [u8]>) -> Result<Secret, redb::Error> {
    let secret = secrets.get(TOKENS)?;
    let secret = secret.and_then(|secret| secret.value().try_into().ok());
    secret
        .map(Secret::new)
        .ok_or_else(|| damaged("the secret of private pages is missing"))
}
