import type { Key } from "./driver.ts";

/** An action of the keyboard in WebDriver, classic and BiDi alike. */
interface KeyAction {
  readonly type: "keyDown" | "keyUp";
  readonly value: string;
}

/** What WebDriver calls keys that have no character. */
const VALUES: Readonly<Record<Key, string>> = {
  ArrowDown: "\uE015",
  Enter: "\uE007",
  Space: " ",
  Tab: "\uE004",
};

/** Returns the actions of typing a text, or of pressing a key. */
export function keyActions(input: { readonly text: string } | { readonly key: Key }): KeyAction[] {
  const values = "key" in input ? [VALUES[input.key]] : [...input.text];
  return values.flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
}

/** Returns the actions of a click with the main button. */
export function clickActions(x: number, y: number): readonly Readonly<Record<string, unknown>>[] {
  return [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
}
