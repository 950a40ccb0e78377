-- Schema 4: photos of inquiries. Programs of schema 3 are refused: they would leave behind the photos of what they erase.

-- Photos as JPEGs, by the inquiry's id, the photo's number there, and its size: 0 for the large one, 1 for the small one.
CREATE TABLE photos (
    inquiry uuid NOT NULL,
    number integer NOT NULL,
    size smallint NOT NULL,
    jpeg bytea NOT NULL,
    PRIMARY KEY (inquiry, number, size)
);
-- A JPEG is compressed already.
ALTER TABLE photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;
