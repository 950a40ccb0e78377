//! Turns `content/inquiry.toml` into the Rust code that `choices.rs` includes. A module of `build.rs`, not of the library.

use std::error::Error;
use std::fmt::Write;

use toml::Value;

/// Returns the code for the text of the file.
///
/// # Errors
/// If it is not TOML. The front end's build has already checked its contents.
pub fn inquiry_code(text: &str) -> Result<String, Box<dyn Error>> {
    let file: Value = toml::from_str(text)?;
    let mut code = String::new();
    for (name, about, key) in [
        ("PropertyType", "The kind of building", "type"),
        ("Problem", "What the pigeons do", "problem"),
        ("Location", "Where at the building", "location"),
    ] {
        writeln!(code, "choice! {{\n{name} {about:?}")?;
        for option in rows(&file, key) {
            let (id, label) = (string(option, "id"), string(option, "label"));
            let (variant, number) = (variant(id), &option["number"]);
            writeln!(code, "/// {label}\n{variant} = {number} {id:?} {label:?},")?;
        }
        writeln!(code, "}}")?;
    }
    for (name, key) in [("OPTIONS", "property"), ("BARE", "type")] {
        writeln!(code, "const {name}: &[Property] = &[")?;
        for row in rows(&file, key) {
            let (id, name) = (string(row, "id"), string(row, "label"));
            let kind = variant(row.get("type").map_or(id, |_| string(row, "type")));
            let has_subtype = row.get("subtype").is_some();
            writeln!(
                code,
                "Property {{ id: {id:?}, kind: PropertyType::{kind}, name: {name:?}, has_subtype: {has_subtype} }},"
            )?;
        }
        writeln!(code, "];")?;
    }

    let limits = || entries(&file, "limits");
    writeln!(
        code,
        "/// The maximum lengths of texts in characters.\n#[expect(missing_docs, reason = \"named by what they limit\")]\npub mod limits {{"
    )?;
    for (name, limit) in limits() {
        writeln!(code, "pub const {}: usize = {limit};", name.to_uppercase())?;
    }
    writeln!(
        code,
        "}}\n/// The messages about invalid answers.\npub(super) mod messages {{\nuse crate::domain::inquiry::fault::Message;"
    )?;
    for (name, message) in entries(&file, "messages") {
        let [title, description, missing] = ["title", "description", "missing"].map(|key| {
            let text = message.get(key)?.as_str()?.to_owned();
            Some(limits().fold(text, |text, (name, limit)| {
                text.replace(&format!("{{{name}}}"), &limit.to_string())
            }))
        });
        let (name, title) = (name.to_uppercase(), title.unwrap_or_default());
        writeln!(
            code,
            "pub const {name}: Message = Message {{ title: {title:?}, description: {description:?}, missing: {missing:?} }};"
        )?;
    }

    writeln!(code, "}}\npub(super) const TYPES: &[(&str, PropertyType)] = &[")?;
    for (name, id) in entries(&file, "preselect.property_type") {
        writeln!(
            code,
            "({name:?}, PropertyType::{}),",
            variant(id.as_str().unwrap_or_default())
        )?;
    }
    writeln!(
        code,
        "];\npub(super) const PROBLEMS: &[(&str, Option<PropertyType>, Option<Location>)] = &["
    )?;
    for (name, chosen) in entries(&file, "preselect.problem") {
        let chosen = |key, of| match chosen.get(key) {
            Some(_) => format!("Some({of}::{})", variant(string(chosen, key))),
            None => "None".to_owned(),
        };
        writeln!(
            code,
            "({name:?}, {}, {}),",
            chosen("type", "PropertyType"),
            chosen("location", "Location")
        )?;
    }
    writeln!(code, "];")?;
    Ok(code)
}

/// The name of an enum's variant: `FlatRoof` for `flat-roof`.
fn variant(id: &str) -> String {
    let words = id.split('-').map(|word| word.split_at(1));
    words.map(|(first, rest)| first.to_uppercase() + rest).collect()
}

fn rows<'a>(file: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    file.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The entries of a table, by its dotted name.
fn entries<'a>(file: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let found = name.split('.').try_fold(file, |table, key| table.get(key));
    found.and_then(Value::as_table).into_iter().flatten()
}

fn string<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}
