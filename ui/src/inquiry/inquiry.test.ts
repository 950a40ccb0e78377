import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import additions from "../../../tests/cases/additions.json" with { type: "json" };
import validation from "../../../tests/cases/validation.json" with { type: "json" };
import { ANSWERS } from "../../tests/support/answers.ts";
import { additionsOf } from "./additions.ts";
import { NO_ANSWERS } from "./answers.ts";
import { OTHER, PROPERTY_OPTIONS } from "./options.ts";
import { isPrivateAddress, readPrivatePage } from "./private-page.ts";
import { LIMITS } from "./rules.ts";
import { send } from "./send.ts";
import { isSubmissionOf, KEY_LIFETIME_MS, submissionFor } from "./submission.ts";
import { isEmail, isName, isPhone, isPostalCode } from "./validation.ts";

const rules: Record<keyof typeof validation, (input: string) => boolean> = {
  postal_code: isPostalCode,
  phone: isPhone,
  email: isEmail,
  name: isName,
};

for (const [name, cases] of Object.entries(validation) as [keyof typeof rules, typeof validation.name][]) {
  test(`${name}: accepts exactly what the server accepts`, () => {
    for (const { input, valid, why } of cases)
      assert.equal(rules[name](input), valid, `${JSON.stringify(input)}: ${why}`);
  });
}

test("answers become the same words as on the server", () => {
  for (const { property, problem, location, additions: expected, why } of additions) {
    const option = PROPERTY_OPTIONS.find(({ id }) => id === property);
    const answers = {
      ...NO_ANSWERS,
      propertyType: option?.type ?? "residential",
      propertySubType: option?.subtype ?? "",
      problems: problem === null ? [] : [OTHER],
      problemOther: problem ?? "",
      locations: location === null ? [] : [OTHER],
      locationOther: location ?? "",
    };
    assert.equal(additionsOf(answers), expected, why);
  }
});

/** The server's limit for `Angaben ergänzen`, in characters. */
const CONTRACT_LIMIT = 2_000;
/** The longest header line that nginx and Apache accept, in bytes. */
const LINE_LIMIT = 8_192;

const other = { problems: [OTHER], locations: [OTHER] };

test("what cannot be written in a header does not get into it", () => {
  const answers = { ...NO_ANSWERS, ...other, problemOther: "a\u0000b\r\nc\ud800d" };
  assert.equal(additionsOf(answers), "Problem: a b  c d");
  const split = { ...NO_ANSWERS, ...other, problemOther: `${"x".repeat(LIMITS.free_text - 1)}🐦` };
  assert.equal(additionsOf(split), `Problem: ${"x".repeat(LIMITS.free_text - 1)}`);
});

test("the longest texts fit the server's limit, and a header line that proxies accept", () => {
  for (const character of ["x", "ü", "€", "🐦"]) {
    const text = character.repeat(2 * LIMITS.free_text);
    // Derives the text fields from the form, so that new ones are included.
    const texts = Object.entries(NO_ANSWERS).filter(([, answer]) => typeof answer === "string");
    const longTexts = Object.fromEntries(texts.map(([name]) => [name, text]));
    for (const { type, subtype } of PROPERTY_OPTIONS) {
      const answers = {
        ...other,
        ...longTexts,
        propertyType: type,
        propertySubType: subtype,
      };
      const additions = additionsOf({ ...NO_ANSWERS, ...answers });
      assert.ok([...additions].length <= CONTRACT_LIMIT);
      assert.ok(`Form-Additions: ${encodeURIComponent(additions)}\r\n`.length <= LINE_LIMIT, character);
    }
  }
});

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SIGNALS = { "Form-Fill-Time": "41250" };
const FIRST = submissionFor(ANSWERS, null, SIGNALS, NOW);

test("repeating the same answers repeats the submission, key and time included, until the server may have forgotten it", () => {
  const again = (ms: number) => submissionFor(ANSWERS, FIRST, { "Form-Fill-Time": "9" }, NOW + ms);
  assert.deepEqual(again(60_000), FIRST);
  assert.deepEqual(again(KEY_LIFETIME_MS), FIRST);
  const later = again(KEY_LIFETIME_MS + 1);
  assert.notEqual(later.key, FIRST.key);
  assert.notEqual(later.body, FIRST.body, "nor is the time of the first one");
});

test("other answers or additions are another submission, because the server would treat them as a repetition", () => {
  for (const [changes, isSame] of [
    [{ locationOther: "not chosen, so not sent" }, true],
    [{ postalCode: "20097" }, false],
    [{ firstName: "Anna" }, false],
    [{ problemOther: "Eier" }, false],
    [{ propertySubType: "apartment" }, false],
  ] as const) {
    const answers = { ...ANSWERS, ...changes };
    assert.equal(isSubmissionOf(FIRST, answers), isSame, JSON.stringify(changes));
    assert.equal(submissionFor(answers, FIRST, SIGNALS, NOW).key === FIRST.key, isSame, JSON.stringify(changes));
  }
});

/** Returns the result of a submission that gets this response. */
function resultOf(status: number, body: string, headers: Record<string, string>) {
  globalThis.fetch = async () => new Response(body, { status, headers });
  return send(submissionFor(ANSWERS, null, {}));
}

test("408, 429 and 5xx are busy, and Retry-After may be seconds or a date", async () => {
  const body = JSON.stringify({ message: "Zu viele Anfragen" });
  for (const [status, after, waitMs] of [
    [408, null, 0],
    [429, "30", 30_000],
    [503, new Date(0).toUTCString(), 0],
    [500, "soon", 0],
  ] as const) {
    const headers: Record<string, string> = after === null ? {} : { "Retry-After": after };
    assert.deepEqual(await resultOf(status, body, headers), { kind: "busy", message: "Zu viele Anfragen", waitMs });
  }
  const dated = await resultOf(503, body, { "Retry-After": new Date(Date.now() + 60_000).toUTCString() });
  assert.ok(dated.kind === "busy" && dated.waitMs > 50_000 && dated.waitMs <= 60_000);
});

/** The server's definition of private paths. */
const SERVERS = resolve(import.meta.dirname, "../../../src/site/private_path.rs");

const TOKEN = "Zm9vYmFyYmF6cXV4-_0123";

test("only the path of a visitor's page with a complete token becomes a link", () => {
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

test("every page whose address the server gives a token is private", async () => {
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
