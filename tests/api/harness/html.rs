//! A minimal HTML parser for the tests: elements in document order, with attributes and text.

use std::collections::BTreeMap;

use serde_json::Value;

/// An element. Its text ends at the next end tag of its name, so nested elements of the same name truncate it.
#[derive(Debug, Clone)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// The text without tags, decoded and with white space collapsed. Scripts and styles are raw.
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

pub struct Document {
    pub elements: Vec<Element>,
}

/// Elements whose content is text without markup.
const RAW: [&str; 4] = ["script", "style", "title", "textarea"];

/// The only first-level heading of a page.
pub fn heading(html: &str) -> String {
    Document::parse(html).only("h1").text.clone()
}

impl Document {
    pub fn parse(html: &str) -> Self {
        let mut elements = Vec::new();
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            rest = &rest[start..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                rest = &rest[1..];
                continue;
            }
            let (name, attributes, after) = start_tag(rest);
            let content = content(&name, after);
            if name == "template" {
                // A template is not part of the page until a script uses it.
                rest = after.find("</template>").map_or("", |end| &after[end..]);
                continue;
            }
            let is_raw = RAW.contains(&name.as_str());
            let text = match name.as_str() {
                "script" | "style" => content.to_owned(),
                "textarea" => html_escape::decode_html_entities(content).into_owned(),
                _ => collapse(&html_escape::decode_html_entities(&without_tags(content, is_raw))),
            };
            rest = if is_raw { &after[content.len()..] } else { after };
            elements.push(Element {
                name,
                attributes,
                text,
            });
        }
        Self { elements }
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements.iter().filter(move |element| element.name == name)
    }

    /// The only element with this name.
    pub fn only<'a>(&'a self, name: &'a str) -> &'a Element {
        let mut all = self.all(name);
        let first = all.next().unwrap_or_else(|| panic!("no <{name}>"));
        assert!(all.next().is_none(), "<{name}> appears more than once");
        first
    }

    /// The `content` of the only `meta` whose `name` or `property` is `key`.
    pub fn meta<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        let mut all = self
            .all("meta")
            .filter(|meta| meta.attribute("name") == Some(key) || meta.attribute("property") == Some(key));
        let content = all.next().and_then(|meta| meta.attribute("content"));
        assert!(all.next().is_none(), "meta {key} appears more than once");
        content
    }

    /// The `href` of the only `link` with this `rel`.
    pub fn link<'a>(&'a self, rel: &'a str) -> Option<&'a str> {
        let mut all = self.all("link").filter(|link| link.attribute("rel") == Some(rel));
        let href = all.next().and_then(|link| link.attribute("href"));
        assert!(all.next().is_none(), "link {rel} appears more than once");
        href
    }

    pub fn title(&self) -> &str {
        &self
            .elements
            .iter()
            .find(|element| element.name == "title")
            .expect("a title")
            .text
    }

    /// Whether the page asks search engines not to index it.
    pub fn is_noindex(&self) -> bool {
        self.meta("robots")
            .is_some_and(|robots| robots.contains("noindex"))
    }

    /// The text of the page's body.
    pub fn text(&self) -> &str {
        &self.only("body").text
    }

    /// The targets of all links.
    pub fn hrefs(&self) -> impl Iterator<Item = &str> {
        self.all("a").filter_map(|link| link.attribute("href"))
    }

    /// The page's structured data: every JSON-LD script, parsed.
    pub fn structured_data(&self) -> Vec<Value> {
        self.all("script")
            .filter(|script| script.attribute("type") == Some("application/ld+json"))
            .map(|script| {
                serde_json::from_str(&script.text).unwrap_or_else(|error| panic!("{error}: {}", script.text))
            })
            .collect()
    }

    /// Every object of the structured data, including nested ones.
    pub fn things(&self) -> Vec<Value> {
        let mut things = Vec::new();
        let mut waiting = self.structured_data();
        while let Some(value) = waiting.pop() {
            match &value {
                Value::Array(items) => waiting.extend(items.iter().cloned()),
                Value::Object(fields) => {
                    waiting.extend(fields.values().cloned());
                    things.push(value);
                }
                _ => {}
            }
        }
        things
    }

    /// The objects of the structured data with this `@type`.
    pub fn things_of(&self, kind: &str) -> Vec<Value> {
        let mut things = self.things();
        things.retain(|thing| match &thing["@type"] {
            Value::String(name) => name == kind,
            Value::Array(names) => names.iter().any(|name| name == kind),
            _ => false,
        });
        things
    }
}

/// Parses the tag at the start of `html`. Returns its name, its attributes and the text that follows it.
fn start_tag(html: &str) -> (String, BTreeMap<String, String>, &str) {
    let end_of_name = html[1..]
        .find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')
        .unwrap()
        + 1;
    let name = html[1..end_of_name].to_ascii_lowercase();
    let mut rest = &html[end_of_name..];
    let mut attributes = BTreeMap::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return (name, attributes, after);
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap();
        assert!(end > 0, "no attribute at {:?}", &rest[..rest.len().min(40)]);
        let key = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let quote = after.chars().next().unwrap();
            let is_quoted = matches!(quote, '"' | '\'');
            let start = usize::from(is_quoted);
            let length = after[start..]
                .find(|c: char| {
                    if is_quoted {
                        c == quote
                    } else {
                        c.is_ascii_whitespace() || c == '>'
                    }
                })
                .expect("an attribute with an end");
            value = &after[start..start + length];
            rest = &after[start + length + start..];
        }
        let value = html_escape::decode_html_entities(value).into_owned();
        assert!(
            attributes.insert(key, value).is_none(),
            "<{name}> has the same attribute twice"
        );
    }
}

/// Returns the content between a start tag and its end tag.
fn content<'a>(name: &str, after: &'a str) -> &'a str {
    let end_tag = format!("</{name}");
    // The body ends at the last end tag. Other elements may be truncated (see `Element`), which matters to no test.
    let end = if name == "body" {
        after.rfind(&end_tag)
    } else {
        after.find(&end_tag)
    };
    &after[..end.unwrap_or(0)]
}

fn without_tags(html: &str, is_raw: bool) -> String {
    if is_raw {
        return html.to_owned();
    }
    let mut text = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        // Code is not text of the page. Tags separate words, but a comment may split one.
        let end = match rest {
            comment if comment.starts_with("<!--") => "-->",
            script if script.starts_with("<script") => "</script>",
            style if style.starts_with("<style") => "</style>",
            _ => ">",
        };
        if end != "-->" {
            text.push(' ');
        }
        rest = rest.find(end).map_or("", |at| &rest[at + end.len()..]);
    }
    text.push_str(rest);
    text
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
