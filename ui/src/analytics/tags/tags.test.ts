import assert from "node:assert/strict";
import { test } from "node:test";
import { hasMarketingConsent } from "../../enhancements/consent/cookie-settings.ts";
import { scriptUrl } from "./tag-manager.ts";
import { brokenStorage, MemoryStorage } from "../../../tests/support/memory-storage.ts";

test("only a stored yes to marketing is a consent", () => {
  const storage = new MemoryStorage();
  assert.equal(hasMarketingConsent(storage, []), false);
  for (const text of ["", "{", "null", "true", '{"marketing":"true"}', '{"marketing":false,"analytics":true}']) {
    storage.setItem("cookieSettings", text);
    assert.equal(hasMarketingConsent(storage, []), false, text);
  }
  storage.setItem("cookieSettings", '{"necessary":true,"marketing":true}');
  assert.equal(hasMarketingConsent(storage, []), true);
  assert.equal(hasMarketingConsent(null, []), false);
  assert.equal(hasMarketingConsent(brokenStorage(), []), false);
});

test("containers and plain tags come from their own loaders", () => {
  assert.equal(scriptUrl("GTM-ABC123"), "https://www.googletagmanager.com/gtm.js?id=GTM-ABC123");
  assert.equal(scriptUrl("AW-1/2"), "https://www.googletagmanager.com/gtag/js?id=AW-1%2F2");
});
