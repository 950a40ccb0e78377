//! Which encoding a request accepts (RFC 9110, section 12.5.3).

use hyper::HeaderMap;
use hyper::header;

use super::encode::Encoding;

/// The result of negotiating the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negotiated {
    /// As it is.
    Identity,
    /// Compressed.
    Encoded(Encoding),
    /// The client refuses every available encoding, `identity` included: 406.
    NotAcceptable,
}

/// The weights that a request gives the codings, in thousandths; `None` for those that it does not mention.
#[derive(Default)]
struct Weights {
    encodings: [Option<u16>; Encoding::ALL.len()],
    identity: Option<u16>,
    any: Option<u16>,
}

impl Weights {
    fn read(&mut self, field: &str) {
        for (name, weight) in field.split(',').filter_map(parse_weight) {
            let slot = match Encoding::ALL
                .into_iter()
                .find(|encoding| name.eq_ignore_ascii_case(encoding.token()))
            {
                Some(encoding) => self.encodings.get_mut(encoding as usize),
                None if name == "*" => Some(&mut self.any),
                None if name.eq_ignore_ascii_case("identity") => Some(&mut self.identity),
                None => None,
            };
            if let Some(slot) = slot {
                *slot = Some(weight);
            }
        }
    }

    fn of(&self, encoding: Encoding) -> u16 {
        let named = self.encodings.get(encoding as usize).copied().flatten();
        named.or(self.any).unwrap_or(0)
    }
}

/// Returns the best encoding for the request among identity and `available`. The highest weight wins, then our order.
pub fn encoding(headers: &HeaderMap, available: &[Encoding]) -> Negotiated {
    let mut fields = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
    if fields.peek().is_none() {
        return Negotiated::Identity;
    }
    let mut weights = Weights::default();
    for field in fields.filter_map(|value| value.to_str().ok()) {
        weights.read(field);
    }
    let mut best = Negotiated::NotAcceptable;
    let mut best_weight = 0;
    for &candidate in available {
        let weight = weights.of(candidate);
        if weight > best_weight {
            best = Negotiated::Encoded(candidate);
            best_weight = weight;
        }
    }
    // Identity is acceptable unless it, or everything that is not named, is refused. If named, it competes by its weight.
    match weights.identity.or(weights.any.filter(|&weight| weight == 0)) {
        Some(0) => best,
        Some(weight) if weight > best_weight => Negotiated::Identity,
        _ if best == Negotiated::NotAcceptable => Negotiated::Identity,
        _ => best,
    }
}

fn parse_weight(element: &str) -> Option<(&str, u16)> {
    let mut parts = element.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = parts
        .find_map(|parameter| {
            let (key, value) = parameter.split_once('=')?;
            key.trim()
                .eq_ignore_ascii_case("q")
                .then(|| value.trim().parse::<f32>().ok())
        })
        // A weight that cannot be read counts as a refusal: the client then gets identity, which is always safe.
        .map_or(Some(1.0), |weight| weight.or(Some(0.0)))?;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=1000"
    )]
    let thousandths = (weight.clamp(0.0, 1.0) * 1000.0) as u16;
    Some((name, thousandths))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(accept: &str) -> Negotiated {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        encoding(&headers, &Encoding::ALL)
    }

    #[test]
    fn weights_decide_then_our_order() {
        use Encoding::{Brotli, Gzip, Zstd};
        use Negotiated::{Encoded, Identity, NotAcceptable};
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Encoded(Brotli)),
            ("gzip, deflate, zstd", Encoded(Zstd)),
            ("gzip", Encoded(Gzip)),
            ("GZIP", Encoded(Gzip)),
            ("br;q=0.5, gzip;q=0.8", Encoded(Gzip)),
            ("br; q=0.500 , gzip ; Q=0.4", Encoded(Brotli)),
            ("br;q=0, *", Encoded(Zstd)),
            ("*", Encoded(Brotli)),
            ("deflate", Identity),
            ("", Identity),
            ("br;q=0", Identity),
            ("identity", Identity),
            ("identity;q=0.9, br;q=0.1", Identity),
            ("identity;q=0", NotAcceptable),
            ("*;q=0", NotAcceptable),
            ("gzip, *;q=0", Encoded(Gzip)),
            ("identity;q=0, gzip", Encoded(Gzip)),
            ("br;q=nonsense", Identity),
        ] {
            assert_eq!(choose(accept), expected, "{accept}");
        }
        assert_eq!(encoding(&HeaderMap::new(), &Encoding::ALL), Negotiated::Identity);
    }
}
