import assert from "node:assert/strict";
import { mock, test } from "node:test";
import {
  EVERYTHING,
  hasChosen,
  hasMarketingConsent,
  NECESSARY_ONLY,
  readCookieSettings,
  storeCookieSettings,
  tagIds,
} from "./cookie-settings.ts";
import { MemoryStorage } from "../../../tests/support/memory-storage.ts";

const holding = (value: string | null) => ({ getItem: () => value });

test("without a stored choice only what is necessary is allowed", () => {
  assert.deepEqual(readCookieSettings(null), NECESSARY_ONLY);
  assert.deepEqual(readCookieSettings(holding(null)), NECESSARY_ONLY);
  assert.deepEqual(readCookieSettings(holding("null")), NECESSARY_ONLY);
  assert.deepEqual(readCookieSettings(holding('{"marketing":"yes","necessary":false}')), NECESSARY_ONLY);
});

test("a choice that cannot be read is only logged", () => {
  const warn = mock.method(console, "warn", () => {});
  assert.deepEqual(readCookieSettings(holding("{")), NECESSARY_ONLY);
  assert.equal(hasMarketingConsent(holding("{"), []), false);
  assert.equal(warn.mock.callCount(), 2);
});

test("a choice is kept under the specified keys", () => {
  const kept = new Map<string, string>();
  storeCookieSettings({ setItem: (key, value) => void kept.set(key, value) }, EVERYTHING, "accepted", [
    "GTM-A",
    "AW-1/a",
  ]);
  assert.deepEqual(JSON.parse(kept.get("cookieSettings") ?? ""), EVERYTHING);
  assert.equal(kept.get("cookieConsent"), "accepted");
  assert.equal(kept.get("cookieTags"), "GTM-A AW-1/a");
  assert.deepEqual(readCookieSettings(holding(kept.get("cookieSettings") ?? null)), EVERYTHING);
});

test("a choice holds for the tags that it was made about, and for no others", () => {
  const tags = (manager: string | null, conversion: string | null) =>
    tagIds({ tag_manager: manager, conversion, banner: "auto" });
  const store = new MemoryStorage();
  const holds = (ids: string[]) => [hasChosen(store, ids), hasMarketingConsent(store, ids)];
  assert.deepEqual(holds([]), [false, false]);
  storeCookieSettings(store, EVERYTHING, "accepted", tags("GTM-A", null));
  assert.deepEqual(holds(tags("GTM-A", null)), [true, true]);
  assert.deepEqual(holds(tags(null, null)), [true, true]);
  for (const other of [tags("GTM-AB", null), tags("GTM-A", "AW-1/a"), tags(null, "AW-1/a")])
    assert.deepEqual(holds(other), [false, false], other.join(" "));
  // Asked again without tags, the visitor has no longer agreed to the one of before.
  storeCookieSettings(store, EVERYTHING, "accepted", []);
  assert.deepEqual(holds(tags("GTM-A", null)), [false, false]);
});

test("an old choice without tags holds where there are none", () => {
  const store = new MemoryStorage();
  store.setItem("cookieSettings", JSON.stringify(EVERYTHING));
  store.setItem("cookieConsent", "accepted");
  assert.ok(hasChosen(store, []) && hasMarketingConsent(store, []));
  assert.ok(!hasChosen(store, ["GTM-A"]) && !hasMarketingConsent(store, ["GTM-A"]));
});
