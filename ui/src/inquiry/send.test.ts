import assert from "node:assert/strict";
import { test } from "node:test";
import { send, type SendResult } from "./send.ts";
import { submissionFor } from "./submission.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

/** Returns the result of a submission that gets this answer. */
function resultOf(status: number, body: string | null, headers: Record<string, string> = {}): Promise<SendResult> {
  globalThis.fetch = async () => new Response(body, { status, headers });
  return send(submissionFor(ANSWERS, null, {}));
}

test("201 is stored, with the end of the id as reference, and no link but that of a private page", async () => {
  const page = "/anfrage/Zm9vYmFyYmF6cXV4-_0123";
  const record = JSON.stringify([{ id: "0195cf3e-6d1c-7c3f-8a54-1f2e3d4c5b6a" }]);
  const stored = { kind: "stored", reference: null, privatePage: null, firmsAsked: false };
  for (const [body, headers, expected] of [
    [record, {}, { reference: "1f2e3d4c5b6a" }],
    [null, {}, {}],
    ["[]", {}, {}],
    [null, { "Firms-Asked": "?1" }, { firmsAsked: true }],
    [null, { "Firms-Asked": "?0" }, {}],
    [null, { "Firms-Asked": "1" }, {}],
    [null, { Location: page }, { privatePage: page }],
    [null, { Location: `https://example.com${page}` }, {}],
    [null, { Location: "javascript:alert(1)" }, {}],
  ] as const) {
    assert.deepEqual(await resultOf(201, body, headers), { ...stored, ...expected }, JSON.stringify(headers));
  }
});

test("4xx is refused with the server's message; of a proxy, a firewall or a hotel's network it is no refusal", async () => {
  const refused = await resultOf(400, JSON.stringify({ code: "invalid", message: "Ungültige Telefonnummer" }));
  assert.deepEqual(refused, { kind: "refused", message: "Ungültige Telefonnummer" });
  for (const body of [
    "<h1>Forbidden</h1>",
    null,
    "{}",
    '{"message":"Forbidden"}',
    '{"code":403,"message":"Forbidden"}',
  ]) {
    for (const status of [400, 403, 404, 413]) {
      assert.deepEqual(await resultOf(status, body), { kind: "unreachable" }, `${status} ${body}`);
    }
  }
});

test("408, 429 and 5xx are busy, and Retry-After is understood as seconds and as a date", async () => {
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
