-- Schema 3: referrals hold mails about many inquiries and to firms that have accepted, and `meta` says which firms are paused
-- (`paused:` and the firm's id; milliseconds since 1970, the largest number where there is no end). Programs of an older schema would
-- not read the former, and would ask the latter.
SELECT 1;
