-- Schema 2: functions for what each batch does. A session keeps the plans of a function's statements, also one that a pooler lends to
-- many clients, while statements that a client prepares would be lost there. For a single inquiry that is a third of the cost. Programs
-- of schema 1 go on beside it, with statements of their own.

-- Notes a batch in the transaction that commits it. A server may come to a transaction only after its writer has given up on the
-- connection and repeated the batch on another one: that a batch was committed before is an error (a NULL in `batch`), so that
-- nothing happens twice.
CREATE FUNCTION note_batch(writer uuid, number bigint, try integer, noted_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO writers AS w (id, batch, attempt, seen_at) VALUES (writer, number, try, noted_at)
    ON CONFLICT (id) DO UPDATE SET
        batch = CASE WHEN w.batch < excluded.batch THEN excluded.batch END,
        attempt = excluded.attempt, seen_at = excluded.seen_at;
END
$$;

-- Notes a batch, and stores its inquiries and their keys. A key that is there already is an error, whether it still counts or not:
-- ON CONFLICT would make each of them dearer by a fifth, and few are sent twice.
CREATE FUNCTION store_inquiries(
    writer uuid, number bigint, try integer, noted_at timestamptz,
    key_names bytea[], key_tags bytea[], key_ids uuid[], key_expiries timestamptz[],
    ids uuid[], times timestamptz[], contents bytea[]
)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_batch(writer, number, try, noted_at);
    INSERT INTO keys (name, tag, id, expires_at) SELECT * FROM unnest(key_names, key_tags, key_ids, key_expiries);
    INSERT INTO inquiries (id, created_at, value) SELECT * FROM unnest(ids, times, contents);
END
$$;
