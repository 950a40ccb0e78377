//! The reply of a photo process: a byte, and if that is zero, the length of the large picture and both pictures.

use crate::photo::{Photo, PhotoError};

/// The longest answer: pictures of mere noise have 3 MB.
pub const MAX_LENGTH: u64 = 16 << 20;

/// Errors by their number, starting at one.
const ERRORS: [PhotoError; 6] = [
    PhotoError::TooLarge,
    PhotoError::WrongKind,
    PhotoError::TooManyPixels,
    PhotoError::TooDemanding,
    PhotoError::Damaged,
    PhotoError::Unsupported,
];

/// Returns the answer's bytes.
pub fn write(developed: &Result<Photo, PhotoError>) -> Vec<u8> {
    match developed {
        Ok(Photo { large, small }) => {
            let length = u32::try_from(large.len()).unwrap_or_default().to_le_bytes();
            [&[0], &length[..], large, small].concat()
        }
        Err(error) => {
            let place = ERRORS.iter().position(|other| other == error).unwrap_or_default();
            vec![u8::try_from(place + 1).unwrap_or(u8::MAX)]
        }
    }
}

/// Parses the bytes; `None` if they are no complete reply.
pub fn read(bytes: &[u8]) -> Option<Result<Photo, PhotoError>> {
    let (number, rest) = bytes.split_first()?;
    if let Some(place) = usize::from(*number).checked_sub(1) {
        return ERRORS.get(place).filter(|_| rest.is_empty()).copied().map(Err);
    }
    let (length, pictures) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (large, small) = pictures.split_at_checked(length)?;
    let is_whole = !large.is_empty() && !small.is_empty();
    is_whole.then(|| {
        Ok(Photo {
            large: large.to_vec(),
            small: small.to_vec(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_written() {
        let photo = Photo {
            large: vec![1; 300],
            small: vec![2; 20],
        };
        let whole = write(&Ok(photo.clone()));
        assert_eq!(read(&whole), Some(Ok(photo)));
        for cut in [0, 1, 4, 5, 304, 305] {
            assert_eq!(read(&whole[..cut]), None, "{cut}");
        }
        for error in ERRORS {
            assert_eq!(read(&write(&Err(error))), Some(Err(error)));
        }
        assert_eq!(read(&[7]), None);
        assert_eq!(read(&[2, 0]), None);
    }
}
