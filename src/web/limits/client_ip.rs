//! The client of a request. Behind trusted proxies, it is the rightmost untrusted address.

use std::net::{IpAddr, Ipv6Addr};
use std::{fmt, iter};

use hyper::HeaderMap;
use ipnet::{IpNet, Ipv6Net};

/// What counts as one client: an IPv4 address, or the /64 network from which an IPv6 client freely chooses addresses. It may also
/// be a larger network around an IPv6 client, which may belong to the same customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpNet);

/// Prefix length of an IPv6 link's network.
const LINK: u8 = 64;

/// Prefix length of the networks that providers assign to homes.
pub const HOME: u8 = 56;

/// Prefix length of the networks that providers assign to businesses.
pub const BUSINESS: u8 = 48;

impl ClientNetwork {
    /// The client of an address.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            v4 @ IpAddr::V4(_) => Self(v4.into()),
            IpAddr::V6(v6) => Self::within(v6, LINK),
        }
    }

    fn within(address: Ipv6Addr, prefix: u8) -> Self {
        Self(IpNet::V6(Ipv6Net::new_assert(address, prefix).trunc()))
    }

    /// The larger network with this prefix length around an IPv6 client.
    fn around(self, prefix: u8) -> Option<Self> {
        match self.0 {
            IpNet::V4(_) => None,
            IpNet::V6(network) => Some(Self::within(network.addr(), prefix)),
        }
    }

    /// The client and the larger IPv6 networks around it, which a single customer may control.
    pub fn surroundings(self) -> impl Iterator<Item = Self> {
        let around = [HOME, BUSINESS].into_iter();
        iter::once(self).chain(around.filter_map(move |prefix| self.around(prefix)))
    }

    /// The largest network that one customer may control: the /48 of an IPv6 client, from which 65,536 clients could come, or an
    /// IPv4 client itself.
    #[must_use]
    pub fn site(self) -> Self {
        self.around(BUSINESS).unwrap_or(self)
    }

    /// The network's prefix length.
    pub fn prefix(self) -> u8 {
        self.0.prefix_len()
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Whether an address is in the trusted networks.
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    let address = address.to_canonical();
    trusted.iter().any(|network| network.contains(&address))
}

/// The client's address, from the peer of the connection and the addresses that trusted proxies forwarded.
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
        // A trusted proxy forwards only addresses, so this comes from elsewhere. Use the last known hop.
        let Ok(address) = parse_hop(hop.trim()) else { break };
        client = address;
        if !is_trusted(client, trusted) {
            break;
        }
    }
    client
}

/// Parses an address as forwarded by proxies, with or without a port.
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
