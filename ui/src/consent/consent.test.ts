import assert from "node:assert/strict";
import { mock, test } from "node:test";
import {
  EVERYTHING,
  hasMarketingConsent,
  NECESSARY_ONLY,
  readCookieSettings,
  storeCookieSettings,
} from "./cookie-settings.ts";

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
  assert.equal(hasMarketingConsent(holding("{")), false);
  assert.equal(warn.mock.callCount(), 2);
});

test("a choice is kept under the specified keys", () => {
  const kept = new Map<string, string>();
  storeCookieSettings({ setItem: (key, value) => void kept.set(key, value) }, EVERYTHING, "accepted");
  assert.deepEqual(JSON.parse(kept.get("cookieSettings") ?? ""), EVERYTHING);
  assert.equal(kept.get("cookieConsent"), "accepted");
  assert.deepEqual(readCookieSettings(holding(kept.get("cookieSettings") ?? null)), EVERYTHING);
});
