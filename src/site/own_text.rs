//! Renders the operator's Markdown as HTML that cannot contain anything active.

use std::collections::HashMap;

use minijinja::context;
use minijinja::value::{Serde, Value};
use pulldown_cmark::{
    Alignment, CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html,
};
use serde::Serialize;

/// Maximum nesting depth of lists and quotes. Deeper ones are flattened: browsers stop at a few hundred, and readers are lost long
/// before.
const MAX_DEPTH: usize = 24;

/// Prefix of heading ids; the layout has no such ids.
const ID: &str = "text-";

/// Maximum length of a heading id in characters, before the suffix that makes it unique.
const MAX_ID: usize = 60;

/// Opening tag of the wrapper around a table.
const TABLE: &str = "<div class=\"table-scroll\" role=\"region\" aria-label=\"Tabelle\" tabindex=\"0\" data-enhancement=\"table\">";

/// The allowed schemes of links.
const SCHEMES: [&str; 4] = ["https", "http", "mailto", "tel"];

/// An entry of the table of contents.
#[derive(Debug, Serialize)]
struct Section {
    id: String,
    label: String,
    parts: Vec<Section>,
}

/// Renders Markdown for the site's layout into the `title` (a leading level-one heading, if there is one), the `html`, and the
/// `sections` of the table of contents. HTML is shown as text, and images as their alternative text, since the site loads no
/// third-party images.
pub fn render(markdown: &str) -> Value {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events = harmless(Parser::new_ext(markdown, options));
    let title = take_title(&mut events);
    let sections = number_headings(&mut events);
    let mut html = String::new();
    html::push_html(&mut html, events.into_iter());
    // Text is escaped, so these are the tags.
    let html = html.replace("<table>", &format!("{TABLE}<table>"));
    let html = html.replace("</table>\n", "</table>\n</div>\n");
    context! {
        title,
        html => Value::from_safe_string(html),
        sections => Value::from(Serde(&sections)),
    }
}

