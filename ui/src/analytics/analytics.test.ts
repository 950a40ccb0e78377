import assert from "node:assert/strict";
import { test } from "node:test";
import { countStep } from "./counts.ts";
import { scriptUrl } from "./tags/tag-manager.ts";

/** Mocks the browser and its page for the code under test, and returns the addresses that receive a request. */
function setUp(navigator: object, demo: boolean): string[] {
  const requests: string[] = [];
  Object.assign(globalThis, {
    window: { navigator },
    document: { getElementById: () => ({ textContent: JSON.stringify({ demo }) }) },
    fetch: async (url: string) => {
      requests.push(url);
      return new Response();
    },
  });
  return requests;
}

test("visitors who object are not counted, nor is anyone in a demo", () => {
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

test("containers and plain tags come from their own loaders", () => {
  assert.equal(scriptUrl("GTM-ABC123"), "https://www.googletagmanager.com/gtm.js?id=GTM-ABC123");
  assert.equal(scriptUrl("AW-1/2"), "https://www.googletagmanager.com/gtag/js?id=AW-1%2F2");
});
