import assert from "node:assert/strict";
import { test } from "node:test";
import { subscribe } from "./subscribe.ts";

const LATER = { kind: "refused", message: "Bitte versuchen Sie es später noch einmal." };

const answer = (status: number, body: string | null) =>
  subscribe("aenne@example.de", async () => new Response(body, { status }));

test("the address alone is sent", async () => {
  const requests: Request[] = [];
  const result = await subscribe("aenne@example.de", async (url, init) => {
    requests.push(new Request(new URL(String(url), "http://localhost"), init));
    return new Response(null, { status: 202 });
  });
  assert.deepEqual(result, { kind: "mailed" });
  const [request] = requests;
  assert.ok(request);
  assert.equal(`${request.method} ${new URL(request.url).pathname}`, "POST /rest/v1/newsletter");
  assert.equal(request.headers.get("Content-Type"), "application/json");
  assert.equal(await request.text(), '{"email":"aenne@example.de"}');
});

test("a refusal has the server's message", async () => {
  for (const status of [400, 429, 503]) {
    const body = JSON.stringify({ code: "x", message: "Zu viele Anmeldungen", details: null, hint: null });
    assert.deepEqual(await answer(status, body), { kind: "refused", message: "Zu viele Anmeldungen" });
  }
});

test("whatever else is answered, or nothing, is no success, and shows no page of a proxy", async () => {
  for (const [status, body] of [
    [200, "<h1>Welcome</h1>"],
    [201, null],
    [403, '{"message":"Forbidden"}'],
    [502, "<h1>Bad Gateway</h1>"],
    [400, "null"],
  ] as const) {
    assert.deepEqual(await answer(status, body), LATER, `${status}`);
  }
  assert.deepEqual(await subscribe("a@b.de", () => Promise.reject(new TypeError("Failed to fetch"))), LATER);
});