/// Removes everything that could execute, load or style something.
fn harmless(parser: Parser<'_>) -> Vec<Event<'_>> {
    let mut events = Vec::new();
    // For each open element, whether it is kept.
    let mut open = Vec::new();
    for event in parser {
        match event {
            Event::Start(tag) => {
                // Elements that require children need room for them.
                let parts = match tag {
                    Tag::Table(_) => 2,
                    Tag::List(_) => 1,
                    _ => 0,
                };
                let tag = if open.len() + parts < MAX_DEPTH {
                    plain(tag)
                } else {
                    None
                };
                open.push(tag.is_some());
                events.extend(tag.map(Event::Start));
            }
            Event::End(tag) => {
                if open.pop() == Some(true) {
                    events.push(Event::End(if tag == TagEnd::HtmlBlock {
                        TagEnd::Paragraph
                    } else {
                        tag
                    }));
                }
            }
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            other => events.push(other),
        }
    }
    events
}

/// The allowed form of an element; `None` if only its contents are kept.
fn plain(tag: Tag<'_>) -> Option<Tag<'_>> {
    match tag {
        Tag::Image { .. } => None,
        Tag::HtmlBlock => Some(Tag::Paragraph),
        // The language would become a class.
        Tag::CodeBlock(_) => Some(Tag::CodeBlock(CodeBlockKind::Indented)),
        // The alignment would become an inline style, which the page's policy forbids.
        Tag::Table(columns) => Some(Tag::Table(vec![Alignment::None; columns.len()])),
        Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        } => Some(Tag::Link {
            dest_url: address(link_type, &dest_url)?.into(),
            link_type: LinkType::Inline,
            title,
            id,
        }),
        other => Some(other),
    }
}

/// The target of a link; `None` if it is not allowed. Fragments are matched to headings.
fn address(link_type: LinkType, address: &str) -> Option<String> {
    if link_type == LinkType::Email {
        return Some(format!("mailto:{address}"));
    }
    // Browsers skip such characters, and treat backslashes as slashes.
    if address.contains(|c: char| c.is_control() || c == '\\') || address.starts_with([' ', '\u{a0}']) {
        return None;
    }
    if let Some(section) = address.strip_prefix('#') {
        let section = section.strip_prefix(ID).unwrap_or(section);
        return Some(format!("#{ID}{}", slug(section)));
    }
    let end = address.find([':', '/', '?', '#']).unwrap_or(address.len());
    let (scheme, rest) = address.split_at(end);
    let is_absolute = rest.starts_with(':');
    let scheme = scheme.to_ascii_lowercase();
    if is_absolute && !SCHEMES.contains(&scheme.as_str()) || address.starts_with("//") {
        return None;
    }
    Some(address.to_owned())
}

/// Removes and returns the leading heading if it is the only one of level one.
fn take_title(events: &mut Vec<Event<'_>>) -> Option<String> {
    let is_first = |event: &Event<'_>| heading_level(event) == Some(HeadingLevel::H1);
    if !is_first(events.first()?) || events.iter().filter(|event| is_first(event)).count() > 1 {
        return None;
    }
    let end = events.iter().position(is_heading_end)?;
    let heading: Vec<_> = events.drain(..=end).collect();
    Some(label(&heading)).filter(|label| !label.is_empty())
}

/// The level of the heading that starts here.
fn heading_level(event: &Event<'_>) -> Option<HeadingLevel> {
    match event {
        Event::Start(Tag::Heading { level, .. }) => Some(*level),
        _ => None,
    }
}

fn is_heading_end(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

/// Assigns each heading an id, and a level relative to the page's title. Returns the headings of level two with those of level
/// three below them, like the table of contents of other pages.
fn number_headings(events: &mut [Event<'_>]) -> Vec<Section> {
    let levels = events.iter().filter_map(heading_level);
    let highest = levels.min().map_or(1, |level| level as usize);
    let mut used = HashMap::new();
    let mut sections: Vec<Section> = Vec::new();
    for part in events.split_inclusive_mut(is_heading_end) {
        let start = part.iter().position(|event| heading_level(event).is_some());
        let part = start.and_then(|start| part.get_mut(start..)).unwrap_or_default();
        let label = label(part);
        let [
            Event::Start(Tag::Heading { level, id: place, .. }),
            ..,
            Event::End(TagEnd::Heading(end)),
        ] = part
        else {
            continue;
        };
        let below = (*level as usize + 2 - highest).min(6);
        *level = HeadingLevel::try_from(below).unwrap_or(HeadingLevel::H6);
        *end = *level;
        let (id, parts) = (unique(&label, &mut used), Vec::new());
        *place = Some(id.clone().into());
        let section = Section { id, label, parts };
        match (below, sections.last_mut()) {
            (3, Some(above)) => above.parts.push(section),
            (2 | 3, _) => sections.push(section),
            _ => {}
        }
    }
    sections
}

/// The text of the events, on one line.
fn label(events: &[Event<'_>]) -> String {
    let texts = events.iter().map(|event| match event {
        Event::Text(text) | Event::Code(text) => text,
        Event::SoftBreak | Event::HardBreak => " ",
        _ => "",
    });
    let text: String = texts.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a unique id and marks it as used.
///
/// `used` maps each id to its last suffix, so that many identical headings do not cost quadratic time.
fn unique(label: &str, used: &mut HashMap<String, usize>) -> String {
    let first = format!("{ID}{}", slug(label));
    let mut number = used.get(&first).copied().unwrap_or(1);
    let mut id = first.clone();
    while used.contains_key(&id) {
        number += 1;
        id = format!("{first}-{number}");
    }
    used.insert(id.clone(), 1);
    used.insert(first, number);
    id
}

/// Lowercase letters and digits of a text, with hyphens between words.
fn slug(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-").to_lowercase();
    let slug: String = slug.chars().take(MAX_ID).collect();
    if slug.is_empty() {
        "abschnitt".to_owned()
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        render(markdown).get_attr("html").unwrap().to_string()
    }

    #[test]
    fn markdown_is_set_as_a_text_of_the_site() {
        let text = render(
            "# Unsere *AGB*\n\nVorab.\n\n## § 1 Geltung\n\nText.\n\n### Näheres\n\n## § 1 Geltung\n\n|A|B|\n|:-|-:|\n|1|2|\n",
        );
        assert_eq!(text.get_attr("title").unwrap().as_str(), Some("Unsere AGB"));
        let html = text.get_attr("html").unwrap().to_string();
        assert!(
            html.starts_with("<p>Vorab.</p>\n<h2 id=\"text-1-geltung\">§ 1 Geltung</h2>"),
            "{}",
            html
        );
        assert!(html.contains("<h2 id=\"text-1-geltung-2\">") && html.contains("<h3 id=\"text-näheres\">"));
        assert!(
            html.contains("data-enhancement=\"table\"><table>") && !html.contains("style="),
            "{}",
            html
        );
        let many = self::html(&"# a-2\n# a\n# a\n".repeat(10_000));
        assert!(many.contains("\"text-a-10001\"") && many.contains("\"text-a-2-10000\""));
        let sections = text.get_attr("sections").unwrap();
        let labels: Vec<_> = sections
            .try_iter()
            .unwrap()
            .map(|section| {
                let label = section.get_attr("label").unwrap().to_string();
                (label, section.get_attr("parts").unwrap().len().unwrap())
            })
            .collect();
        assert_eq!(
            labels,
            [("§ 1 Geltung".to_owned(), 1), ("§ 1 Geltung".to_owned(), 0)]
        );
    }

    #[test]
    fn headings_stand_below_the_title_of_the_page() {
        for (markdown, expected) in [
            (
                "### A\n#### B\n",
                "<h2 id=\"text-a\">A</h2>\n<h3 id=\"text-b\">B</h3>\n",
            ),
            (
                "# A\n# B\n",
                "<h2 id=\"text-a\">A</h2>\n<h2 id=\"text-b\">B</h2>\n",
            ),
            (
                "A\n=\n\n# B\n",
                "<h2 id=\"text-a\">A</h2>\n<h2 id=\"text-b\">B</h2>\n",
            ),
            (
                "# A\n# B\n###### C\n",
                "<h2 id=\"text-a\">A</h2>\n<h2 id=\"text-b\">B</h2>\n<h6 id=\"text-c\">C</h6>\n",
            ),
            ("## ???\n", "<h2 id=\"text-abschnitt\">???</h2>\n"),
            ("## inhalt\n", "<h2 id=\"text-inhalt\">inhalt</h2>\n"),
        ] {
            assert_eq!(html(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn html_is_text() {
        for markdown in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<div style='x'>\n\n# A <b id=inhalt>x</b>\n\n</div>",
            "<!-- x --><![CDATA[ y ]]><?php z ?>",
            "```\"><script>\nx\n```",
            "## <svg onload=alert(1)> {#inhalt .x onclick=y}",
        ] {
            let html = html(markdown);
            for part in [
                "<script",
                "<img",
                "<div",
                "<b",
                "<!",
                "<?",
                "<svg",
                "id=\"inhalt",
                "language-",
            ] {
                assert!(!html.contains(part), "{markdown}: {html}");
            }
        }
        assert_eq!(
            html("{{ site.name }} {% raw %}"),
            "<p>{{ site.name }} {% raw %}</p>\n"
        );
    }

    #[test]
    fn links_lead_to_pages_and_nowhere_else() {
        for (target, expected) in [
            (
                "https://example.de/a?b=c&d",
                Some("https://example.de/a?b=c&amp;d"),
            ),
            ("HTTP://example.de", Some("HTTP://example.de")),
            ("/agb#text-x", Some("/agb#text-x")),
            ("#1 Geltung", None),
            ("#Geltung", Some("#text-geltung")),
            ("#text-geltung", Some("#text-geltung")),
            ("mailto:a@b.de", Some("mailto:a@b.de")),
            ("tel:+4940123", Some("tel:+4940123")),
            ("javascript:alert(1)", None),
            ("JaVaScRiPt:alert(1)", None),
            ("javascript&colon;alert(1)", None),
            ("&#106;avascript:alert(1)", None),
            ("&#1;javascript:alert(1)", None),
            ("java&#10;script:alert(1)", None),
            ("java&Tab;script:alert(1)", None),
            ("vbscript:x", None),
            ("data:text/html,x", None),
            ("blob:x", None),
            ("file:///etc/passwd", None),
            ("//evil.example", None),
            ("/&bsol;evil.example", None),
            ("&bsol;&bsol;evil.example", None),
        ] {
            let html = html(&format!("[Text]({target})"));
            match expected {
                Some(href) => assert_eq!(html, format!("<p><a href=\"{href}\">Text</a></p>\n"), "{target}"),
                None => assert!(!html.contains("href"), "{target}: {html}"),
            }
        }
        assert!(html("<javascript:alert(1)>").starts_with("<p>javascript:"));
        assert_eq!(html("<a@b.de>"), "<p><a href=\"mailto:a@b.de\">a@b.de</a></p>\n");
        assert_eq!(
            html("![Bild *x*](https://evil.example/x.png)"),
            "<p>Bild <em>x</em></p>\n"
        );
        let title = html("[a](/b '\"><script>')");
        assert!(
            !title.contains("<script") && title.contains("&quot;&gt;"),
            "{title}"
        );
    }

    #[test]
    fn whatever_is_nested_ends() {
        for opening in ["> ", "* ", "1. ", "*", "[", "![", "**_", "`", "|", "> * "] {
            let html = html(&opening.repeat(20_000));
            let depth = html.matches("<blockquote>").count() + html.matches("<ul>").count();
            assert!(depth <= MAX_DEPTH, "{opening}: {depth}");
        }
    }
}
