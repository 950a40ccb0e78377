import assert from "node:assert/strict";
import { test } from "node:test";
import { deliver, holdBack } from "./delivery.ts";
import { enqueue, FIRST_PAUSE_MS, findQueued, listQueue, postpone, removeQueued } from "./queue.ts";
import { onToastRequest } from "../../enhancements/toast/store.ts";
import { withStorages } from "../../../tests/support/memory-storage.ts";

const REFUSED = new Response('{"code":"x","message":"no"}', { status: 400 });

/** Sets up a queue of inquiries that failed some time ago, and a server that gives these responses in turn. */
function setUp(keys: string[], answers: (Response | (() => Response))[] = [], ago = 1) {
  withStorages();
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  const sent: string[] = [];
  const told: string[] = [];
  const then = Date.now() - ago;
  for (const [index, key] of keys.entries()) {
    const createdAt = new Date(then + index).toISOString();
    enqueue({ key, body: `[${index}]`, createdAt, headers: {} }, then + index);
    const inquiry = findQueued(key);
    if (inquiry) postpone(inquiry, { kind: "unreachable" }, then, 0);
  }
  globalThis.fetch = async (_, init) => {
    sent.push(`${new Headers(init?.headers).get("Idempotency-Key")} ${String(init?.body)}`);
    const answer = answers.shift() ?? new Response(null, { status: 201 });
    return typeof answer === "function" ? answer() : answer;
  };
  onToastRequest((request) => void told.push("show" in request ? request.show.title : ""));
  return { sent, told };
}

test("a refused inquiry is given up, a busy one is kept and paused, even on the next visit", async () => {
  const busy = new Response("{}", { status: 503, headers: { "Retry-After": "90" } });
  const { sent, told } = setUp(["a", "b"], [REFUSED, busy], 10);
  await deliver("page-open");
  await deliver("page-open");
  assert.deepEqual(told, ["Ihre Anfrage wurde nicht angenommen"]);
  assert.equal(sent.length, 2);
  assert.equal(findQueued("b")?.attempts, 2);
});

test("while a page is open an inquiry waits for the end of its pause", async () => {
  for (const [ago, requests] of [
    [1, 0],
    [FIRST_PAUSE_MS, 1],
  ] as const) {
    const { sent } = setUp(["a"], [], ago);
    await deliver("timer");
    assert.equal(sent.length, requests);
  }
});

test("what another tab delivered or withdrew in the meantime is neither sent nor kept", async () => {
  const withdraw = () => {
    ["a", "b"].forEach(removeQueued);
    return new Response(null, { status: 503 });
  };
  const { sent, told } = setUp(["a", "b"], [withdraw], 10);
  await deliver("page-open");
  assert.deepEqual([sent, told, listQueue(Date.now())], [["a [0]"], [], []]);
});

test("inquiries that another tab is sending or the visitor is correcting are skipped, and hold up nothing else", async () => {
  const { sent } = setUp(["a", "b", "c"], [], 10);
  const request = async (name: string, ...rest: unknown[]) =>
    (rest.at(-1) as (lock: object | null) => unknown)(name.endsWith("a") ? null : {});
  Object.assign(navigator, { locks: { request } });
  const letGo = holdBack("b");
  await deliver("page-open");
  assert.deepEqual(sent, ["c [2]"]);
  letGo();
  await deliver("page-open");
  assert.deepEqual(sent, ["c [2]", "b [1]"]);
});
