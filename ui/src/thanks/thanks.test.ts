import assert from "node:assert/strict";
import { test } from "node:test";
import { hasMarketingConsent } from "../consent/cookie-settings.ts";
import { scriptUrl } from "../tags/tag-manager.ts";
import { arrivalState, readArrival } from "./arrival.ts";
import { brokenStorage, MemoryStorage } from "../../tests/support/memory-storage.ts";

test("the thank-you page knows how a visitor came", () => {
  assert.deepEqual(readArrival(arrivalState.submitted("key", "1f2e3d4c5b6a")), {
    kind: "submitted",
    key: "key",
    reference: "1f2e3d4c5b6a",
  });
  assert.deepEqual(readArrival(arrivalState.submitted("key", null)), {
    kind: "submitted",
    key: "key",
    reference: null,
  });
  // What an earlier version wrote.
  assert.deepEqual(readArrival({ submitted: true, reference: "1f2e3d4c5b6a" }), {
    kind: "submitted",
    key: "",
    reference: "1f2e3d4c5b6a",
  });
  // What `inline/sent.js` writes.
  const privatePage = "/anfrage/Zm9vYmFyYmF6cXV4-_0123";
  assert.deepEqual(readArrival({ posted: true, reference: "1f2e3d4c5b6a", privatePage }), {
    kind: "posted",
    reference: "1f2e3d4c5b6a",
    privatePage,
  });
  assert.deepEqual(readArrival({ posted: true, privatePage: "https://example.com" }), {
    kind: "posted",
    reference: null,
    privatePage: null,
  });
  assert.deepEqual(readArrival(arrivalState.pending("key")), { kind: "pending", key: "key" });
  assert.deepEqual(readArrival(arrivalState.failed), { kind: "failed" });
  for (const state of [null, undefined, "submitted", {}, { submitted: "yes" }, { anchorDelay: 300 }]) {
    assert.deepEqual(readArrival(state), { kind: "direct" });
  }
});

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
