//! Lists on standard output: a table with aligned columns, or one JSON array with an object on each line. Neither needs
//! to know how long the list is.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use super::failure::Failure;
use crate::export::Output;

/// One entry of a list. Its keys in JSON follow from its fields.
pub trait Entry: Serialize {
    /// The columns of the table with their widths, in characters; the last is as wide as it needs.
    const COLUMNS: &'static [(&'static str, usize)];

    /// Returns the cells of its row.
    fn cells(&self) -> Vec<String>;
}

/// A list that is being written. Its reader gets it when it is complete.
pub struct List {
    output: Output,
    form: Form,
}

enum Form {
    Table { has_head: bool },
    Json { before: &'static str },
}

impl List {
    /// Begins a list.
    pub fn begin(json: bool) -> Result<Self, Failure> {
        let form = if json {
            Form::Json { before: "[" }
        } else {
            Form::Table { has_head: false }
        };
        Ok(Self {
            output: Output::open(None)?,
            form,
        })
    }

    /// Adds an entry.
    pub fn add<E: Entry>(&mut self, entry: &E) -> Result<(), Failure> {
        let written = match &mut self.form {
            Form::Json { before } => {
                let before = std::mem::replace(before, ",");
                writeln!(self.output, "{before}")
                    .and_then(|()| Ok(serde_json::to_writer(&mut self.output, entry)?))
            }
            Form::Table { has_head } => {
                let head = E::COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
                let head = (!std::mem::replace(has_head, true)).then_some(head);
                let mut rows = head.into_iter().chain([entry.cells()]);
                rows.try_for_each(|cells: Vec<String>| write_row::<E>(&mut self.output, &cells))
            }
        };
        written.map_err(|error| self.output.error(error).into())
    }

    /// Completes the list. A reader that stops early, such as `head`, is not an error.
    pub fn finish(mut self) -> Result<(), Failure> {
        let end = match self.form {
            Form::Json { before: "[" } => "[]\n",
            Form::Json { .. } => "\n]\n",
            Form::Table { .. } => "",
        };
        let written = self.output.write_all(end.as_bytes());
        let kept = written
            .map_err(|error| self.output.error(error))
            .and_then(|()| self.output.keep());
        match kept {
            Err(error) if error.is_closed_pipe() => Ok(()),
            kept => Ok(kept?),
        }
    }
}

fn write_row<E: Entry>(output: &mut Output, cells: &[String]) -> io::Result<()> {
    let mut line = String::new();
    for (cell, (_, width)) in cells.iter().zip(E::COLUMNS) {
        // Writing to memory does not fail.
        let _ = write!(line, "{cell:<width$}  ");
    }
    writeln!(output, "{}", line.trim_end())
}
