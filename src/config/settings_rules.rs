//! The rules that the values of a settings file keep.

use std::ops::Range;

use toml::Spanned;

/// A text that may be absent, with its place in the file.
pub type Text = Option<Spanned<String>>;

/// What is wrong, and where in the text.
pub struct Problem {
    /// One sentence.
    pub message: String,
    /// Bytes of the text.
    pub span: Option<Range<usize>>,
}

/// A rule for a text: what it must be, and how to say so. Plain functions: these rules run once at every start, which a
/// compiled pattern would slow down.
pub struct Rule {
    accepts: fn(&str) -> bool,
    expected: &'static str,
}

/// Any one line.
pub const ANY: Rule = Rule {
    accepts: |_| true,
    expected: "be one line of text",
};
/// `name@host.tld`
pub const EMAIL: Rule = Rule {
    accepts: is_email,
    expected: "be an e-mail address",
};
/// As people write phone numbers.
pub const PHONE: Rule = Rule {
    accepts: is_phone,
    expected: "be a phone number, such as \"+49 40 123456\"",
};
/// An address in the web.
pub const WEB: Rule = Rule {
    accepts: is_web_address,
    expected: "be an https:// address",
};
/// schema.org opening hours.
pub const HOURS: Rule = Rule {
    accepts: is_opening_hours,
    expected: "look like \"Mo-Fr 08:00-18:00\"",
};
/// A Google tag id.
pub const TAG: Rule = Rule {
    accepts: is_tag,
    expected: "look like \"GTM-ABC123\", \"AW-123456789\" or \"G-ABC123\"",
};
/// A Google Ads conversion.
pub const CONVERSION: Rule = Rule {
    accepts: is_conversion,
    expected: "look like \"AW-123456789/label\"",
};
/// An id of an affiliate partner.
pub const PARTNER: Rule = Rule {
    accepts: is_identifier,
    expected: "hold only letters, digits, hyphens and underscores",
};

fn is_email(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains([' ', '@', '<', '>', '"']);
    text.split_once('@')
        .is_some_and(|(name, host)| is_part(name) && is_part(host) && host.contains('.'))
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let rest = text.strip_prefix('+').unwrap_or(text);
    digits >= 4 && rest.chars().all(|c| c.is_ascii_digit() || " ()/.-".contains(c))
}

fn is_web_address(text: &str) -> bool {
    let Some(rest) = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
    else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && !rest.contains([' ', '<', '>', '"', '\'', '\\'])
}

/// Days and times of schema.org: `Mo-Fr 08:00-18:00`, `Mo,We 09:00-12:00`.
fn is_opening_hours(text: &str) -> bool {
    const DAYS: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
    let number = |text: &str| {
        // A number may have a sign, a time may not.
        let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u8>().ok().filter(|_| is_plain)
    };
    let is_time = |time: &str| {
        let parts = time.split_once(':');
        let time = parts.and_then(|(hour, minute)| Some((number(hour)?, number(minute)?)));
        time.is_some_and(|(hour, minute)| minute < 60 && (hour, minute) <= (24, 0))
    };
    text.split_once(' ').is_some_and(|(days, times)| {
        days.split([',', '-']).all(|day| DAYS.contains(&day))
            && times
                .split_once('-')
                .is_some_and(|(from, to)| is_time(from) && is_time(to))
    })
}

fn is_tag(text: &str) -> bool {
    ["GTM-", "AW-", "G-"]
        .iter()
        .filter_map(|prefix| text.strip_prefix(prefix))
        .any(is_identifier)
}

fn is_conversion(text: &str) -> bool {
    let parts = text.strip_prefix("AW-").and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(account, label)| is_identifier(account) && is_identifier(label))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

impl Rule {
    /// The trimmed text, if it keeps the rule; `key` names it in the error.
    pub fn check(&self, key: &str, value: Spanned<String>) -> Result<String, Problem> {
        let span = Some(value.span());
        let text = value.into_inner().trim().to_owned();
        if text.is_empty() {
            return Err(Problem {
                message: format!("`{key}` is empty; leave the key out instead"),
                span,
            });
        }
        if text.chars().any(char::is_control) || !(self.accepts)(&text) {
            return Err(Problem {
                message: format!("`{key}` must {}", self.expected),
                span,
            });
        }
        Ok(text)
    }

    /// The same for a text that may be absent.
    pub fn optional(&self, key: &str, value: Text) -> Result<Option<String>, Problem> {
        value.map(|value| self.check(key, value)).transpose()
    }

    /// The same for a list.
    pub fn each(&self, key: &str, values: Vec<Spanned<String>>) -> Result<Vec<String>, Problem> {
        values.into_iter().map(|value| self.check(key, value)).collect()
    }
}
