import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createQueue, itemName } from "./queue.ts";
import { isWaiting, RESULT_LIFETIME_MS } from "./waiting.ts";
import { queued } from "./queued-inquiry.ts";
import { brokenStorage, fullStorage, MemoryStorage } from "../../tests/support/memory-storage.ts";

const NOW = 1_000_000;
const PRIVATE_PAGE = "/anfrage/Zm9vYmFyYmF6cXV4-_0123";
const inquiry = (key: string, now = NOW) =>
  queued({ key, body: `[{"first_name":"${key}"}]`, createdAt: "2026-03-01T12:00:00Z" }, now);

test("inquiries come back as they were stored, oldest first", () => {
  const queue = createQueue(new MemoryStorage());
  const later = inquiry("later", NOW + 1);
  const sooner = inquiry("sooner");
  assert.ok(queue.put(later) && queue.put(sooner));
  assert.deepEqual(queue.list(), [sooner, later]);
  queue.remove("sooner");
  assert.deepEqual(queue.list(), [later]);
  assert.equal(queue.find("sooner"), null);
});

test("what cannot be read is removed, what is not ours stays", () => {
  const storage = new MemoryStorage();
  for (const text of ["", "{", "null", "[]", '"text"', '{"key":"a"}', '{"key":1}', '{"key":"a","result":{}}']) {
    storage.setItem(itemName(text), text);
  }
  storage.setItem("cookieSettings", "{");
  assert.deepEqual(createQueue(storage).list(), []);
  assert.equal(storage.length, 1);
});

test("an inquiry keeps its bot signals, and is not lost when they cannot be read", () => {
  const storage = new MemoryStorage();
  const queue = createQueue(storage);
  const bare = inquiry("a");
  const complete = { ...bare, botSignals: { fillTime: 41_250, isTrapFilled: false } };
  queue.put(complete);
  assert.deepEqual(queue.find("a"), complete);
  for (const broken of [null, 1, {}, { fillTime: "1", isTrapFilled: false }, { fillTime: -1, isTrapFilled: false }]) {
    storage.setItem(itemName("a"), JSON.stringify({ ...bare, botSignals: broken }));
    assert.deepEqual(queue.find("a"), bare);
  }
});

test("without storage, with a broken and with a full one nothing is kept and nothing throws", () => {
  for (const storage of [null, brokenStorage(), fullStorage()]) {
    const queue = createQueue(storage);
    assert.equal(queue.put(inquiry("a")), false);
    assert.deepEqual(queue.list(), []);
    assert.equal(queue.find("a"), null);
    queue.settle("a", { kind: "expired" }, NOW);
    assert.deepEqual(queue.resultOf("a"), { kind: "expired" }, "it is known until the page is left");
    assert.equal(createQueue(storage).resultOf("a"), null);
    queue.remove("a");
    queue.removeOldResults(NOW);
  }
});

test("a result takes the place of the inquiry, holds nothing of it, and goes after seven days", () => {
  const storage = new MemoryStorage();
  const tabStorage = new MemoryStorage();
  const queue = createQueue(storage, tabStorage);
  for (const result of [
    { kind: "stored", reference: "1f2e3d4c5b6a", privatePage: PRIVATE_PAGE, firmsAsked: true },
    { kind: "stored", reference: null, privatePage: null, firmsAsked: true },
    { kind: "refused", message: "Ungültige Telefonnummer" },
    { kind: "expired" },
  ] as const) {
    queue.put(inquiry("a"));
    assert.equal(queue.resultOf("a"), null);
    queue.settle("a", result, NOW);
    assert.deepEqual(queue.resultOf("a"), result);
    assert.equal(queue.find("a"), null);
    assert.deepEqual(queue.list(), []);
    assert.doesNotMatch(storage.getItem(itemName("a")) ?? "", /first_name/);
    queue.removeOldResults(NOW + RESULT_LIFETIME_MS);
    assert.deepEqual(queue.resultOf("a"), result);
    queue.removeOldResults(NOW + RESULT_LIFETIME_MS + 1);
    assert.equal(storage.length + tabStorage.length, 0);
  }
});

