import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { CHOICES, hasChosen, hasMarketingConsent, readCookieSettings, storeChoice } from "./cookie-settings.ts";
import { brokenStorage, MemoryStorage, withStorages } from "../../../tests/support/memory-storage.ts";

test("only a stored yes is a consent, and a choice that cannot be read is logged", () => {
  const warn = mock.method(console, "warn", () => {});
  for (const [text, isMarketing] of [
    [null, false],
    ["null", false],
    ["true", false],
    ["{", false],
    ["", false],
    ['{"marketing":"true","necessary":false}', false],
    ['{"marketing":false,"analytics":true}', false],
    ['{"necessary":true,"marketing":true}', true],
  ] as const) {
    const storage = new MemoryStorage();
    if (text !== null) storage.setItem("cookieSettings", text);
    withStorages(storage);
    assert.equal(hasMarketingConsent([]), isMarketing, String(text));
    assert.equal(readCookieSettings().necessary, true);
  }
  assert.equal(warn.mock.callCount(), 4, "twice for each of two");
  withStorages(brokenStorage());
  assert.deepEqual(readCookieSettings(), CHOICES.rejected);
});

test("a choice is kept under the specified keys, for the tags that it was made about and no others", () => {
  const storage = new MemoryStorage();
  withStorages(storage);
  const holds = (...tags: string[]) => [hasChosen(tags), hasMarketingConsent(tags)];
  assert.deepEqual(holds(), [false, false]);
  storeChoice(CHOICES.accepted, "accepted", ["GTM-A", "AW-1/a"]);
  assert.deepEqual(JSON.parse(storage.getItem("cookieSettings") ?? ""), CHOICES.accepted);
  assert.equal(storage.getItem("cookieConsent"), "accepted");
  assert.equal(storage.getItem("cookieTags"), "GTM-A AW-1/a");
  for (const tags of [[], ["GTM-A"], ["GTM-A", "AW-1/a"]]) assert.deepEqual(holds(...tags), [true, true], tags.join());
  for (const tags of [["GTM-AB"], ["GTM-A", "AW-1/b"]]) assert.deepEqual(holds(...tags), [false, false], tags.join());
  // Asked again without tags, the visitor has no longer agreed to the one of before.
  storeChoice(CHOICES.accepted, "accepted", []);
  assert.deepEqual(holds("GTM-A"), [false, false]);
  // An old choice without tags holds where there are none.
  storage.removeItem("cookieTags");
  assert.deepEqual([holds(), holds("GTM-A")].flat(), [true, true, false, false]);
});
