import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "./send.ts";
import { submissionFor } from "./submission.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

/** Returns the result of a submission that gets this answer. */
function resultOf(status: number, body: string, headers: Record<string, string>) {
  globalThis.fetch = async () => new Response(body, { status, headers });
  return send(submissionFor(ANSWERS, null, {}));
}

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
