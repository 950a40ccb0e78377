//! `[pages]`: legal pages from the operator's own Markdown (`docs/behaviour.md`, "The operator's data").

use crate::harness::command::{command, finish};
use crate::harness::site::page;
use crate::harness::{Dir, Server, Setup};

const TEXT: &str = "# Unsere Bedingungen\n\nVorab gilt [dies](/faq).\n\n## § 1 Geltung\n\nText.\n\n### Näheres\n\nMehr.\n\n\
                    ## § 2 Schluss\n\n| Was | Wie |\n|:--|--:|\n| A | B |\n";

const HOSTILE: &str = "<script>alert(1)</script>\n\n<h2 id=\"inhalt\">x</h2>\n\n[eins](javascript:alert(1)) \
                       [zwei](JAVA&#10;SCRIPT:alert(1)) ![drei](https://evil.example/x.png) <https://example.de>\n\n\
                       ## inhalt\n\n## inhalt\n\n{{ site.operator.email }} {% raw %} {% if x %} {# c #}\n\n\
                       <img src=x onerror=alert(1)> a</div></main></body>\n\n</textarea><style>*{display:none}</style>\n";

/// Starts a site with this text for a page. The file is next to the settings, and the server runs elsewhere.
fn start(page: &str, text: &str) -> Server {
    let dir = Dir::new();
    let site = dir.write("eigene.toml", format!("[pages]\n{page} = \"texte.md\"\n"));
    dir.write("texte.md", text);
    Setup::new().dir(&dir).args(&["--site", &site]).start()
}

#[test]
fn each_takes_the_place_of_the_text_in_the_sites_layout() {
    for name in ["agb", "datenschutz", "impressum", "barrierefreiheit"] {
        let server = start(name, TEXT);
        let own = page(&server, &format!("/{name}"));
        assert_eq!(own.only("h1").text, "Unsere Bedingungen");
        assert!(
            own.text().contains("Vorab gilt dies") && own.text().contains("FAQ"),
            "{name}"
        );
        for href in ["#text-1-geltung", "#text-näheres", "#text-2-schluss", "/faq"] {
            assert!(own.hrefs().any(|found| found == href), "{name} lacks {href}");
        }
        let contents = own
            .all("nav")
            .find(|nav| nav.attribute("aria-label") == Some("Inhaltsverzeichnis"));
        assert_eq!(contents.unwrap().text.matches("Näheres").count(), 1);
        assert!(
            server.get(&format!("/{name}")).text().contains(".table-scroll"),
            "tables have no rules"
        );
        assert!(
            !own.text().contains("Stand:") && !own.text().contains("DSGVO"),
            "{name}"
        );
        // The other pages keep their text.
        let other = if name == "agb" { "/impressum" } else { "/agb" };
        assert!(!page(&server, other).text().contains("Unsere Bedingungen"));
        let sitemap = server.get("/sitemap.xml").text().to_owned();
        let entry = sitemap
            .split("<url>")
            .find(|entry| entry.contains(&format!("/{name}</loc>")))
            .unwrap();
        assert!(!entry.contains("lastmod"), "{entry}");
    }
}

#[test]
fn the_terms_for_firms_stand_below_what_holds_anyway() {
    let own = page(&start("fuer_betriebe", TEXT), "/fuer-betriebe");
    for part in [
        "So arbeiten wir zusammen",
        "Was es kostet",
        "Vorab gilt dies",
        "§ 2 Schluss",
    ] {
        assert!(own.text().contains(part), "{part}: {}", own.text());
    }
    let without = page(&Server::start(), "/fuer-betriebe");
    for part in ["schicken wir Ihnen gern", "kontakt@example.com"] {
        assert!(without.text().contains(part), "{part}: {}", without.text());
    }
    assert!(!own.text().contains("schicken wir Ihnen gern"));
}

