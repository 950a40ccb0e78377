//! A server with TLS, and clients for HTTP/1.1 and HTTP/2.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Deref;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, ProtocolVersion, StreamOwned, SupportedProtocolVersion,
};

use super::http::{Connection, bound};
use super::{Dir, Request, Response, Server, Setup};
use crate::sinks::Certificate;
use crate::sinks::tls_client::{trusting, trusting_by};

/// The host name in the certificates of tests.
pub const HOST: &str = "localhost";

/// A running server with a TLS listener.
pub struct TlsServer {
    pub server: Server,
    pub client: TlsClient,
}

/// A client of one TLS listener.
#[derive(Clone)]
pub struct TlsClient {
    pub address: SocketAddr,
    authority: CertificateDer<'static>,
    authority_pem: String,
}

impl Deref for TlsServer {
    type Target = TlsClient;

    fn deref(&self) -> &TlsClient {
        &self.client
    }
}

/// The outcome of a TLS handshake.
pub struct Handshake {
    pub version: ProtocolVersion,
}

/// Writes a certificate and its key to the directory, and returns the flags that name them.
pub fn install(dir: &Dir, certificate: &Certificate) -> [String; 4] {
    let pem = dir.write("cert.pem", &certificate.pem);
    let key = dir.write("key.pem", &certificate.key_pem);
    ["--tls-cert".to_owned(), pem, "--tls-key".to_owned(), key]
}

impl TlsServer {
    /// Starts a server with one plain and one TLS listener, and with these arguments.
    pub fn with(args: &[&str]) -> Self {
        Self::start(Setup::new(), args)
    }

    /// Starts it with this setup and these arguments.
    pub fn start(setup: Setup, args: &[&str]) -> Self {
        let certificate = Certificate::of(&[HOST]);
        let files = install(&setup.dir, &certificate);
        let listen = ["--tls-listen", "127.0.0.1:0"];
        let server = setup.args(&listen).args(&files).args(args).start();
        let client = TlsClient::new(server.tls_addresses()[0], &certificate);
        Self { server, client }
    }
}

impl TlsClient {
    /// A client that trusts the authority of this certificate.
    pub fn new(address: SocketAddr, certificate: &Certificate) -> Self {
        Self {
            address,
            authority: certificate.authority.clone(),
            authority_pem: certificate.authority_pem.clone(),
        }
    }

    /// The same client for another listener.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    /// The origin for this client's requests.
    pub fn origin(&self) -> String {
        format!("https://{HOST}:{}", self.address.port())
    }

    /// The TLS settings of a client that offers these protocols.
    pub fn config(&self, protocols: &[&str]) -> Arc<ClientConfig> {
        trusting(&self.authority, protocols)
    }

    /// Connects over TLS for HTTP/2. The test sends its own frames.
    pub fn connect_http2(&self) -> StreamOwned<ClientConnection, TcpStream> {
        handshake(self.address, self.config(&["h2"])).unwrap()
    }

    /// Connects over TLS for HTTP/1.1.
    pub fn connect(&self) -> Connection<StreamOwned<ClientConnection, TcpStream>> {
        let stream = handshake(self.address, self.config(&["http/1.1"])).unwrap();
        Connection::over(stream, &format!("{HOST}:{}", self.address.port()))
    }

    /// Sends one request as HTTP/1.1 over TLS.
    pub fn send(&self, request: &Request) -> Response {
        let mut connection = self.connect();
        let response = connection.send(&request.clone().header("Connection", "close"));
        // Fails if the server closes without `close_notify`.
        assert!(connection.rest().is_empty());
        response
    }

    /// Sends requests as HTTP/2 on one connection, all at once, and returns the responses in the order of the requests.
    pub fn send_http2(&self, requests: &[Request]) -> Vec<Response> {
        let requests: Vec<Value> = requests.iter().map(node_request).collect();
        let input = json!({
            "origin": self.origin(),
            "address": self.address.ip().to_string(),
            "port": self.address.port(),
            "authority": self.authority_pem,
            "requests": requests,
        });
        let mut node = Command::new("node")
            .args(["--input-type=module", "--eval", include_str!("http2.mjs")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        node.stdin
            .take()
            .unwrap()
            .write_all(input.to_string().as_bytes())
            .unwrap();
        let output = node.wait_with_output().unwrap();
        assert!(output.status.success());
        let responses: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        responses.iter().map(node_response).collect()
    }

    /// Performs a handshake, which fails unless the server presents a certificate of the authority.
    pub fn handshake(&self, version: Option<&'static SupportedProtocolVersion>) -> io::Result<Handshake> {
        let protocols = &["http/1.1"];
        let config = match version {
            Some(version) => trusting_by(&[version], &self.authority, protocols),
            None => self.config(protocols),
        };
        let stream = handshake(self.address, config)?;
        Ok(Handshake {
            version: stream.conn.protocol_version().unwrap(),
        })
    }
}

fn handshake(
    address: SocketAddr,
    config: Arc<ClientConfig>,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let client = ClientConnection::new(config, HOST.try_into().unwrap()).unwrap();
    let stream = TcpStream::connect(address)?;
    bound(&stream);
    let mut stream = StreamOwned::new(client, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

fn node_request(request: &Request) -> Value {
    json!({
        "method": request.method,
        "path": request.target,
        "headers": request.headers,
        "body": String::from_utf8(request.body.clone()).unwrap(),
    })
}

fn node_response(response: &Value) -> Response {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let headers = response["headers"].as_object().unwrap().iter();
    Response {
        status: u16::try_from(response["status"].as_u64().unwrap()).unwrap(),
        headers: headers.map(|(name, value)| (name.clone(), text(value))).collect(),
        body: text(&response["body"]).into_bytes(),
    }
}
