import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { isPrivateAddress, isPrivatePath, readPrivatePage } from "./private-page.ts";

/** Where the server knows its private pages from. */
const SERVERS = resolve(import.meta.dirname, "../../../src/site/private_path.rs");

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

test("every page that the server gives a token is private, also as an address", async () => {
  const code = await readFile(SERVERS, "utf8");
  // What precedes a token, and photos, which follow one.
  const all = [...code.matchAll(/^const \w+: &str = "(\/.*\/)";$/gm)].map(([, base = ""]) => base);
  const bases = all.filter((base) => base !== "/foto/");
  assert.ok(bases.length >= 4, String(bases));
  // Photos are below the page of an inquiry, after its token.
  for (const base of bases.filter((base) => base !== "/foto/")) {
    assert.ok(isPrivatePath(base + TOKEN), base);
    assert.ok(isPrivateAddress(`https://example.com${base}${TOKEN}?gespeichert`), base);
  }
  assert.ok(isPrivateAddress(`https://example.com/danke?anfrage=${TOKEN}`));
  for (const address of ["", "about:blank", "https://example.com/danke", "https://example.com/newsletter/"])
    assert.equal(isPrivateAddress(address), false, address);
});
