//! Inquiries that firms are asked about. The tokens of firms are only in mails, so they are read from the stopped server's store
//! with the library.

use std::fmt::Write as _;

use taubenabwehr::domain::matching::FirmId;
use taubenabwehr::store::{Location, Store};
use uuid::Uuid;

use super::http::{Request, Response};
use super::{Dir, Server, Setup, block_on, record};

/// The last name of the inquiry's visitor.
pub const NAME: &str = "Kranichfeld";

/// A configuration file with these firms. Nothing listens at its mail server, so mails stay pending.
pub fn config(firms: &[&str]) -> String {
    let mut toml = String::from("[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'anfrage@example.de'\n");
    for id in firms {
        let _ = write!(
            toml,
            "[[firm]]\nid = '{id}'\nname = 'Firma {id} & Söhne'\nemail = '{id}@firma.example'\nphone = '+49 40 98765'\n\
             website = 'https://{id}.example'\npostal_codes = ['2']\n"
        );
    }
    toml
}

/// A setup with this configuration file.
pub fn setup(toml: &str) -> Setup {
    Setup::new().config(toml)
}

/// Opens the store of a stopped server.
pub fn open(dir: &Dir) -> Store {
    let location = Location::parse(dir.store().as_ref()).unwrap();
    block_on(location.open_existing()).unwrap()
}

/// An inquiry and the paths of its pages.
pub struct Referred {
    pub server: Server,
    pub visitor: String,
    pub firms: Vec<String>,
}

impl Referred {
    /// Stores an inquiry about which these firms are asked.
    pub fn to(firms: &[&str]) -> Self {
        Self::with(&config(firms), firms)
    }

    /// Stores an inquiry with this configuration file.
    pub fn with(toml: &str, firms: &[&str]) -> Self {
        let server = setup(toml).start();
        let request = super::inquiry::post(&record(NAME)).header("Form-Consent", "1");
        let (stored, visitor) = server.inquire(&request);
        let id: Uuid = stored["id"].as_str().unwrap().parse().unwrap();
        let setup = stop(server);
        let firms = {
            let store = open(&setup.dir);
            let token = |firm: &&str| store.secret().firm_token(id, &FirmId::parse(firm).unwrap());
            firms
                .iter()
                .map(|firm| format!("/betrieb/{}", token(firm)))
                .collect()
        };
        Self {
            server: setup.start(),
            visitor,
            firms,
        }
    }

    /// The content of a page; the status must be 200.
    pub fn page(&self, path: &str) -> String {
        let response = self.server.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.text().to_owned()
    }

    /// The content of the visitor's page.
    pub fn visitors_page(&self) -> String {
        self.page(&self.visitor)
    }

    /// Submits a firm's answer; `firm` is its position in the file.
    pub fn answer(&self, firm: usize, answer: &str) -> Response {
        submit(&self.server, &self.firms[firm], &format!("answer={answer}"))
    }

    /// Lets a firm accept and report that there was no order, after which the visitor can review it.
    pub fn finish(&self, firm: usize) {
        assert_eq!(self.answer(firm, "accept").status, 303);
        let reported = submit(&self.server, &self.firms[firm], "outcome=none");
        assert_eq!(reported.status, 303, "{}", reported.text());
    }

    pub fn withdraw(&self) -> Response {
        submit(&self.server, &format!("{}/zurueckziehen", self.visitor), "")
    }
}

/// Shuts a server down cleanly; returns its setup.
pub fn stop(server: Server) -> Setup {
    let setup = server.setup().clone();
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    setup
}

/// A POST of a form, as a browser sends it.
pub fn form(server: &Server, path: &str, body: &str) -> Request {
    Request::new("POST", path)
        .header("Origin", &server.origin())
        .header("Sec-Fetch-Site", "same-origin")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Content-Length", &body.len().to_string())
        .body(body)
}

pub fn submit(server: &Server, path: &str, body: &str) -> Response {
    server.send(&form(server, path, body))
}
