import assert from "node:assert/strict";
import { test } from "node:test";
import { countStep } from "./counts.ts";

/** Gives the code under test a browser and its page, and returns what it sends to a server that is away. */
function setUp(navigator: object, demo = false): Request[] {
  const requests: Request[] = [];
  Object.assign(globalThis, {
    window: { navigator },
    document: { getElementById: () => ({ textContent: JSON.stringify({ demo }) }) },
    fetch: async (url: string, init: RequestInit) => {
      requests.push(new Request(new URL(url, "http://localhost"), init));
      throw new TypeError("Failed to fetch");
    },
  });
  return requests;
}

test("a step is counted once, with its number and nothing else, and a server that is away is nobody's error", async () => {
  const requests = setUp({});
  for (const step of [0, 1, 0, 1, 2, 1]) countStep(step);
  assert.deepEqual(await Promise.all(requests.map((request) => request.text())), [
    '{"step":0}',
    '{"step":1}',
    '{"step":2}',
  ]);
  const [first] = requests;
  assert.equal(`${first?.method} ${first?.url}`, "POST http://localhost/rest/v1/steps");
  assert.deepEqual([...(first?.headers ?? [])], [["content-type", "application/json"]]);
  assert.deepEqual([first?.credentials, first?.keepalive], ["omit", true]);
});

test("a visitor who objects is not counted, nor is anybody in a demo", () => {
  for (const [index, [navigator, isDemo, count]] of (
    [
      [{ globalPrivacyControl: true }, false, 0],
      [{ doNotTrack: "1" }, false, 0],
      [{}, true, 0],
      [{ globalPrivacyControl: false, doNotTrack: "unspecified" }, false, 1],
      [{ doNotTrack: null }, false, 1],
      [{ doNotTrack: "0" }, false, 1],
    ] as const
  ).entries()) {
    const requests = setUp(navigator, isDemo);
    countStep(100 + index);
    assert.equal(requests.length, count, JSON.stringify([navigator, isDemo]));
  }
});
