//! Which encoding a request accepts (RFC 9110, section 12.5.3).

use hyper::HeaderMap;
use hyper::header;

use crate::site::encoding::Encoding;

/// The client refuses every available coding, `identity` included: 406.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAcceptable;

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

/// Returns the best coding for the request among `available` and none at all (`None`). The highest weight wins, then our
/// order.
///
/// # Errors
/// When the client refuses all of them.
pub fn coding(headers: &HeaderMap, available: &[Encoding]) -> Result<Option<Encoding>, NotAcceptable> {
    let mut fields = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
    if fields.peek().is_none() {
        return Ok(None);
    }
    let mut weights = Weights::default();
    for field in fields.filter_map(|value| value.to_str().ok()) {
        weights.read(field);
    }
    let mut best = None;
    let mut best_weight = 0;
    for &candidate in available {
        let weight = weights.of(candidate);
        if weight > best_weight {
            best = Some(candidate);
            best_weight = weight;
        }
    }
    // Identity is acceptable unless it, or everything that is not named, is refused. If named, it competes by its weight.
    match weights.identity.or(weights.any.filter(|&weight| weight == 0)) {
        Some(0) if best.is_none() => Err(NotAcceptable),
        Some(weight) if weight > best_weight => Ok(None),
        _ => Ok(best),
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

    fn choose(accept: &str) -> Result<Option<Encoding>, NotAcceptable> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        coding(&headers, &Encoding::ALL)
    }

    #[test]
    fn weights_decide_then_our_order() {
        use Encoding::{Brotli, Gzip};
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Ok(Some(Brotli))),
            ("zstd", Ok(None)),
            ("gzip;q=0.1, zstd", Ok(Some(Gzip))),
            ("gzip", Ok(Some(Gzip))),
            ("GZIP", Ok(Some(Gzip))),
            ("br;q=0.5, gzip;q=0.8", Ok(Some(Gzip))),
            ("br; q=0.500 , gzip ; Q=0.4", Ok(Some(Brotli))),
            ("br;q=0, *", Ok(Some(Gzip))),
            ("*", Ok(Some(Brotli))),
            ("deflate", Ok(None)),
            ("", Ok(None)),
            ("br;q=0", Ok(None)),
            ("identity", Ok(None)),
            ("identity;q=0.9, br;q=0.1", Ok(None)),
            ("identity;q=0", Err(NotAcceptable)),
            ("*;q=0", Err(NotAcceptable)),
            ("gzip, *;q=0", Ok(Some(Gzip))),
            ("identity;q=0, gzip", Ok(Some(Gzip))),
            ("br;q=nonsense", Ok(None)),
        ] {
            assert_eq!(choose(accept), expected, "{accept}");
        }
        assert_eq!(coding(&HeaderMap::new(), &Encoding::ALL), Ok(None));
    }
}
