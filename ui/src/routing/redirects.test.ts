import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectFor } from "./redirects.ts";

test("all that the server can answer for itself leads nowhere else", () => {
  for (const path of ["/", "/faq", "/faq/", "/sitemap", "/fragebogen", "/fragebogen/", "/blog/neu", "/sitemap/mehr"]) {
    assert.equal(redirectFor(path), null, path);
  }
});

test("a path that ends in .xml is loaded from the server, lower-cased", () => {
  assert.deepEqual(redirectFor("/Sitemap.xml"), { to: "/sitemap.xml", by: "browser" });
  assert.deepEqual(redirectFor("/SITEMAP-DIRECT.XML"), { to: "/sitemap-direct.xml", by: "browser" });
  assert.deepEqual(redirectFor("/blog/unbekannt.Xml"), { to: "/blog/unbekannt.xml", by: "browser" });
});

test("other spellings of sitemap lead to the XML file", () => {
  for (const path of ["/Sitemap", "/sitemaps", "/sitemap/", "/sitemap_index"]) {
    assert.deepEqual(redirectFor(path), { to: "/sitemap.xml", by: "browser" }, path);
  }
});

test("the questionnaire opens in any letter case", () => {
  assert.deepEqual(redirectFor("/FrageBogen"), { to: "/fragebogen", by: "router" });
});
