//! The paths of private pages.

/// Below this path are visitors' pages.
const VISITOR: &str = "/anfrage/";
/// Below a visitor's page: the question before the inquiry is withdrawn.
const WITHDRAWAL: &str = "/zurueckziehen";
/// Below this path are firms' pages.
const FIRM: &str = "/betrieb/";
/// Below this path subscriptions to the newsletter are confirmed.
const CONFIRMATION: &str = "/newsletter/bestaetigen/";
/// Below this path subscriptions to the newsletter end.
const UNSUBSCRIPTION: &str = "/newsletter/abmelden/";

/// Where a request for a private page leads, with its token. Whether that is genuine is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address<'a> {
    /// A visitor's page.
    Visitor(&'a str),
    /// The question before a visitor's inquiry is withdrawn.
    Withdrawal(&'a str),
    /// A firm's page for one inquiry.
    Firm(&'a str),
    /// Where a subscription to the newsletter is confirmed.
    Confirmation(&'a str),
    /// Where it ends.
    Unsubscription(&'a str),
}

impl<'a> Address<'a> {
    /// Parses a path, with or without a slash at its end; `None` if it is that of no private page.
    pub fn parse(path: &'a str) -> Option<Self> {
        let path = path.trim_end_matches('/');
        let address = if let Some(rest) = path.strip_prefix(VISITOR) {
            match rest.strip_suffix(WITHDRAWAL) {
                Some(token) => Self::Withdrawal(token),
                None => Self::Visitor(rest),
            }
        } else if let Some(token) = path.strip_prefix(FIRM) {
            Self::Firm(token)
        } else if let Some(token) = path.strip_prefix(CONFIRMATION) {
            Self::Confirmation(token)
        } else {
            Self::Unsubscription(path.strip_prefix(UNSUBSCRIPTION)?)
        };
        let token = address.token();
        (!token.is_empty() && !token.contains('/')).then_some(address)
    }

    /// Returns its path.
    pub fn path(&self) -> String {
        match self {
            Self::Visitor(token) => format!("{VISITOR}{token}"),
            Self::Withdrawal(token) => format!("{VISITOR}{token}{WITHDRAWAL}"),
            Self::Firm(token) => format!("{FIRM}{token}"),
            Self::Confirmation(token) => format!("{CONFIRMATION}{token}"),
            Self::Unsubscription(token) => format!("{UNSUBSCRIPTION}{token}"),
        }
    }

    fn token(&self) -> &'a str {
        match self {
            Self::Visitor(token)
            | Self::Withdrawal(token)
            | Self::Firm(token)
            | Self::Confirmation(token)
            | Self::Unsubscription(token) => token,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_there_and_back() {
        for (path, expected) in [
            ("/anfrage/abc", Address::Visitor("abc")),
            ("/anfrage/abc/zurueckziehen", Address::Withdrawal("abc")),
            ("/betrieb/abc", Address::Firm("abc")),
            ("/newsletter/bestaetigen/abc", Address::Confirmation("abc")),
            ("/newsletter/abmelden/abc", Address::Unsubscription("abc")),
        ] {
            assert_eq!(Address::parse(path), Some(expected));
            assert_eq!(Address::parse(&format!("{path}//")), Some(expected));
            assert_eq!(expected.path(), path);
        }
        for path in [
            "/",
            "/anfrage",
            "/anfrage/",
            "/anfrage//zurueckziehen",
            "/anfrage/abc/def",
            "/betrieb/abc/zurueckziehen",
            "/newsletter/abc",
            "/fragebogen",
        ] {
            assert_eq!(Address::parse(path), None, "{path}");
        }
    }
}
