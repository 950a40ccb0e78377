//! The client that a request comes from: behind trusted proxies, the rightmost untrusted address.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use hyper::HeaderMap;
use ipnet::IpNet;

/// What counts as one client: an IPv4 address, or the /64 network from which an IPv6 client chooses its addresses freely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNetwork(Ipv6Addr);

/// A client, or a network around it that may be one customer's as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surroundings {
    /// The client itself.
    Client(ClientNetwork),
    /// A /56, which providers give to a home.
    Customer(ClientNetwork),
    /// A /48, which providers give to a business.
    Site(ClientNetwork),
}

/// The part of an IPv6 address that names the network of one link.
const NETWORK_BITS: u128 = u128::MAX << 64;
const CUSTOMER_BITS: u128 = u128::MAX << (128 - 56);
const SITE_BITS: u128 = u128::MAX << (128 - 48);

impl ClientNetwork {
    /// Returns the network of an address.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(v4) => v4.to_ipv6_mapped(),
            IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & NETWORK_BITS),
        })
    }

    /// Returns the client and, by IPv6, the networks around it: who has one network of it often has all.
    pub fn surroundings(self) -> impl Iterator<Item = Surroundings> {
        let wider = self.is_v6().then(|| {
            [
                Surroundings::Customer(self.around(CUSTOMER_BITS)),
                Surroundings::Site(self.around(SITE_BITS)),
            ]
        });
        std::iter::once(Surroundings::Client(self)).chain(wider.into_iter().flatten())
    }

    /// Returns the network that one customer may have, out of which 65,536 clients could come: the /48 of an IPv6 client; the
    /// client itself by IPv4.
    #[must_use]
    pub fn site(self) -> Self {
        if self.is_v6() {
            self.around(SITE_BITS)
        } else {
            self
        }
    }

    fn is_v6(self) -> bool {
        self.0.to_ipv4_mapped().is_none()
    }

    fn around(self, bits: u128) -> Self {
        Self(Ipv6Addr::from_bits(self.0.to_bits() & bits))
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Returns whether the address is that of a trusted proxy.
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    let address = address.to_canonical();
    trusted.iter().any(|network| network.contains(&address))
}

/// Returns the client's address, given who opened the connection and the networks of trusted proxies.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer.to_canonical();
    if !is_trusted(client, trusted) {
        return client;
    }
    let hops: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
    let hops = hops
        .iter()
        .rev()
        .flat_map(|value| value.to_str().unwrap_or("?").rsplit(','));
    for hop in hops {
        // A trusted proxy writes only addresses, so anything else is not its own. The last known hop stands for the client.
        let Ok(address) = parse_hop(hop.trim()) else { break };
        client = address;
        if !is_trusted(client, trusted) {
            break;
        }
    }
    client
}

/// Parses an address as proxies write it, with or without a port.
fn parse_hop(hop: &str) -> Result<IpAddr, std::net::AddrParseError> {
    hop.trim_matches(['[', ']'])
        .parse::<IpAddr>()
        .or_else(|_| hop.parse::<std::net::SocketAddr>().map(|address| address.ip()))
        .map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let proxy = &["10.0.0.0/8"][..];
        for (peer, forwarded, trusted, expected) in [
            ("203.0.113.9", &["1.2.3.4"][..], &[][..], "203.0.113.9"),
            ("203.0.113.9", &["1.2.3.4"], proxy, "203.0.113.9"),
            ("10.0.0.1", &[], proxy, "10.0.0.1"),
            ("10.0.0.1", &["1.2.3.4"], proxy, "1.2.3.4"),
            ("10.0.0.1", &["9.9.9.9, 1.2.3.4"], proxy, "1.2.3.4"),
            ("10.0.0.1", &["9.9.9.9", "1.2.3.4, 10.0.0.7"], proxy, "1.2.3.4"),
            ("10.0.0.1", &["1.2.3.4:5678"], proxy, "1.2.3.4"),
            ("10.0.0.1", &["[2001:db8::1]:99"], proxy, "2001:db8::1"),
            ("10.0.0.1", &["2001:db8::1"], proxy, "2001:db8::1"),
            ("::ffff:10.0.0.1", &["::ffff:1.2.3.4"], proxy, "1.2.3.4"),
            ("10.0.0.1", &["1.2.3.4, nonsense"], proxy, "10.0.0.1"),
            ("10.0.0.1", &["1.2.3.4, nonsense, 10.0.0.9"], proxy, "10.0.0.9"),
        ] {
            assert_eq!(
                client_of(peer, forwarded, trusted),
                expected,
                "{peer} {forwarded:?}"
            );
        }
    }

    #[test]
    fn an_ipv6_customer_is_one_client() {
        let network = |text: &str| ClientNetwork::of(text.parse().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8:0:0:ffff::2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_ne!(network("1.2.3.4"), network("1.2.3.5"));
        assert_eq!(network("1.2.3.4"), network("::ffff:1.2.3.4"));
        assert_eq!(
            network("2001:db8::1").site(),
            network("2001:db8:0:ffff::1").site()
        );
        assert_ne!(network("2001:db8::1").site(), network("2001:db8:1::1").site());
        assert_ne!(network("1.2.3.4").site(), network("1.2.3.5").site());
    }
}
