//! Which encoding a request accepts (RFC 9110, section 12.5.3).

use hyper::HeaderMap;
use hyper::header;

use crate::site::encoding::Encoding;

/// The weight of bytes as they are where nothing is said of them: acceptable, but worse than anything that is.
const UNSAID: f32 = f32::MIN_POSITIVE;

/// Returns the best coding for the request among those that are `available`; `None` when the client refuses all of them. The
/// highest weight wins, then our order.
pub fn coding(headers: &HeaderMap, available: &[Encoding]) -> Option<Encoding> {
    let fields = headers.get_all(header::ACCEPT_ENCODING).iter();
    let elements = fields
        .filter_map(|value| value.to_str().ok())
        .flat_map(|field| field.split(','));
    let weights: Vec<_> = elements.filter_map(parse_weight).collect();
    let named = |token: &str| {
        let mut latest = weights.iter().rev();
        let found = latest.find(|(name, _)| name.eq_ignore_ascii_case(token));
        found.map(|(_, weight)| *weight)
    };
    let any = named("*");
    let weight = |coding: Encoding| {
        let named = named(coding.token());
        match coding {
            // It is refused only by name, or with everything that is not named.
            Encoding::Identity => named.or(any.filter(|&any| any <= 0.0)).unwrap_or(UNSAID),
            Encoding::Brotli | Encoding::Gzip => named.or(any).unwrap_or(0.0),
        }
    };
    let weighed = available.iter().map(|&coding| (coding, weight(coding)));
    let accepted = weighed.filter(|(_, weight)| *weight > 0.0);
    // Of equal ones, `max_by` returns the last.
    let best = accepted.rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map(|(coding, _)| coding)
}

/// Returns what an element names, and its weight.
fn parse_weight(element: &str) -> Option<(&str, f32)> {
    let mut parts = element.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = parts.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim().eq_ignore_ascii_case("q").then(|| value.trim())
    });
    // A weight that cannot be read counts as a refusal: the client then gets identity, which is always safe.
    let weight: f32 = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
    Some((name, if weight > 0.0 { weight.min(1.0) } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(accept: &str) -> Option<Encoding> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        coding(&headers, &Encoding::ALL)
    }

    #[test]
    fn weights_decide_then_our_order() {
        use Encoding::{Brotli, Gzip, Identity};
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("zstd", Some(Identity)),
            ("gzip;q=0.1, zstd", Some(Gzip)),
            ("gzip", Some(Gzip)),
            ("GZIP", Some(Gzip)),
            ("br;q=0.5, gzip;q=0.8", Some(Gzip)),
            ("br; q=0.500 , gzip ; Q=0.4", Some(Brotli)),
            ("br;q=0, *", Some(Gzip)),
            ("*", Some(Brotli)),
            ("deflate", Some(Identity)),
            ("", Some(Identity)),
            ("br;q=0", Some(Identity)),
            ("identity", Some(Identity)),
            ("identity;q=0.9, br;q=0.1", Some(Identity)),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("gzip, *;q=0", Some(Gzip)),
            ("identity;q=0, gzip", Some(Gzip)),
            ("br;q=nonsense", Some(Identity)),
        ] {
            assert_eq!(choose(accept), expected, "{accept}");
        }
        assert_eq!(coding(&HeaderMap::new(), &Encoding::ALL), Some(Identity));
    }
}
