//! A connection to the mail server.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::{Behaviour, Mail, Security, Shared, Step};

trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

pub(super) struct Session<'a> {
    shared: &'a Shared,
    is_encrypted: bool,
    credentials: Option<String>,
    from: String,
    parameters: String,
    to: String,
}

/// The end of a connection.
pub(super) struct Over;

impl From<io::Error> for Over {
    fn from(_: io::Error) -> Self {
        Self
    }
}

type Lines = BufReader<Box<dyn Stream>>;

impl<'a> Session<'a> {
    pub(super) fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            is_encrypted: false,
            credentials: None,
            from: String::new(),
            parameters: String::new(),
            to: String::new(),
        }
    }

    pub(super) fn serve(&mut self, stream: TcpStream) -> Result<(), Over> {
        stream.set_nodelay(true)?;
        let raw = stream.try_clone()?;
        let mut lines: Lines = match &self.shared.security {
            Security::Implicit(config) => {
                self.is_encrypted = true;
                BufReader::new(encrypted(config, stream))
            }
            _ => BufReader::new(Box::new(stream)),
        };
        self.answer(&mut lines, Step::Greeting, "220 sink ESMTP")?;
        while let Some(line) = read_line(&mut lines)? {
            let (verb, rest) = line.split_once([' ', ':']).unwrap_or((&line, ""));
            match verb.to_ascii_uppercase().as_str() {
                "EHLO" => {
                    let answer = self.extensions();
                    self.answer(&mut lines, Step::Ehlo, &answer)?;
                }
                "STARTTLS" => {
                    self.answer(&mut lines, Step::StartTls, "220 go ahead")?;
                    let Security::StartTls(config) = &self.shared.security else {
                        return Err(Over);
                    };
                    lines = BufReader::new(encrypted(config, raw.try_clone()?));
                    self.is_encrypted = true;
                }
                "AUTH" => {
                    self.credentials = rest.split(' ').nth(1).map(str::to_owned);
                    if rest == "LOGIN" {
                        self.credentials = Some(log_in(&mut lines)?);
                    }
                    self.answer(&mut lines, Step::Auth, "235 welcome")?;
                }
                "MAIL" => {
                    let (from, parameters) = path(rest);
                    (self.from, self.parameters) = (from, parameters);
                    self.answer(&mut lines, Step::Mail, "250 ok")?;
                }
                "RCPT" => {
                    self.to = path(rest).0;
                    let refused = self.shared.refused.lock().unwrap().clone();
                    match refused.iter().find(|(address, _)| *address == self.to) {
                        Some((_, answer)) => say(&mut lines, answer)?,
                        None => self.answer(&mut lines, Step::Rcpt, "250 ok")?,
                    }
                }
                "DATA" => {
                    self.answer(&mut lines, Step::Data, "354 go ahead")?;
                    self.content(&mut lines)?;
                }
                "QUIT" => {
                    self.answer(&mut lines, Step::Quit, "221 bye")?;
                    return Ok(());
                }
                _ => say(&mut lines, "502 what?")?,
            }
        }
        Ok(())
    }

    fn extensions(&self) -> String {
        let mut all = vec!["250-sink".to_owned()];
        all.extend(self.shared.extensions.iter().map(|name| format!("250-{name}")));
        if matches!(self.shared.security, Security::StartTls(_)) && !self.is_encrypted {
            all.push("250-STARTTLS".to_owned());
        }
        all.push("250 SIZE 1000000".to_owned());
        all.join("\r\n")
    }

    fn content(&mut self, lines: &mut Lines) -> Result<(), Over> {
        let mut content = Vec::new();
        loop {
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line)?;
            match line.as_slice() {
                b"" => return Err(Over),
                b".\r\n" => break,
                [b'.', rest @ ..] => content.extend_from_slice(rest),
                whole => content.extend_from_slice(whole),
            }
        }
        let mail = Mail {
            from: self.from.clone(),
            parameters: self.parameters.clone(),
            to: self.to.clone(),
            content,
            was_encrypted: self.is_encrypted,
            credentials: self.credentials.clone(),
        };
        // Stored before the client gets the reply, as real servers do.
        let planned = self.planned(Step::Content);
        if matches!(
            planned,
            None | Some(Behaviour::KeepAndDrop | Behaviour::KeepAndHang | Behaviour::Say([b'2', ..]))
        ) {
            self.shared.state.lock().unwrap().mails.push(mail);
            self.shared.changed.notify_all();
        }
        self.perform(lines, planned, "250 taken")
    }

    fn answer(&self, lines: &mut Lines, step: Step, usual: &str) -> Result<(), Over> {
        self.perform(lines, self.planned(step), usual)
    }

    fn perform(&self, lines: &mut Lines, planned: Option<Behaviour>, usual: &str) -> Result<(), Over> {
        let Some(Behaviour::Endless(text)) = planned else {
            return perform(lines, planned, usual);
        };
        let block = text.repeat(64 * 1024 / text.len());
        loop {
            lines.get_mut().write_all(block.as_bytes())?;
            self.shared.state.lock().unwrap().endless += block.len();
        }
    }

    /// Records that a step was reached; returns the planned misbehaviour.
    fn planned(&self, step: Step) -> Option<Behaviour> {
        self.shared.state.lock().unwrap().steps.push(step);
        self.shared.changed.notify_all();
        let mut policy = self.shared.policy.lock().unwrap();
        let next = policy
            .iter_mut()
            .find(|next| next.step == step && next.times > 0)?;
        next.times = next.times.saturating_sub(1);
        Some(next.behaviour)
    }
}

