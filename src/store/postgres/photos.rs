//! Photos in the database.

use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::error::Error;
use crate::photo::PhotoSize;
use crate::store::core::{Changes, PhotoKey};

const FIND: &str = "SELECT jpeg FROM photos WHERE inquiry = $1 AND number = $2 AND size = $3";

/// Adds photos. One that is there already is an error, which no attempt at the same batch causes.
pub const ADD: &str = "INSERT INTO photos (inquiry, number, size, jpeg) \
                       SELECT * FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::bytea[])";

/// Takes single photos away.
pub const REMOVE: &str = "DELETE FROM photos p USING unnest($1::uuid[], $2::integer[]) n (inquiry, number) \
                          WHERE p.inquiry = n.inquiry AND p.number = n.number";

/// Takes away all photos of inquiries.
pub const REMOVE_ALL: &str = "DELETE FROM photos WHERE inquiry = ANY($1)";

type Parameter = (Box<dyn ToSql + Sync + Send>, Type);

/// What a statement takes.
type Parameters = Vec<Parameter>;

/// Reads a photo; `None` if there is none.
pub async fn find(
    client: &Client,
    (inquiry, number): PhotoKey,
    size: PhotoSize,
) -> Result<Option<Vec<u8>>, Error> {
    let (number, size) = (i32::from(number), i16::from(size.number()));
    let key: [(&(dyn ToSql + Sync), Type); 3] =
        [(&inquiry, Type::UUID), (&number, Type::INT4), (&size, Type::INT2)];
    let rows = client.query_typed(FIND, &key).await?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?)
}

/// Returns what [`REMOVE`] takes; `None` if nothing is taken away.
pub fn removed(changes: &Changes) -> Option<Parameters> {
    let removed = changes.photos.iter().filter(|(_, photo)| photo.is_none());
    let (inquiries, numbers): (Vec<Uuid>, Vec<i32>) = removed
        .map(|((inquiry, number), _)| (*inquiry, i32::from(*number)))
        .unzip();
    (!inquiries.is_empty()).then(|| {
        vec![
            parameter(inquiries, Type::UUID_ARRAY),
            parameter(numbers, Type::INT4_ARRAY),
        ]
    })
}

/// Returns what [`ADD`] takes; `None` if nothing is added.
pub fn added(changes: &Changes) -> Option<Parameters> {
    let (mut inquiries, mut numbers) = (Vec::new(), Vec::new());
    let (mut sizes, mut jpegs) = (Vec::new(), Vec::new());
    for ((inquiry, number), photo) in &changes.photos {
        let Some(photo) = photo else { continue };
        for size in PhotoSize::ALL {
            inquiries.push(*inquiry);
            numbers.push(i32::from(*number));
            sizes.push(i16::from(size.number()));
            jpegs.push(size.of(photo).to_vec());
        }
    }
    (!inquiries.is_empty()).then(|| {
        vec![
            parameter(inquiries, Type::UUID_ARRAY),
            parameter(numbers, Type::INT4_ARRAY),
            parameter(sizes, Type::INT2_ARRAY),
            parameter(jpegs, Type::BYTEA_ARRAY),
        ]
    })
}

fn parameter(value: impl ToSql + Sync + Send + 'static, of: Type) -> Parameter {
    (Box::new(value), of)
}
