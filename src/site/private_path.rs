//! The paths of private pages, as used in requests, mails and commands.

use crate::base::text::origin::Origin;
use crate::domain::referral::PhotoSize;

/// Segment above visitors' pages.
const VISITOR: &str = "anfrage";
/// Segment below a visitor's page: confirms that the inquiry is withdrawn.
const WITHDRAWAL: &str = "zurueckziehen";
/// Segment below a visitor's page: receives photo uploads.
const PHOTOS: &str = "fotos";
/// Segment below a visitor's or firm's page: the photo with the number that follows.
const PHOTO: &str = "foto";
/// Segment below a photo: its thumbnail.
const SMALL: &str = "klein";
/// Segment above firms' pages.
const FIRM: &str = "betrieb";
/// Segment above the newsletter's pages.
const NEWSLETTER: &str = "newsletter";
/// Segment below the newsletter: confirms a subscription.
const CONFIRMATION: &str = "bestaetigen";
/// Segment below the newsletter: ends a subscription.
const UNSUBSCRIPTION: &str = "abmelden";

/// Prefix of the operator's login links; followed by a code.
pub const DESK_LOGIN: &str = "/anmelden/";

/// The path of a private page with its token, which is not verified yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivatePath<'a> {
    /// A visitor's page.
    Visitor(&'a str),
    /// The confirmation before a visitor's inquiry is withdrawn.
    Withdrawal(&'a str),
    /// The upload of photos for a visitor's inquiry.
    Photos(&'a str),
    /// A photo on a visitor's page.
    VisitorPhoto(&'a str, u16, PhotoSize),
    /// A firm's page for one inquiry.
    Firm(&'a str),
    /// A photo on a firm's page.
    FirmPhoto(&'a str, u16, PhotoSize),
    /// The confirmation of a newsletter subscription.
    Confirmation(&'a str),
    /// The end of a newsletter subscription.
    Unsubscription(&'a str),
}

/// Whether this path segment, in any spelling, precedes a token.
pub fn begins(segment: &str) -> bool {
    let names = [
        VISITOR,
        FIRM,
        CONFIRMATION,
        UNSUBSCRIPTION,
        DESK_LOGIN.trim_matches('/'),
    ];
    names.iter().any(|name| segment.eq_ignore_ascii_case(name))
}

/// Whether this path segment follows a token.
pub fn is_word(segment: &str) -> bool {
    [WITHDRAWAL, PHOTOS, PHOTO, SMALL].contains(&segment)
}

impl<'a> PrivatePath<'a> {
    /// Parses a path, with or without a trailing slash; `None` if it is not that of a private page.
    pub fn parse(path: &'a str) -> Option<Self> {
        let path = path.strip_prefix('/')?.trim_end_matches('/');
        let segments: Vec<_> = path.split('/').collect();
        let parsed = match *segments {
            [VISITOR, token] => Self::Visitor(token),
            [VISITOR, token, WITHDRAWAL] => Self::Withdrawal(token),
            [VISITOR, token, PHOTOS] => Self::Photos(token),
            [VISITOR, token, PHOTO, ref photo @ ..] => {
                let (number, size) = numbered(photo)?;
                Self::VisitorPhoto(token, number, size)
            }
            [FIRM, token] => Self::Firm(token),
            [FIRM, token, PHOTO, ref photo @ ..] => {
                let (number, size) = numbered(photo)?;
                Self::FirmPhoto(token, number, size)
            }
            [NEWSLETTER, CONFIRMATION, token] => Self::Confirmation(token),
            [NEWSLETTER, UNSUBSCRIPTION, token] => Self::Unsubscription(token),
            _ => return None,
        };
        (!segments.contains(&"")).then_some(parsed)
    }

    /// The absolute URL.
    pub fn link(&self, origin: &Origin) -> String {
        format!("{origin}{}", self.path())
    }

    /// The path as text.
    pub fn path(&self) -> String {
        match self {
            Self::Visitor(token) => format!("/{VISITOR}/{token}"),
            Self::Withdrawal(token) => format!("/{VISITOR}/{token}/{WITHDRAWAL}"),
            Self::Photos(token) => format!("/{VISITOR}/{token}/{PHOTOS}"),
            Self::VisitorPhoto(token, number, size) => {
                format!("/{VISITOR}/{token}/{PHOTO}/{number}{}", suffix(*size))
            }
            Self::Firm(token) => format!("/{FIRM}/{token}"),
            Self::FirmPhoto(token, number, size) => {
                format!("/{FIRM}/{token}/{PHOTO}/{number}{}", suffix(*size))
            }
            Self::Confirmation(token) => format!("/{NEWSLETTER}/{CONFIRMATION}/{token}"),
            Self::Unsubscription(token) => format!("/{NEWSLETTER}/{UNSUBSCRIPTION}/{token}"),
        }
    }
}

/// Parses the number and the size of a photo.
fn numbered(photo: &[&str]) -> Option<(u16, PhotoSize)> {
    let (number, size) = match *photo {
        [number] => (number, PhotoSize::Large),
        [number, SMALL] => (number, PhotoSize::Small),
        _ => return None,
    };
    let parsed: u16 = number.parse().ok()?;
    // Only the canonical spelling, so that each photo has one address.
    (parsed.to_string() == number).then_some((parsed, size))
}

fn suffix(size: PhotoSize) -> String {
    match size {
        PhotoSize::Large => String::new(),
        PhotoSize::Small => format!("/{SMALL}"),
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
