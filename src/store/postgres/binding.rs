//! Channel binding: the digest of the server's certificate that the log-in names (RFC 5929, `tls-server-end-point`), so
//! that nobody in between can pass it on.

use rustls_pki_types::CertificateDer;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The tag of a sequence, and of the name of an algorithm.
const SEQUENCE: u8 = 0x30;
const OBJECT: u8 = 0x06;

/// Which digest the signature of a certificate is made with.
const ALGORITHMS: [(&[u8], Hash); 8] = [
    // RSA with MD5 and SHA-1: the standard wants SHA-256 for both.
    (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x04", Hash::Sha256),
    (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x05", Hash::Sha256),
    // RSA with SHA-256, SHA-384 and SHA-512.
    (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b", Hash::Sha256),
    (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0c", Hash::Sha384),
    (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0d", Hash::Sha512),
    // ECDSA with the same.
    (b"\x2a\x86\x48\xce\x3d\x04\x03\x02", Hash::Sha256),
    (b"\x2a\x86\x48\xce\x3d\x04\x03\x03", Hash::Sha384),
    (b"\x2a\x86\x48\xce\x3d\x04\x03\x04", Hash::Sha512),
];

#[derive(Debug, Clone, Copy)]
enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

/// Returns the digest of a certificate; `None` where the standard defines none, as for Ed25519.
pub fn end_point(certificate: &CertificateDer<'_>) -> Option<Vec<u8>> {
    Some(match signature_hash(certificate)? {
        Hash::Sha256 => Sha256::digest(certificate).to_vec(),
        Hash::Sha384 => Sha384::digest(certificate).to_vec(),
        Hash::Sha512 => Sha512::digest(certificate).to_vec(),
    })
}

/// Reads the name of the signature's algorithm, which stands behind what was signed.
fn signature_hash(certificate: &[u8]) -> Option<Hash> {
    let (whole, _) = element(certificate, SEQUENCE)?;
    let (_signed, rest) = element(whole, SEQUENCE)?;
    let (algorithm, _) = element(rest, SEQUENCE)?;
    let (name, _) = element(algorithm, OBJECT)?;
    let found = ALGORITHMS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

/// Returns what is in the first element of some DER, and what stands behind it.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    if found != tag {
        return None;
    }
    if first < 0x80 {
        return rest.split_at_checked(usize::from(first));
    }
    // No certificate is longer than what three bytes can say.
    let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    if length.len() > 3 {
        return None;
    }
    let length = length.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_ED25519, SignatureAlgorithm};

    use super::*;

    fn digest(algorithm: &'static SignatureAlgorithm) -> Option<usize> {
        let key = KeyPair::generate_for(algorithm).unwrap();
        let params = CertificateParams::new(["db".to_owned()]).unwrap();
        let certificate = params.self_signed(&key).unwrap();
        end_point(certificate.der()).map(|digest| digest.len())
    }

    #[test]
    fn the_digest_is_that_of_the_signature() {
        assert_eq!(digest(&rcgen::PKCS_ECDSA_P256_SHA256), Some(32));
        assert_eq!(digest(&PKCS_ECDSA_P384_SHA384), Some(48));
        assert_eq!(digest(&PKCS_ED25519), None);
        for damaged in [
            &b""[..],
            b"\x30",
            b"\x30\x84\xff\xff\xff\xff",
            b"\x30\x03\x30\x01",
        ] {
            assert_eq!(end_point(&CertificateDer::from(damaged)), None);
        }
    }
}
