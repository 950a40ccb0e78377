import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { currentToasts, dismissToast, handle, onToastsChange } from "./list.ts";
import type { ToastContent } from "./store.ts";

const titles = () => currentToasts().map(({ title }) => title);
const showToast = (show: ToastContent) => handle({ show });

beforeEach(() => {
  for (const { id } of currentToasts()) dismissToast(id);
});

test("toasts stack, and each can be closed", () => {
  showToast({ tone: "info", title: "one" });
  showToast({ tone: "error", title: "two" });
  assert.deepEqual(titles(), ["one", "two"]);
  dismissToast(currentToasts()[0]?.id ?? 0);
  assert.deepEqual(titles(), ["two"]);
});

test("a toast takes the place of its group's, as a new one", () => {
  showToast({ tone: "error", title: "one", group: "form" });
  const [first] = currentToasts();
  showToast({ tone: "info", title: "other" });
  showToast({ tone: "error", title: "two", group: "form" });
  assert.deepEqual(titles(), ["other", "two"]);
  assert.notEqual(currentToasts()[1]?.id, first?.id);
  handle({ dismissGroup: "form" });
  assert.deepEqual(titles(), ["other"]);
});

test("the oldest go when there are too many", () => {
  for (const title of ["1", "2", "3", "4", "5"]) showToast({ tone: "info", title });
  assert.deepEqual(titles(), ["2", "3", "4", "5"]);
});

test("changes are told", () => {
  const told: string[][] = [];
  onToastsChange((toasts) => told.push(toasts.map(({ title }) => title)));
  showToast({ tone: "info", title: "heard" });
  dismissToast(currentToasts()[0]?.id ?? 0);
  assert.deepEqual(told, [["heard"], []]);
});
