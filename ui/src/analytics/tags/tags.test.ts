import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptUrl } from "./tag-manager.ts";

test("containers and plain tags come from their own loaders", () => {
  assert.equal(scriptUrl("GTM-ABC123"), "https://www.googletagmanager.com/gtm.js?id=GTM-ABC123");
  assert.equal(scriptUrl("AW-1/2"), "https://www.googletagmanager.com/gtag/js?id=AW-1%2F2");
});
