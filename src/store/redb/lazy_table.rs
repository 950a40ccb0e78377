//! A table that is opened when it is first used. Most transactions need two or three of them, and opening and closing one
//! takes as long as storing an inquiry in it.

use redb::{Key, Table, TableDefinition, Value, WriteTransaction};

/// A table of a transaction, not open yet.
pub struct LazyTable<'t, K: Key + 'static, V: Value + 'static> {
    file: &'t WriteTransaction,
    definition: TableDefinition<'static, K, V>,
    table: Option<Table<'t, K, V>>,
}

impl<'t, K: Key + 'static, V: Value + 'static> LazyTable<'t, K, V> {
    /// Prepares a table.
    pub fn new(file: &'t WriteTransaction, definition: TableDefinition<'static, K, V>) -> Self {
        Self {
            file,
            definition,
            table: None,
        }
    }

    /// Returns the table, open.
    pub fn open(&mut self) -> Result<&mut Table<'t, K, V>, redb::Error> {
        let table = match self.table.take() {
            Some(table) => table,
            None => self.file.open_table(self.definition)?,
        };
        Ok(self.table.insert(table))
    }
}
