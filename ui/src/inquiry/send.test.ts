import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { CONSENT } from "./rules.ts";
import { send, SEND_TIMEOUT_MS, type SendResult } from "./send.ts";
import { type Submission, submissionFor } from "./submission.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SUBMISSION = submissionFor(ANSWERS, null, NOW);

/** Returns the result of a submission that gets this answer. */
function resultOf(status: number, body: string | null, headers: Record<string, string> = {}): Promise<SendResult> {
  return send(SUBMISSION, { fetch: async () => new Response(body, { status, headers }), now: () => NOW });
}

test("the request is what the server wants to see", async () => {
  const requests: Request[] = [];
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    requests.push(new Request(new URL(String(url), "http://localhost"), init));
    return new Response(null, { status: 201 });
  };
  await send(SUBMISSION, { fetch, now: () => NOW });
  const [request] = requests;
  assert.ok(request);
  assert.equal(request.method, "POST");
  assert.equal(new URL(request.url).pathname, "/rest/v1/inquiries");
  assert.equal(request.headers.get("Content-Type"), "application/json");
  assert.equal(request.headers.get("Idempotency-Key"), SUBMISSION.key);
  assert.equal(request.headers.get("Prefer"), "return=representation");
  assert.ok(request.keepalive, "it goes on when the tab is closed");
  assert.equal(await request.text(), SUBMISSION.body);
});

test("additions and consent go along in headers, and an inquiry that has lost them without", async () => {
  const headersFor = async (submission: Submission) => {
    let sent = new Headers();
    const fetch = async (_url: RequestInfo | URL, init?: RequestInit) => {
      sent = new Headers(init?.headers);
      return new Response(null, { status: 201 });
    };
    await send(submission, { fetch, now: () => NOW });
    return [sent.get("Form-Additions"), sent.get("Form-Consent")];
  };
  const [additions, consent] = await headersFor(SUBMISSION);
  assert.match(additions ?? "", /^[!-~]+$/);
  assert.equal(decodeURIComponent(additions ?? ""), "Gebäude: Haus\nProblem: Federn im Lüftungsschacht");
  assert.equal(consent, String(CONSENT.version));
  const { key, body, createdAt } = SUBMISSION;
  assert.deepEqual(await headersFor({ key, body, createdAt }), [null, null]);
  assert.deepEqual(await headersFor({ key, body, createdAt, additions: "", consent: 1 }), [null, "1"]);
});

test("how the form was filled in goes along in headers, and an inquiry that has lost it without", async () => {
  const headersFor = async (submission: Submission) => {
    let sent = new Headers();
    const fetch = async (_url: RequestInfo | URL, init?: RequestInit) => {
      sent = new Headers(init?.headers);
      return new Response(null, { status: 201 });
    };
    await send(submission, { fetch, now: () => NOW });
    return [sent.get("Form-Fill-Time"), sent.get("Form-Trap")];
  };
  assert.deepEqual(await headersFor(SUBMISSION), [null, null]);
  const reported = (isTrapFilled: boolean) => submissionFor(ANSWERS, null, NOW, { fillTime: 41_250, isTrapFilled });
  assert.deepEqual(await headersFor(reported(false)), ["41250", null]);
  assert.deepEqual(await headersFor(reported(true)), ["41250", "filled"]);
});

test("201 is stored; the reference is the end of the id where one is given", async () => {
  const record = JSON.stringify([{ id: "0195cf3e-6d1c-7c3f-8a54-1f2e3d4c5b6a" }]);
  const stored = (reference: string | null, firmsAsked = false) => ({
    kind: "stored",
    reference,
    privatePage: null,
    firmsAsked,
  });
  assert.deepEqual(await resultOf(201, record), stored("1f2e3d4c5b6a"));
  assert.deepEqual(await resultOf(201, null), stored(null));
  assert.deepEqual(await resultOf(201, "[]"), stored(null));
  for (const [header, isAsked] of [
    ["?1", true],
    ["?0", false],
    ["1", false],
  ] as const)
    assert.deepEqual(await resultOf(201, null, { "Firms-Asked": header }), stored(null, isAsked));
});

test("the Location of a 201 is the visitor's private page, and nothing else becomes a link", async () => {
  const page = "/anfrage/Zm9vYmFyYmF6cXV4-_0123";
  const pageAt = async (location: string) => {
    const result = await resultOf(201, null, { Location: location });
    return result.kind === "stored" ? result.privatePage : assert.fail();
  };
  assert.equal(await pageAt(page), page);
  for (const location of ["https://example.com/anfrage/x", "/", "/anfrage/", "javascript:alert(1)"]) {
    assert.equal(await pageAt(location), null, location);
  }
});

test("4xx is refused with the server's message", async () => {
  const refused = await resultOf(400, JSON.stringify({ code: "invalid", message: "Ungültige Telefonnummer" }));
  assert.deepEqual(refused, { kind: "refused", message: "Ungültige Telefonnummer" });
});

test("4xx of anybody else is no refusal: a proxy, a firewall, a hotel's network", async () => {
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

test("a request that arrived too slowly is sent again", async () => {
  const body = JSON.stringify({ code: "timeout", message: "Zu langsam" });
  assert.deepEqual(await resultOf(408, body), { kind: "busy", message: "Zu langsam", waitMs: null });
});

test("429 and 5xx are busy, and Retry-After is understood as seconds and as a date", async () => {
  const body = JSON.stringify({ message: "Zu viele Anfragen" });
  const busy = (waitMs: number | null) => ({ kind: "busy", message: "Zu viele Anfragen", waitMs });
  assert.deepEqual(await resultOf(429, body, { "Retry-After": "30" }), busy(30_000));
  assert.deepEqual(await resultOf(503, body, { "Retry-After": new Date(NOW + 5000).toUTCString() }), busy(5000));
  assert.deepEqual(await resultOf(503, body, { "Retry-After": new Date(0).toUTCString() }), busy(0));
  assert.deepEqual(await resultOf(500, body, { "Retry-After": "soon" }), busy(null));
});

test("no answer, and an answer the server would not give, are unreachable", async () => {
  const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  assert.deepEqual(await send(SUBMISSION, { fetch, now: () => NOW }), { kind: "unreachable" });
  // A hotel's login page.
  assert.deepEqual(await resultOf(200, "<h1>Welcome</h1>"), { kind: "unreachable" });
});

test("an answer that takes too long is given up", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const fetch = (_url: RequestInfo | URL, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
  const result = send(SUBMISSION, { fetch, now: () => NOW });
  mock.timers.tick(SEND_TIMEOUT_MS);
  assert.deepEqual(await result, { kind: "unreachable" });
  mock.timers.reset();
});
