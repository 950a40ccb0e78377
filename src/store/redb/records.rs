//! The records of a table, read one by one.

use redb::{Key, ReadTransaction, ReadableTable, TableDefinition, Value};

use super::error::attempt;
use crate::store::findings::Findings;

/// The records of a table as they are read.
pub struct Records<'a> {
    table: &'static str,
    count: &'a mut u64,
    findings: &'a mut Findings,
}

impl<'a> Records<'a> {
    /// Begins with the records of a table.
    pub fn of(table: &'static str, count: &'a mut u64, findings: &'a mut Findings) -> Self {
        Self {
            table,
            count,
            findings,
        }
    }

    /// Reads a table. `decode` reads one record; `name` says which one it is.
    ///
    /// # Errors
    /// When the table cannot be read on.
    pub fn read<K: Key + 'static, V: Value + 'static>(
        &mut self,
        file: &ReadTransaction,
        table: TableDefinition<'_, K, V>,
        name: impl Fn(K::SelfType<'_>) -> String,
        decode: impl Fn(K::SelfType<'_>, V::SelfType<'_>) -> Result<(), redb::Error>,
    ) -> Result<(), redb::Error> {
        for entry in file.open_table(table)?.iter()? {
            let (key, value) = entry?;
            match attempt(|| decode(key.value(), value.value())) {
                Ok(()) => *self.count += 1,
                Err(error) => {
                    let table = self.table;
                    self.findings
                        .note(|| format!("{table} {}: {error}", name(key.value())));
                }
            }
        }
        Ok(())
    }
}
