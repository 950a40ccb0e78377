//! Bounded reads of the files that an operator names. Pipes and devices are refused: reading them could block or never end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

/// Maximum length of a file with CA certificates, in bytes: a system's whole bundle is less than a tenth of it.
const AUTHORITIES: u64 = 4 << 20;

/// Maximum length of a file with a one-line secret, in bytes.
const LINE: u64 = 4096;

/// Opens a file for reading, without blocking.
///
/// # Errors
/// When the file cannot be opened, or is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // Without `NONBLOCK`, opening a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is not a regular file",
        ))
    }
}

/// The UTF-8 byte order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a file of at most `limit` bytes, and strips a byte order mark.
///
/// # Errors
/// When the file cannot be read, is not a regular file, or is too long.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    open(path)?.take(limit + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too long"));
    }
    if contents.starts_with(BYTE_ORDER_MARK) {
        contents.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(contents)
}

/// Reads one or more CA certificates in PEM.
///
/// # Errors
/// When the file cannot be read, or contains no certificate.
pub fn read_authorities(path: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let text = read(path, AUTHORITIES)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let certificates = certificates.ok().filter(|certificates| !certificates.is_empty());
    certificates.ok_or_else(|| io::Error::other("it holds no certificate in PEM"))
}

/// Reads a file with a secret in a single line, and strips the newline that editors append.
///
/// # Errors
/// When the file cannot be read, or is not one line of text.
pub fn read_line(path: &Path) -> io::Result<String> {
    let text = read_text(path, LINE)?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.is_empty() || line.chars().any(char::is_control) {
        return Err(io::Error::other("it must hold one line of text"));
    }
    Ok(line.to_owned())
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// As for [`read`], and when the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}
