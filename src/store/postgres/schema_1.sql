-- Schema 1. Values are those of the redb engine's tables, byte for byte; the columns beside them are what SQL must find.
-- All of it lies in the first schema of the connection's search_path.

-- Facts about the store, by name: `schema` and `compatible_from` (the program refuses a store whose `compatible_from` is above the
-- schema that it knows), `backup` and `held` (milliseconds since 1970), `copying` (1 while a copy into this store is not finished).
CREATE TABLE meta (
    name text PRIMARY KEY,
    value bigint NOT NULL
);

-- Secrets of this store, by name: `tokens`, 32 random bytes. Created once, by whoever is first.
CREATE TABLE secrets (
    name text PRIMARY KEY,
    value bytea NOT NULL
);

-- Inquiries. `value` as `store/record.rs` writes it; `created_at` is when the inquiry was made, the id tells when it was received.
CREATE TABLE inquiries (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL,
    value bytea NOT NULL
);

-- The way of an inquiry to operator and firms, by its id; also that of one that was withdrawn or erased. `value` as
-- `store/referral_record.rs` writes it. `clock_due`, `mail_due` and `webhook_due` say when something is to be done in each lane,
-- deliveries that are leased not before their lease has run out. `leases` lists the deliveries that somebody has begun to try and not
-- settled, as `store/postgres/leases.rs` writes them.
CREATE TABLE referrals (
    id uuid PRIMARY KEY,
    value bytea NOT NULL,
    clock_due timestamptz,
    mail_due timestamptz,
    webhook_due timestamptz,
    leases bytea
);
CREATE INDEX referrals_clock_due ON referrals (clock_due) WHERE clock_due IS NOT NULL;
CREATE INDEX referrals_mail_due ON referrals (mail_due) WHERE mail_due IS NOT NULL;
CREATE INDEX referrals_webhook_due ON referrals (webhook_due) WHERE webhook_due IS NOT NULL;

-- What is remembered of idempotency keys: the name that stands for the key, the tag of its request, the id of its inquiry.
CREATE TABLE keys (
    name bytea PRIMARY KEY,
    tag bytea NOT NULL,
    id uuid NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX keys_expires_at ON keys (expires_at);

-- When each firm was asked, by its id. `last` is the number of its last ask among those of all firms: what is above the highest one
-- that an instance knows, others have added. Written under the lock of turns.
CREATE TABLE asks (
    firm text PRIMARY KEY,
    last bigint NOT NULL,
    value bytea NOT NULL
) WITH (fillfactor = 50);

-- When an address was sent confirmations, by a keyed digest of it; times in milliseconds since 1970, 0 for never. Written under the
-- lock of turns.
CREATE TABLE confirmations (
    address bytea PRIMARY KEY,
    times bigint[] NOT NULL,
    last timestamptz NOT NULL
);
CREATE INDEX confirmations_last ON confirmations (last);

-- Counts by day and name.
CREATE TABLE counts (
    day date NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (day, name)
);

-- Subscriptions to the newsletter, by a keyed digest of the address. `value` as `store/subscription_record.rs` writes it; the other
-- columns as those of referrals.
CREATE TABLE subscriptions (
    key uuid PRIMARY KEY,
    value bytea NOT NULL,
    clock_due timestamptz,
    mail_due timestamptz,
    leases bytea
);
CREATE INDEX subscriptions_clock_due ON subscriptions (clock_due) WHERE clock_due IS NOT NULL;
CREATE INDEX subscriptions_mail_due ON subscriptions (mail_due) WHERE mail_due IS NOT NULL;

-- What was erased and when last, ids and times alone: what `erased.jsonl` is beside a file.
CREATE TABLE erased (
    id uuid PRIMARY KEY,
    erased_at timestamptz NOT NULL
);

-- The last batch of each instance's writer and the attempt that was committed: so an instance that has lost its connection behind
-- COMMIT finds out what became of its batch.
CREATE TABLE writers (
    id uuid PRIMARY KEY,
    batch bigint NOT NULL,
    attempt integer NOT NULL,
    seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Certificates by ACME: account, certificates and keys by name, as the files of a data directory; and the challenges under way, which
-- any instance can answer.
CREATE TABLE acme (
    name text PRIMARY KEY,
    content bytea NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE TABLE acme_challenges (
    token text PRIMARY KEY,
    response text NOT NULL,
    expires_at timestamptz NOT NULL
);

-- What clients were let through in the last minute, for limits common to all instances: a limit's name, the client's network, and the
-- times of its requests in microseconds since 1970.
CREATE UNLOGGED TABLE rate_limits (
    name text NOT NULL,
    client text NOT NULL,
    times bigint[] NOT NULL,
    last timestamptz NOT NULL,
    PRIMARY KEY (name, client)
);
CREATE INDEX rate_limits_last ON rate_limits (last);
