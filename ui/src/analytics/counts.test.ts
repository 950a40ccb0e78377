import assert from "node:assert/strict";
import { test } from "node:test";
import { type CountingBrowser, createStepCounter } from "./counts.ts";

/** A browser that records what it sends, and a server that may not answer. */
function setUp(navigator: CountingBrowser["navigator"] = {}, isReachable = true) {
  const requests: Request[] = [];
  const fetch: CountingBrowser["fetch"] = async (url, init) => {
    requests.push(new Request(new URL(String(url), "http://localhost"), init));
    if (!isReachable) throw new TypeError("Failed to fetch");
    return new Response(null, { status: 204 });
  };
  return { requests, browser: { fetch, navigator } };
}

test("a step is counted once, with its number and nothing else", async () => {
  const { requests, browser } = setUp();
  const counter = createStepCounter({ demo: false }, browser);
  for (const step of [0, 1, 0, 1, 2, 1]) counter.reach(step);
  assert.deepEqual(await Promise.all(requests.map((request) => request.text())), [
    '{"step":0}',
    '{"step":1}',
    '{"step":2}',
  ]);
  const [first] = requests;
  assert.ok(first);
  assert.equal(`${first.method} ${new URL(first.url).pathname}`, "POST /rest/v1/steps");
  assert.deepEqual([...first.headers], [["content-type", "application/json"]]);
  assert.equal(first.credentials, "omit");
  assert.ok(first.keepalive);
});

test("another view of the questionnaire counts anew", () => {
  const { requests, browser } = setUp();
  for (const _ of [1, 2]) createStepCounter({ demo: false }, browser).reach(0);
  assert.equal(requests.length, 2);
});

test("a visitor who objects is not counted, nor is anybody in a demo or before the settings are known", () => {
  for (const [settings, navigator, count] of [
    [{ demo: false }, { globalPrivacyControl: true }, 0],
    [{ demo: false }, { doNotTrack: "1" }, 0],
    [{ demo: true }, {}, 0],
    [null, {}, 0],
    [{ demo: false }, { globalPrivacyControl: false, doNotTrack: "unspecified" }, 1],
    [{ demo: false }, { doNotTrack: null }, 1],
    [{ demo: false }, { doNotTrack: "0" }, 1],
  ] as const) {
    const { requests, browser } = setUp(navigator);
    createStepCounter(settings, browser).reach(0);
    assert.equal(requests.length, count, JSON.stringify([settings, navigator]));
  }
});

test("a server that cannot be reached is nobody's error", async () => {
  const { requests, browser } = setUp({}, false);
  createStepCounter({ demo: false }, browser).reach(0);
  assert.equal(requests.length, 1);
  // An unhandled rejection would end the test run.
  await new Promise((resolve) => setImmediate(resolve));
});
