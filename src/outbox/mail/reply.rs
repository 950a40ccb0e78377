//! Replies of a mail server (RFC 5321, section 4.2).

use std::io::{self, ErrorKind};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use crate::base::text::mail_address::one_line;

/// Maximum length of a reply in bytes. The longest ones, lists of extensions, take a few kibibytes.
const LONGEST_REPLY: u64 = 16 * 1024;

/// A reply of the server.
#[derive(Debug)]
pub(super) struct SmtpReply {
    /// From 200 to 599.
    pub(super) code: u16,
    /// The text of each line after the code; bytes that are not UTF-8 are replaced.
    lines: Vec<String>,
}

impl SmtpReply {
    /// Reads a reply.
    ///
    /// # Errors
    /// `InvalidData` when the reply is malformed or too long; `UnexpectedEof` when the connection closes before its end.
    pub(super) async fn read(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Self> {
        let invalid = |reason| io::Error::new(ErrorKind::InvalidData, reason);
        let mut stream = stream.take(LONGEST_REPLY);
        let mut first = None;
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            stream.read_until(b'\n', &mut line).await?;
            if !line.ends_with(b"\n") {
                return Err(if stream.limit() == 0 {
                    invalid("its reply is too long")
                } else {
                    ErrorKind::UnexpectedEof.into()
                });
            }
            let line = String::from_utf8_lossy(&line);
            let line = parse(line.trim_ascii_end()).filter(|line| line.0 == *first.get_or_insert(line.0));
            let (code, text, is_last) = line.ok_or_else(|| invalid("its reply is not one of SMTP"))?;
            lines.push(text.to_owned());
            if is_last {
                return Ok(Self { code, lines });
            }
        }
    }

    /// Code and text on one line.
    pub(super) fn text(&self) -> String {
        one_line(&format!("{} {}", self.code, self.lines.join(" ")))
    }

    /// The parameters of an extension in a reply to `EHLO`; `None` if the server does not offer it.
    pub(super) fn extension(&self, keyword: &str) -> Option<&str> {
        // The first line is the greeting.
        let mut lines = self.lines.iter().skip(1);
        lines.find_map(|line| {
            let (name, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
            name.eq_ignore_ascii_case(keyword).then_some(rest)
        })
    }

    /// The enhanced status code (RFC 3463) at the start of the reply, such as `5.1.1`. The rest is free text.
    pub(super) fn enhanced_code(&self) -> Option<&str> {
        let word = self.lines.first()?.split_whitespace().next()?;
        let parts: Vec<&str> = word.split('.').collect();
        let is_number =
            |part: &&str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        (parts.len() == 3 && parts.iter().all(is_number)).then_some(word)
    }
}

/// Parses a line of a reply into its code, its text, and whether it is the last one; `None` if it is malformed. The text may be
/// missing.
fn parse(line: &str) -> Option<(u16, &str, bool)> {
    let (code, rest) = line.split_at_checked(3)?;
    let code = code.parse().ok().filter(|code| (200..600).contains(code))?;
    match rest.strip_prefix('-') {
        Some(text) => Some((code, text, false)),
        None if rest.is_empty() => Some((code, rest, true)),
        None => Some((code, rest.strip_prefix(' ')?, true)),
    }
}
