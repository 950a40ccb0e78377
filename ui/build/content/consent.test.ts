import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { CONTENT } from "../../tests/support/content.ts";
import newest from "../../generated/consent.json" with { type: "json" };
import { newestConsent, readConsent } from "./consent.ts";

/** SHA-256 of every wording that visitors have agreed to. A new one adds a line; existing lines never change. */
const DIGESTS: readonly string[] = [
  "080da9b3da2cba99e3ebdf1589bdc4ec14c0eb23b7ec6ceea95939d1221aac03",
  "a8d07ec6f917664bcfead1b3f9f54ba0934e6035498969354f1fc1a836df9b89",
  "a9513308319f77e099aa41561adae0f98f48b98fd3b8a8ff00b75ddb4764f956",
];

const wordings = await readConsent(join(CONTENT, "consent.toml"));

test("what visitors have agreed to is kept word for word", () => {
  const digests = wordings.map(({ text }) => createHash("sha256").update(text).digest("hex"));
  assert.deepEqual(digests, DIGESTS, "give another wording the next version, and add its digest here");
});

test("the form shows the newest wording for each kind of mediation", () => {
  assert.deepEqual([newest.version, newest.by_hand.version], [2, 3]);
  assert.deepEqual(newest, newestConsent(wordings));
});

test("the newest wordings say who calls, why, and where the callers are named", () => {
  assert.match(newest.text, /bis zu drei Fachbetriebe, die Ihre persönliche Seite .*anrufen.*Angebot.*widerrufen/);
  assert.match(newest.by_hand.text, /wir, der im Impressum genannte Betreiber.*anrufen.*besprechen.*Seite.*widerrufen/);
});

test("a wording is one sentence about calls and mails, and says that it can be withdrawn", () => {
  for (const { text, by_hand } of wordings) {
    assert.match(text, /^[^.]+\.$/);
    assert.match(text, /anrufen.*E-Mail.*widerrufen/);
    assert.equal(text.includes("bis zu drei Fachbetriebe"), !by_hand);
  }
});
