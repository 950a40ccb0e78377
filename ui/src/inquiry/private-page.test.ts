import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivatePath, readPrivatePage } from "./private-page.ts";

const TOKEN = "Zm9vYmFyYmF6cXV4-_0123";

test("only the path of a visitor's page with a whole token becomes a link", () => {
  assert.equal(readPrivatePage(`/anfrage/${TOKEN}`), `/anfrage/${TOKEN}`);
  for (const value of [
    null,
    1,
    "",
    "/anfrage/",
    "/anfrage/short",
    `/anfrage/${TOKEN}/..`,
    `/anfrage/${TOKEN}?a=b`,
    `/betrieb/${TOKEN}`,
    `//anfrage/${TOKEN}`,
    `https://example.com/anfrage/${TOKEN}`,
    `javascript:alert(1)//anfrage/${TOKEN}`,
    ` /anfrage/${TOKEN}`,
    `/anfrage/${TOKEN}\n`,
  ]) {
    assert.equal(readPrivatePage(value), null, String(value));
  }
});

test("the pages of visitors and of firms are private", () => {
  assert.deepEqual([`/anfrage/${TOKEN}`, `/betrieb/${TOKEN}`, "/anfrage", "/", "/blog/anfrage/x"].map(isPrivatePath), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
