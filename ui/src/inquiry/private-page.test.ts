import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { isPrivateAddress, readPrivatePage } from "./private-page.ts";

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

test("every page that the server gives a token is private, also as an address", async () => {
  const code = await readFile(SERVERS, "utf8");
  const segments = new Map(
    [...code.matchAll(/^const (\w+): &str = "(\w+)";$/gm)].map(([, name, text]) => [name, text]),
  );
  const written = [...code.matchAll(/format!\("((?:\/\{\w+\})+\/)\{token\}/g)].map(([, path = ""]) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => segments.get(name) ?? ""),
  );
  const bases = new Set(written);
  assert.ok(bases.size >= 4, [...bases].join(" "));
  for (const base of bases) {
    assert.ok(isPrivateAddress(`https://example.com${base}${TOKEN}?gespeichert`), base);
  }
  assert.ok(isPrivateAddress(`https://example.com/danke?anfrage=${TOKEN}`));
  for (const address of ["", "about:blank"]) assert.equal(isPrivateAddress(address), false, address);
  for (const path of ["/anfrage", "/", "/blog/anfrage/x", "/danke", "/newsletter/"])
    assert.equal(isPrivateAddress(`https://example.com${path}`), false, path);
});
