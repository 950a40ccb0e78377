/* Actions of WebDriver, the same in classic and BiDi. */

/** WebDriver's codes for keys without a character, by the names that events use. */
const KEYS = { ArrowDown: "\uE015", Enter: "\uE007", Space: " ", Tab: "\uE004" } as const;

export type Key = keyof typeof KEYS;

/** A mouse or a keyboard, and its actions. */
export interface Input {
  readonly type: "pointer" | "key";
  readonly id: string;
  readonly actions: readonly object[];
}

/** Presses keys one after the other. */
const typed = (values: readonly string[]): Input => ({
  type: "key",
  id: "keyboard",
  actions: values.flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
});

export const keyPress = (key: Key): Input => typed([KEYS[key]]);
export const typing = (text: string): Input => typed([...text]);

/** A click with the main button. */
export const clickAt = (x: number, y: number): Input => ({
  type: "pointer",
  id: "mouse",
  actions: [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ],
});
