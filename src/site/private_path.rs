//! The paths of private pages. Requests, mails and commands take them from here.

use crate::base::text::origin::Origin;
use crate::domain::referral::PhotoSize;

/// Below this path are visitors' pages.
const VISITOR: &str = "/anfrage/";
/// Below a visitor's page: the question before the inquiry is withdrawn.
const WITHDRAWAL: &str = "/zurueckziehen";
/// Below a visitor's page: where photos are sent.
const PHOTOS: &str = "/fotos";
/// Below a visitor's page, or a firm's: the photo with the number that follows.
const PHOTO: &str = "/foto/";
/// Below a photo: its small version.
const SMALL: &str = "/klein";
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
    /// Where photos of a visitor's inquiry are sent.
    Photos(&'a str),
    /// A photo on a visitor's page.
    VisitorPhoto(&'a str, u16, PhotoSize),
    /// A firm's page for one inquiry.
    Firm(&'a str),
    /// A photo on a firm's page.
    FirmPhoto(&'a str, u16, PhotoSize),
    /// Where a subscription to the newsletter is confirmed.
    Confirmation(&'a str),
    /// Where it ends.
    Unsubscription(&'a str),
}

/// Whether this segment of a path, in any spelling, precedes a token.
pub fn begins(segment: &str) -> bool {
    let bases = [VISITOR, FIRM, CONFIRMATION, UNSUBSCRIPTION, DESK_LOGIN];
    let mut names = bases
        .iter()
        .filter_map(|base| base.trim_matches('/').rsplit('/').next());
    names.any(|name| segment.eq_ignore_ascii_case(name))
}

/// Whether this segment follows a token.
pub fn is_word(segment: &str) -> bool {
    [WITHDRAWAL, PHOTOS, PHOTO, SMALL]
        .map(|word| word.trim_matches('/'))
        .contains(&segment)
}

impl<'a> PrivatePath<'a> {
    /// Parses a path, with or without a slash at its end; `None` if it is that of no private page.
    pub fn parse(path: &'a str) -> Option<Self> {
        let path = path.trim_end_matches('/');
        let parsed = if let Some(rest) = path.strip_prefix(VISITOR) {
            if let Some(token) = rest.strip_suffix(WITHDRAWAL) {
                Self::Withdrawal(token)
            } else if let Some(token) = rest.strip_suffix(PHOTOS) {
                Self::Photos(token)
            } else if let Some((token, number, size)) = photo(rest) {
                Self::VisitorPhoto(token, number, size)
            } else {
                Self::Visitor(rest)
            }
        } else if let Some(rest) = path.strip_prefix(FIRM) {
            match photo(rest) {
                Some((token, number, size)) => Self::FirmPhoto(token, number, size),
                None => Self::Firm(rest),
            }
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
            Self::Photos(token) => format!("{VISITOR}{token}{PHOTOS}"),
            Self::VisitorPhoto(token, number, size) => {
                format!("{VISITOR}{token}{PHOTO}{number}{}", suffix(*size))
            }
            Self::Firm(token) => format!("{FIRM}{token}"),
            Self::FirmPhoto(token, number, size) => format!("{FIRM}{token}{PHOTO}{number}{}", suffix(*size)),
            Self::Confirmation(token) => format!("{CONFIRMATION}{token}"),
            Self::Unsubscription(token) => format!("{UNSUBSCRIPTION}{token}"),
        }
    }

    fn token(&self) -> &'a str {
        match self {
            Self::Visitor(token)
            | Self::Withdrawal(token)
            | Self::Photos(token)
            | Self::VisitorPhoto(token, ..)
            | Self::Firm(token)
            | Self::FirmPhoto(token, ..)
            | Self::Confirmation(token)
            | Self::Unsubscription(token) => token,
        }
    }
}

/// Splits what follows the page's path into the token, and the photo's number and size.
fn photo(rest: &str) -> Option<(&str, u16, PhotoSize)> {
    let (token, name) = rest.split_once(PHOTO)?;
    let (number, size) = match name.strip_suffix(SMALL) {
        Some(number) => (number, PhotoSize::Small),
        None => (name, PhotoSize::Large),
    };
    // As it is written, so that each has one address.
    let number = number
        .parse()
        .ok()
        .filter(|parsed: &u16| parsed.to_string() == number)?;
    Some((token, number, size))
}

fn suffix(size: PhotoSize) -> &'static str {
    match size {
        PhotoSize::Large => "",
        PhotoSize::Small => SMALL,
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
            ("/anfrage/abc/fotos", PrivatePath::Photos("abc")),
            (
                "/anfrage/abc/foto/1",
                PrivatePath::VisitorPhoto("abc", 1, PhotoSize::Large),
            ),
            (
                "/betrieb/abc/foto/65535/klein",
                PrivatePath::FirmPhoto("abc", u16::MAX, PhotoSize::Small),
            ),
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
            "/anfrage/abc/foto",
            "/anfrage/abc/foto/01",
            "/anfrage/abc/foto/+1",
            "/anfrage/abc/foto/65536",
            "/anfrage/abc/foto/1/gross",
            "/anfrage/abc/klein",
            "/betrieb/abc/fotos",
            "/betrieb/abc/zurueckziehen",
            "/newsletter/abc",
            "/fragebogen",
        ] {
            assert_eq!(PrivatePath::parse(path), None, "{path}");
        }
    }
}