test("the private page is known in the tab that sent the inquiry, and stored nowhere else", () => {
  const storage = new MemoryStorage();
  const tabStorage = new MemoryStorage();
  const result = { kind: "stored", reference: "1f2e3d4c5b6a", privatePage: PRIVATE_PAGE, firmsAsked: true } as const;
  createQueue(storage, tabStorage).settle("a", result, NOW);
  assert.deepEqual(createQueue(storage, tabStorage).resultOf("a"), result);
  assert.deepEqual(createQueue(storage, new MemoryStorage()).resultOf("a"), { ...result, privatePage: null });
  assert.doesNotMatch(storage.getItem(itemName("a")) ?? "", /anfrage/);
  for (const refusing of [null, brokenStorage(), fullStorage()]) {
    const queue = createQueue(storage, refusing);
    queue.settle("a", result, NOW);
    assert.deepEqual(queue.resultOf("a"), result, "it is known until the page is left");
  }
});

test("a result without a private page has none, and a forged one none either", () => {
  const storage = new MemoryStorage();
  for (const privatePage of [undefined, "https://example.com/anfrage/x", "javascript:alert(1)", 1]) {
    const result = { kind: "stored", reference: "1f2e3d4c5b6a", privatePage };
    storage.setItem(itemName("a"), JSON.stringify({ key: "a", result, settledAt: NOW }));
    assert.deepEqual(createQueue(storage).resultOf("a"), { ...result, privatePage: null, firmsAsked: false });
  }
});

test("what was declared beside the record is kept, and broken declarations lose no inquiry", () => {
  const storage = new MemoryStorage();
  const queue = createQueue(storage);
  const bare = inquiry("a");
  const complete = { ...bare, additions: "Gebäude: Haus\nProblem: Federn", consent: 1 };
  queue.put(complete);
  assert.deepEqual(queue.find("a"), complete);
  for (const [additions, consent] of [
    [null, null],
    [1, "1"],
    ["\ud800", 0],
    [{}, 1.5],
    ["x".repeat(2_001), 1_000_000],
  ]) {
    storage.setItem(itemName("a"), JSON.stringify({ ...bare, additions, consent }));
    assert.deepEqual(queue.find("a"), bare);
  }
});

test("a result that a full storage refuses leaves nothing of the inquiry", () => {
  const storage = new MemoryStorage();
  const queue = createQueue(storage);
  queue.put(inquiry("a"));
  storage.setItem = fullStorage().setItem;
  queue.settle("a", { kind: "stored", reference: null, privatePage: PRIVATE_PAGE, firmsAsked: true }, NOW);
  assert.equal(storage.length, 0);
});

test("pages without React can deliver, too: nothing imports it", async () => {
  const folder = import.meta.dirname;
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".test.ts"));
  const users = [];
  for (const name of names) {
    if (/from "react/.test(await readFile(join(folder, name), "utf8"))) users.push(name);
  }
  assert.deepEqual(users, []);
  assert.ok(names.length > 5);
});

test("the rest of the queue is needed for what waits, what is unreadable and what is old, not for a fresh result", () => {
  const now = RESULT_LIFETIME_MS * 3;
  const past = (settledAt: number) => JSON.stringify({ key: "a", result: { kind: "expired" }, settledAt });
  for (const [name, text, isNeeded] of [
    [itemName("a"), JSON.stringify({ queuedAt: now }), true],
    [itemName("a"), "{", true],
    [itemName("a"), "null", true],
    [itemName("a"), past(now - RESULT_LIFETIME_MS - 1), true],
    [itemName("a"), past(now - RESULT_LIFETIME_MS), false],
    ["other", "{", false],
  ] as const) {
    const storage = new MemoryStorage();
    storage.setItem(name, text);
    assert.equal(isWaiting(storage, now), isNeeded, text);
  }
  assert.equal(isWaiting(null, now), false);
  assert.equal(isWaiting(brokenStorage(), now), false);
});
