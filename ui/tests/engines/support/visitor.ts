import assert from "node:assert/strict";
import type { Driver, Setting } from "./driver.ts";
import { type Approach, isPainted, isReady, look, type Seen, type Target } from "./in-page.ts";
import { clickAt, type Key, keyPress, typing } from "./keys.ts";

/** How long in milliseconds a visitor waits for anything: many times what it takes on a busy machine. */
const PATIENCE_MS = 30_000;

/** How often in milliseconds a visitor looks again. */
const LOOKED_EVERY_MS = 40;

/** How often in a row an element must be in the same place, so that smooth scrolling cannot carry it away from a click. */
const STILL_LOOKS = 3;

/** A visitor of the site in one tab, independent of the engine. */
export class Visitor {
  constructor(
    private readonly driver: Driver,
    private readonly origin: string,
    private readonly scripts: Setting["scripts"],
  ) {}

  /** Returns the same visitor in the same tab, but for another origin. */
  at(origin: string): Visitor {
    return new Visitor(this.driver, origin, this.scripts);
  }

  async open(path: string): Promise<void> {
    await this.inNewDocument(() => this.driver.goto(this.origin + path));
  }

  async reload(): Promise<void> {
    await this.inNewDocument(() => this.driver.reload());
  }

  /** Presses the browser's back button, and waits for the page. */
  async back(path: string): Promise<void> {
    await this.driver.back();
    await this.isAt(path);
  }

  async forward(path: string): Promise<void> {
    await this.driver.forward();
    await this.isAt(path);
  }

  /** Waits for the page with this path, including query and anchor. */
  async isAt(path: string): Promise<void> {
    await this.until(`the page ${path}`, async () => {
      const address = await this.evaluate(() => location.href);
      return address === this.origin + path && (await this.evaluate(isReady, this.scripts));
    });
  }

  async sees(target: Target): Promise<Seen> {
    return this.until(`the ${target.role} "${target.name}"`, () => this.look(target));
  }

  /** Waits until an element has the wanted state. */
  async finds(target: Target, wished: Partial<Seen>): Promise<void> {
    const entries = Object.entries(wished) as [keyof Seen, unknown][];
    await this.until(`the ${target.role} "${target.name}" with ${JSON.stringify(wished)}`, async () => {
      const seen = await this.look(target);
      return seen !== null && entries.every(([name, value]) => seen[name] === value);
    });
  }

  async misses(target: Target): Promise<void> {
    await this.until(`no ${target.role} "${target.name}"`, async () => (await this.look(target)) === null);
  }

  /** Returns the current state of an element. */
  look(target: Target, approach: Approach = "stay"): Promise<Seen | null> {
    return this.evaluate(look, target, approach);
  }

  /**
   * Clicks an element as soon as it stays in place and nothing covers it, scrolling to it if necessary. Browsers ignore
   * clicks on a page that they have not painted yet.
   */
  async click(target: Target): Promise<void> {
    let before: Seen["point"] = null;
    let looks = 0;
    const { x, y } = await this.until(`a place to click at the ${target.role} "${target.name}"`, async () => {
      const point = (await this.look(target))?.point ?? (await this.look(target, "scroll"))?.point ?? null;
      const isStill = point !== null && point.x === before?.x && point.y === before.y;
      before = point;
      looks = isStill ? looks + 1 : 0;
      return looks >= STILL_LOOKS && (await this.evaluate(isPainted)) ? point : null;
    });
    await this.driver.act(clickAt(x, y));
  }

  /** Ticks a box or chooses an option. */
  async choose(target: Target): Promise<void> {
    await this.click(target);
    await this.finds(target, { isChecked: true });
  }

  /** Types a text into a field, replacing its contents. */
  async fill(name: string, text: string): Promise<void> {
    const field: Target = { role: "textbox", name };
    await this.click(field);
    await this.finds(field, { isFocused: true });
    await this.evaluate(() => (document.activeElement as HTMLInputElement).select());
    await this.type(text);
    await this.finds(field, { value: text });
  }

  /** Chooses a local file in a field, without its dialog. */
  attach(selector: string, file: string): Promise<void> {
    return this.driver.attach(selector, file);
  }

  /** Types where the focus is. */
  type(text: string): Promise<void> {
    return this.driver.act(typing(text));
  }

  press(key: Key): Promise<void> {
    return this.driver.act(keyPress(key));
  }

  /** Returns the visible text of the page, or of a part of it. */
  async text(selector = "main"): Promise<string> {
    return this.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.innerText ?? "", selector);
  }

  /** Waits until the page shows a text. */
  async reads(text: string, selector = "main"): Promise<void> {
    await this.until(`the text "${text}"`, async () => (await this.text(selector)).includes(text));
  }

  /** Runs a function in the page and returns its result. It may use nothing but its arguments. */
  async evaluate<A extends readonly unknown[], R>(run: (...args: A) => R, ...args: A): Promise<R> {
    const list = args.map((arg) => JSON.stringify(arg)).join(", ");
    return JSON.parse(await this.driver.evaluate(`JSON.stringify((${run})(${list}) ?? null)`)) as R;
  }

  /** Waits until a function in the page returns true. */
  async meets<A extends readonly unknown[]>(what: string, run: (...args: A) => boolean, ...args: A): Promise<void> {
    await this.until(what, () => this.evaluate(run, ...args));
  }

  /** Asserts that nothing went wrong out of sight: no errors in the console, no requests to other hosts. */
  async leavesQuietly(): Promise<void> {
    assert.deepEqual(await this.driver.complaints(), []);
    const foreign = (await this.driver.requests()).filter(
      (address) => !address.startsWith(this.origin) && !/^(data|blob):/.test(address),
    );
    assert.deepEqual(foreign, []);
  }

  /** Returns the first value other than null and false, even if the page is being replaced meanwhile. */
  private async until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      let answer: T | null | false = null;
      let reason = "";
      try {
        answer = await ask();
      } catch (error) {
        reason = String(error); // a document that is being replaced does not respond
      }
      if (answer !== null && answer !== false) return answer;
      if (Date.now() > deadline) throw new Error(await this.report(what, reason));
      await new Promise((resolve) => setTimeout(resolve, LOOKED_EVERY_MS));
    }
  }

  private async report(what: string, reason: string): Promise<string> {
    const where = await this.evaluate(() => `${location.pathname}${location.search}${location.hash}`).catch(String);
    const text = await this.text("body").catch(String);
    return `Waited in vain for ${what} at ${where}. ${reason}\n${text.slice(0, 600)}`;
  }

  private async inNewDocument(navigate: () => Promise<void>): Promise<void> {
    await this.evaluate(() => void Object.assign(window, { isLeft: true }));
    await navigate();
    await this.until("a new document", () =>
      this.evaluate((ready) => !("isLeft" in window) && ready, true).then(
        async (isNew) => isNew && this.evaluate(isReady, this.scripts),
      ),
    );
  }
}
