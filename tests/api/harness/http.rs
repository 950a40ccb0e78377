//! A strict HTTP/1.1 client. It sends requests byte for byte and rejects responses that are not framed exactly.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use socket2::{Domain, Protocol, Socket, Type};

use super::wait::TIMEOUT;

/// A request, sent as it is, even if it is malformed.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub fn get(target: &str) -> Self {
        Self::new("GET", target)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    fn has(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|(given, _)| given.eq_ignore_ascii_case(name))
    }

    /// The bytes to send. `Host` and `Content-Length` are added if they are missing.
    pub fn bytes(&self, host: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.has("host") {
            let _ = write!(head, "Host: {host}\r\n");
        }
        if !self.has("content-length") && !self.has("transfer-encoding") && !self.body.is_empty() {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        [head.as_bytes(), &self.body].concat()
    }
}

#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The value of a header. A repeated header fails the test.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .headers
            .iter()
            .filter(|(given, _)| given.eq_ignore_ascii_case(name));
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(
            values.next().is_none(),
            "{name} appears twice: {:?}",
            self.headers
        );
        value
    }

    /// Asserts that it leads the browser that sent a form to another page.
    pub fn leads_to(&self, path: &str) {
        assert_eq!((self.status, self.expect("location")), (303, path));
    }

    /// The value of a header, which must be present.
    pub fn expect(&self, name: &str) -> &str {
        self.header(name)
            .unwrap_or_else(|| panic!("no {name} in {} {:?}", self.status, self.headers))
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }
}

/// A connection to the server.
pub struct Connection<S = TcpStream> {
    stream: BufReader<S>,
    host: String,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Self {
        Self::over_tcp(TcpStream::connect(address).unwrap())
    }

    /// Connects from another loopback address, which is a different client to the server.
    pub fn open_from(local: Ipv4Addr, address: SocketAddr) -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).unwrap();
        socket.bind(&SocketAddr::from((local, 0)).into()).unwrap();
        socket.connect(&address.into()).unwrap();
        Self::over_tcp(socket.into())
    }

    /// Uses an open TCP connection.
    pub fn over_tcp(stream: TcpStream) -> Self {
        let address = stream.peer_addr().unwrap();
        bound(&stream);
        Self::over(stream, &address.to_string())
    }

    /// Shuts down the sending half.
    pub fn end_sending(&self) {
        self.stream.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// Whether the server sends nothing for this long.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        let stream = self.stream.get_ref();
        stream.set_read_timeout(Some(time)).unwrap();
        let result = stream.peek(&mut [0]);
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        result.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}

/// Sets a timeout, so that a silent server fails the test instead of blocking it.
pub fn bound(stream: &TcpStream) {
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    stream.set_nodelay(true).unwrap();
}

impl<S: Read + Write> Connection<S> {
    /// Uses any open stream.
    pub fn over(stream: S, host: &str) -> Self {
        Self {
            stream: BufReader::new(stream),
            host: host.to_owned(),
        }
    }

    pub fn send_raw(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes.as_ref())
    }

    pub fn send(&mut self, request: &Request) -> Response {
        // The server may respond and close before it has read everything. Only the response matters.
        let _ = self.send_raw(request.bytes(&self.host));
        self.receive(&request.method)
    }

    /// Reads the response to a request with this method.
    pub fn receive(&mut self, method: &str) -> Response {
        self.try_receive(method)
            .unwrap_or_else(|error| panic!("no response to {method}: {error}"))
    }

    pub fn try_receive(&mut self, method: &str) -> io::Result<Response> {
        let status_line = self.line()?;
        let (version, rest) = status_line.split_once(' ').ok_or_else(|| invalid(&status_line))?;
        if !version.starts_with("HTTP/1.") {
            return Err(invalid(&status_line));
        }
        let status = rest
            .get(..3)
            .and_then(|code| code.parse().ok())
            .ok_or_else(|| invalid(&status_line))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or_else(|| invalid(&line))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut response = Response {
            status,
            headers,
            body: Vec::new(),
        };
        let has_body = method != "HEAD" && status >= 200 && status != 204 && status != 304;
        if has_body {
            response.body = self.body(&response)?;
        }
        Ok(response)
    }

    fn body(&mut self, response: &Response) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        if let Some(length) = response.header("content-length") {
            let length = length.parse().map_err(|_| invalid(length))?;
            body.resize(length, 0);
            self.stream.read_exact(&mut body)?;
        } else if response.header("transfer-encoding") == Some("chunked") {
            loop {
                let line = self.line()?;
                let length = usize::from_str_radix(&line, 16).map_err(|_| invalid(&line))?;
                let start = body.len();
                body.resize(start + length, 0);
                self.stream.read_exact(&mut body[start..])?;
                if !self.line()?.is_empty() {
                    return Err(invalid("a chunk without a line break at its end"));
                }
                if length == 0 {
                    break;
                }
            }
        } else {
            self.stream.read_to_end(&mut body)?;
        }
        Ok(body)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        self.stream.read_until(b'\n', &mut line)?;
        let text = String::from_utf8(line).map_err(|_| invalid("a line that is not UTF-8"))?;
        match text.strip_suffix("\r\n") {
            Some(text) => Ok(text.to_owned()),
            None if text.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Err(invalid(&text)),
        }
    }

    /// Reads until the server closes the connection. A reset counts as closing.
    pub fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Err(error) if error.kind() != io::ErrorKind::ConnectionReset => panic!("not closed: {error}"),
            _ => rest,
        }
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not HTTP: {what:?}"))
}

/// Sends one request on a new connection. The server must close it without sending anything after the response.
pub fn once(address: SocketAddr, request: &Request) -> Response {
    let mut connection = Connection::open(address);
    let closing = if request.has("connection") {
        request.clone()
    } else {
        request.clone().header("Connection", "close")
    };
    let response = connection.send(&closing);
    let rest = connection.rest();
    assert!(
        rest.is_empty(),
        "data after the response to {request:?}: {:?}",
        String::from_utf8_lossy(&rest)
    );
    response
}
