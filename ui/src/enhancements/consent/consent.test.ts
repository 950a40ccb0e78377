import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { hasMarketingConsent, readCookieSettings } from "./cookie-settings.ts";
import { MemoryStorage, withStorages } from "../../../tests/support/memory-storage.ts";

test("only a stored yes counts as consent, and unreadable settings are logged", () => {
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
});