fn perform(lines: &mut Lines, planned: Option<Behaviour>, usual: &str) -> Result<(), Over> {
    match planned {
        None => Ok(say(lines, usual)?),
        Some(Behaviour::Answer(text)) => {
            say(lines, text)?;
            let goes_on = text.starts_with(['2', '3']);
            if goes_on { Ok(()) } else { until_quit(lines) }
        }
        Some(Behaviour::Refuse(text)) => Ok(say(lines, text)?),
        Some(Behaviour::Say(text)) => {
            lines.get_mut().write_all(&[text, b"\r\n"].concat())?;
            Ok(lines.get_mut().flush()?)
        }
        Some(Behaviour::Hang | Behaviour::KeepAndHang) => until_gone(lines),
        Some(Behaviour::Drop | Behaviour::KeepAndDrop | Behaviour::Endless(_)) => Err(Over),
    }
}

/// Prompts for name and password; returns both as sent, separated by a space.
fn log_in(lines: &mut Lines) -> Result<String, Over> {
    // Neither prompt is a usual one.
    say(lines, "334")?;
    let name = read_line(lines)?.ok_or(Over)?;
    say(lines, "334 QmVudXR6ZXJuYW1lOg==")?;
    let password = read_line(lines)?.ok_or(Over)?;
    Ok(format!("{name} {password}"))
}

/// Waits for QUIT after a refusal.
fn until_quit(lines: &mut Lines) -> Result<(), Over> {
    while let Some(line) = read_line(lines)? {
        if line == "QUIT" {
            say(lines, "221 bye")?;
            break;
        }
    }
    Err(Over)
}

/// Reads and discards input until the client disconnects.
fn until_gone(lines: &mut Lines) -> Result<(), Over> {
    let mut rest = [0; 4096];
    while lines.read(&mut rest)? > 0 {}
    Err(Over)
}

fn say(lines: &mut Lines, text: &str) -> io::Result<()> {
    let stream = lines.get_mut();
    stream.write_all(format!("{text}\r\n").as_bytes())?;
    stream.flush()
}

fn read_line(lines: &mut Lines) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = lines.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim_end().to_owned()))
}

/// The address and the parameters of `FROM:<address> parameters`.
fn path(rest: &str) -> (String, String) {
    let inner = rest.split_once('<').map_or("", |(_, inner)| inner);
    let (address, parameters) = inner.rsplit_once('>').unwrap_or((inner, ""));
    (address.to_owned(), parameters.trim().to_owned())
}

fn encrypted(config: &Arc<ServerConfig>, stream: TcpStream) -> Box<dyn Stream> {
    let connection = ServerConnection::new(Arc::clone(config)).unwrap();
    Box::new(StreamOwned::new(connection, stream))
}
