//! Redirect rules (`docs/behaviour.md`, "Redirects"). All redirects are permanent and keep the query.

use std::collections::BTreeMap;

/// The target for every spelling of the sitemap's path.
const SITEMAP: &str = "/sitemap.xml";
/// The questionnaire, whose path is matched case-insensitively.
const QUESTIONNAIRE: &str = "/fragebogen";

/// Prefixes of paths that ask for the sitemap: `/Sitemap`, `/sitemaps`, `/sitemap/`, `/sitemap_index`.
const SITEMAP_SPELLINGS: [&str; 3] = ["sitemap", "site-map", "site_map"];

/// The path to redirect to, if any.
///
/// `path` is the request path as sent (percent-encoded). `exists` tells whether a path answers 200; such paths are never
/// redirected. The result starts with exactly one slash, so that no redirect leads to another host.
pub fn target(
    path: &str,
    exists: impl Fn(&str) -> bool,
    aliases: &BTreeMap<String, String>,
) -> Option<String> {
    if exists(path) {
        return None;
    }
    let lower = path.to_lowercase();
    if lower.rsplit_once('.').is_some_and(|(_, ending)| ending == "xml") {
        return Some(if exists(&lower) { lower } else { SITEMAP.to_owned() });
    }
    let begins = lower.trim_start_matches('/');
    if SITEMAP_SPELLINGS
        .iter()
        .any(|spelling| begins.starts_with(spelling))
    {
        return Some(SITEMAP.to_owned());
    }
    // Starts with exactly one slash.
    let has_trailing_slash = path != "/" && path.ends_with('/');
    let trimmed = has_trailing_slash.then(|| format!("/{}", path.trim_matches(['/', '\\'])));
    let plain = trimmed.as_deref().unwrap_or(path);
    if plain.eq_ignore_ascii_case(QUESTIONNAIRE) {
        return Some(QUESTIONNAIRE.to_owned());
    }
    aliases.get(plain).cloned().or(trimmed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirect(path: &str) -> Option<String> {
        let pages = [
            "/",
            "/faq",
            "/fragebogen",
            "/sitemap",
            "/sitemap.xml",
            "/sitemap-direct.xml",
            "/blog/neu",
        ];
        let aliases = BTreeMap::from([("/blog/alt".to_owned(), "/blog/neu".to_owned())]);
        target(path, |path| pages.contains(&path), &aliases)
    }

    #[test]
    fn each_rule_leads_where_it_says() {
        for (path, expected) in [
            ("/", None),
            ("/faq", None),
            ("/sitemap", None),
            ("/sitemap.xml", None),
            ("/sitemap-direct.xml", None),
            ("/unknown", None),
            ("/FAQ", None),
            ("/Sitemap.xml", Some("/sitemap.xml")),
            ("/SITEMAP.XML", Some("/sitemap.xml")),
            ("/Sitemap-Direct.XML", Some("/sitemap-direct.xml")),
            ("/anything.xml", Some("/sitemap.xml")),
            ("/blog/feed.Xml", Some("/sitemap.xml")),
            (".xml", Some("/sitemap.xml")),
            ("/Sitemap", Some("/sitemap.xml")),
            ("/sitemaps", Some("/sitemap.xml")),
            ("/sitemap/", Some("/sitemap.xml")),
            ("/sitemap_index", Some("/sitemap.xml")),
            ("/sitemap.xml/", Some("/sitemap.xml")),
            ("/site-map", Some("/sitemap.xml")),
            ("/Fragebogen", Some("/fragebogen")),
            ("/FRAGEBOGEN/", Some("/fragebogen")),
            ("/fragebogen/", Some("/fragebogen")),
            ("/faq/", Some("/faq")),
            ("/faq//", Some("/faq")),
            ("/unknown/", Some("/unknown")),
            ("//evil.example/", Some("/evil.example")),
            ("///", Some("/")),
            ("/blog/alt", Some("/blog/neu")),
            ("/blog/alt/", Some("/blog/neu")),
        ] {
            assert_eq!(redirect(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn no_redirect_leads_to_another_or_to_another_host() {
        for path in [
            "//evil.example/",
            "/\\evil.example/",
            "///sitemap///",
            "/faq/////",
            "/Blog/alt/",
            "//x.XML",
        ] {
            let first = redirect(path).unwrap();
            assert!(
                first.starts_with('/') && !first.starts_with("//"),
                "{path} -> {first}"
            );
            assert_eq!(redirect(&first), None, "{path} -> {first} is redirected again");
        }
    }
}
