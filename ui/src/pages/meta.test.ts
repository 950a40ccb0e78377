import assert from "node:assert/strict";
import { test } from "node:test";
import { articleDescription } from "./page-meta.ts";
import { address, Expression, toTemplate } from "./template-json.ts";

test("a short excerpt is replaced by a sentence with the title", () => {
  const title = "Spikes";
  const thirty = "x".repeat(30);
  assert.equal(articleDescription({ title, excerpt: thirty }), "Ratgeber zur Taubenabwehr in Hamburg: Spikes");
  assert.equal(articleDescription({ title, excerpt: `${thirty}x` }), `${thirty}x`);
});

test("JSON in a template is safe in HTML and free of template syntax", () => {
  assert.equal(toTemplate({ a: "</script>{{ x }}" }), '{"a":"\\u003c/script\\u003e\\u007b{ x }}"}');
  assert.equal(toTemplate([address("/faq"), null]), '[{{ (origin ~ "/faq") | tojson }},null]');
  assert.equal(
    toTemplate({ a: 1, b: new Expression("site.a", "site.b"), c: 1 }),
    '{"a":1{% if site.b %},"b":{{ (site.a) | tojson }}{% endif %},"c":1}',
  );
});
