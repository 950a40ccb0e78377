import type { Input } from "./keys.ts";

/** The settings of a visitor's browser. */
export interface Setting {
  readonly size: Size;
  readonly scripts: "on" | "off";
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What each way of driving a browser can do to a tab. Nothing here waits for more than the command itself; a `Visitor`
 * waits for what the page shows. Coordinates are CSS pixels of the viewport.
 */
export interface Driver {
  goto(address: string): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  reload(): Promise<void>;
  /** Evaluates an expression that yields JSON text in the page, even if the page itself may not run scripts. */
  evaluate(expression: string): Promise<string>;
  act(input: Input): Promise<void>;
  /** Puts a file into the field that matches a CSS selector, as its dialog would. */
  attach(selector: string, file: string): Promise<void>;
  /** Returns the addresses that were requested, as far as the engine reports them. */
  requests(): Promise<readonly string[]>;
  /** Returns errors and warnings of the console and uncaught exceptions, as far as the engine reports them. */
  complaints(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A running browser. */
export interface Browser {
  /** Opens a tab that shares nothing with others. */
  open(setting: Setting): Promise<Driver>;
  close(): Promise<void>;
}

/** A browser engine and how to drive it. */
export interface Engine {
  readonly name: string;
  /** Returns what the engine needs but is not installed; null if nothing is missing. */
  lacking(): string | null;
  launch(): Promise<Browser>;
}
