-- Schema 3: the ledger of acceptances; referrals hold mails about many inquiries and to firms that have accepted, and `meta` says
-- which firms are paused (`paused:` and the firm's id; milliseconds since 1970, the largest number where there is no end). Programs of
-- schema 2 are refused: an acceptance that one of them takes would be missing, and they would ask firms that are paused.

-- Acceptances, by the inquiry's id and the firm's. `value` as `store/core/acceptance_record.rs` writes it. An erasure takes nothing of it.
CREATE TABLE ledger (
    inquiry uuid NOT NULL,
    firm text NOT NULL,
    accepted_at timestamptz NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (inquiry, firm)
);
CREATE INDEX ledger_accepted_at ON ledger (accepted_at);

-- Closed months, by the months since the year 0, with the rate of value added tax in ten-thousandths of a percent. Read and written
-- under the lock of the ledger.
CREATE TABLE closings (
    month integer PRIMARY KEY,
    closed_at timestamptz NOT NULL,
    vat integer NOT NULL
);