#[test]
fn nothing_in_it_runs_loads_or_breaks_out() {
    let server = start("agb", HOSTILE);
    let response = server.get("/agb");
    let own = page(&server, "/agb");
    let neighbour = page(&start("impressum", HOSTILE), "/agb");
    for element in [
        "script", "style", "img", "iframe", "main", "body", "textarea", "form",
    ] {
        assert_eq!(
            own.all(element).count(),
            neighbour.all(element).count(),
            "<{element}>"
        );
    }
    let ids: Vec<_> = own
        .elements
        .iter()
        .filter_map(|element| element.attribute("id"))
        .collect();
    for id in &ids {
        assert_eq!(ids.iter().filter(|other| other == &id).count(), 1, "{id}");
    }
    assert!(ids.contains(&"inhalt") && ids.contains(&"text-inhalt") && ids.contains(&"text-inhalt-2"));
    for href in own.hrefs() {
        let lower = href.to_lowercase();
        assert!(!lower.contains("script:") && !lower.contains("evil"), "{href}");
    }
    for element in &own.elements {
        for attribute in ["onerror", "style", "onload"] {
            assert_eq!(element.attribute(attribute), None, "<{}>", element.name);
        }
    }
    for part in [
        "{{ site.operator.email }}",
        "{% raw %}",
        "{# c #}",
        "<script>alert(1)</script>",
        "eins zwei drei",
    ] {
        assert!(own.text().contains(part), "{part}: {}", own.text());
    }
    assert!(
        !response.text().contains("evil.example"),
        "the picture's address is there"
    );
}

#[test]
fn deep_nesting_is_levelled() {
    let server = start(
        "agb",
        &format!("{}Tief\n\n{}Liste\n", "> ".repeat(50_000), "* ".repeat(20_000)),
    );
    let own = page(&server, "/agb");
    assert!(own.all("blockquote").count() < 50 && own.all("ul").count() < 100);
    assert!(own.text().contains("Tief") && own.text().contains("Liste"));
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_key() {
    let dir = Dir::new();
    dir.write("leer.md", " \n\u{feff}\n");
    dir.write("gross.md", "a".repeat((256 << 10) + 1));
    dir.write("latin.md", [b'a', 0xe4, b'b']);
    dir.write("passt.md", "a".repeat(256 << 10));
    std::fs::create_dir(dir.path().join("ordner")).unwrap();
    for (file, expected) in [
        ("fehlt.md", "No such file"),
        ("leer.md", "it is empty"),
        ("gross.md", "it has more than 256 KiB"),
        ("latin.md", "it is not text in UTF-8"),
        ("ordner", "it is not a regular file"),
    ] {
        let site = dir.write(
            "site.toml",
            format!("name = 'A'\n[pages]\nimpressum = '{file}'\n"),
        );
        let config = dir.write("config.toml", "site = 'site.toml'\n");
        for args in [
            vec!["serve", "--listen", "127.0.0.1:0", "--site", &site],
            vec!["config", "check", "--config", &config],
        ] {
            let ended = finish(command(dir.path()).args(&args));
            assert_eq!(ended.code, Some(1), "{file}: {ended:?}");
            let line = ended
                .stderr
                .lines()
                .find(|line| line.contains(expected))
                .unwrap_or_default();
            for part in ["site.toml:3:", "`pages.impressum` names ", file] {
                assert!(line.contains(part), "{file}: {part}: {ended:?}");
            }
        }
    }
    let config = dir.write("config.toml", "site = 'site.toml'\n");
    dir.write("site.toml", "[pages]\nimpressum = 'passt.md'\n");
    assert_eq!(
        finish(command(dir.path()).args(["config", "check", "--config", &config])).code,
        Some(0)
    );
    let site = dir.write("site.toml", "[pages]\nfaq = 'passt.md'\n");
    let ended = finish(command(dir.path()).args(["serve", "--listen", "127.0.0.1:0", "--site", &site]));
    assert_has!(ended.stderr, "unknown variant `faq`, expected one of `agb`");
}
