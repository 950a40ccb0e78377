//! The paths of private pages. Requests, mails and commands take them from here.

use crate::text::origin::Origin;

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

/// Below this path somebody logs in at the operator's desk, with a code.
pub const DESK_LOGIN: &str = "/anmelden/";

/// The path of a private page, with its token. Whether that is genuine is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivatePath<'a> {
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

/// Returns whether this segment of a path, in any spelling, stands before a token.
pub fn begins(segment: &str) -> bool {
    let bases = [VISITOR, FIRM, CONFIRMATION, UNSUBSCRIPTION, DESK_LOGIN];
    let mut names = bases
        .iter()
        .filter_map(|base| base.trim_matches('/').rsplit('/').next());
    names.any(|name| segment.eq_ignore_ascii_case(name))
}

/// Returns whether this segment follows a token.
pub fn is_word(segment: &str) -> bool {
    WITHDRAWAL.trim_matches('/') == segment
}

impl<'a> PrivatePath<'a> {
    /// Parses a path, with or without a slash at its end; `None` if it is that of no private page.
    pub fn parse(path: &'a str) -> Option<Self> {
        let path = path.trim_end_matches('/');
        let parsed = if let Some(rest) = path.strip_prefix(VISITOR) {
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
        let token = parsed.token();
        (!token.is_empty() && !token.contains('/')).then_some(parsed)
    }

    /// Returns it with the site's address in front.
    pub fn link(&self, origin: &Origin) -> String {
        format!("{origin}{}", self.path())
    }

    /// Returns it as text.
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
            ("/anfrage/abc", PrivatePath::Visitor("abc")),
            ("/anfrage/abc/zurueckziehen", PrivatePath::Withdrawal("abc")),
            ("/betrieb/abc", PrivatePath::Firm("abc")),
            ("/newsletter/bestaetigen/abc", PrivatePath::Confirmation("abc")),
            ("/newsletter/abmelden/abc", PrivatePath::Unsubscription("abc")),
        ] {
            assert_eq!(PrivatePath::parse(path), Some(expected));
            assert_eq!(PrivatePath::parse(&format!("{path}//")), Some(expected));
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
            assert_eq!(PrivatePath::parse(path), None, "{path}");
        }
    }
}
