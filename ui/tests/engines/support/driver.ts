import type { Input } from "./keys.ts";

/** What the browser of a visitor is like. */
export interface Setting {
  readonly size: Size;
  readonly scripts: "on" | "off";
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What each way of driving a browser can do to a tab. Nothing here waits for more than the command itself: a visitor
 * waits for what he sees (`visitor.ts`). Coordinates are CSS pixels of the viewport.
 */
export interface Driver {
  goto(address: string): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  reload(): Promise<void>;
  /** Returns what an expression of JSON text yields in the page, also where the page itself may not run scripts. */
  evaluate(expression: string): Promise<string>;
  act(input: Input): Promise<void>;
  /** Puts a file into the field that a CSS selector finds, as its dialog does. */
  attach(selector: string, file: string): Promise<void>;
  /** Returns the addresses that were requested, as far as the engine tells. */
  requests(): Promise<readonly string[]>;
  /** Returns errors and warnings of the console and uncaught exceptions, as far as the engine tells. */
  complaints(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A browser that runs. */
export interface Browser {
  /** Opens a tab that shares nothing with others. */
  open(setting: Setting): Promise<Driver>;
  close(): Promise<void>;
}

/** A browser engine and how to drive it. */
export interface Engine {
  readonly name: string;
  /** Returns what is not installed that the engine needs; null if everything is there. */
  lacking(): string | null;
  launch(): Promise<Browser>;
}
