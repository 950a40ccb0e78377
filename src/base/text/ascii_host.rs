//! Hosts with umlauts in ASCII.

/// Returns the hint for an error about a URL or mail address whose host is not in ASCII: its DNS name.
/// Nothing for any other text.
pub fn advice(text: &str) -> String {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '>']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split(':').next().unwrap_or(host);
    // Anything else may be a secret in the wrong place.
    let is_address = text.contains("://") || text.contains('@');
    if host.is_ascii() || !host.contains('.') || !is_address {
        return String::new();
    }
    idna::domain_to_ascii(host).map_or_else(
        |_| String::new(),
        |ascii| format!("; umlauts are not taken here, so write its host as {ascii}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_domain_name_system_is_named() {
        for text in [
            "smtp://mail.müller.de:587",
            "https://mail.müller.de/hook?a#b",
            "info@mail.müller.de",
            "Müller <info@mail.MÜLLER.de>",
            "https://a:ä@mail.müller.de",
        ] {
            assert!(
                advice(text).ends_with(" mail.xn--mller-kva.de"),
                "{text}: {}",
                advice(text)
            );
        }
        for text in [
            "",
            "ftp://mail.example.de",
            "jürgen@example.de",
            "pässw.ort",
            "Müller <a@b.de>",
        ] {
            assert_eq!(advice(text), "", "{text}");
        }
    }
}
