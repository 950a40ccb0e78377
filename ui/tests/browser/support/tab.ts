import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** Flags that make a browser run in a container and keep it off the network, and a pipe to talk by. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--remote-debugging-pipe",
];

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

type Params = Record<string, unknown>;

/** A document in a tab: the one that is shown, or one that the browser renders ahead. */
export interface TabPage {
  readonly targetId: string;
  /** `prerender` until it is shown; the page that it replaces is then gone. */
  readonly subtype: string;
  evaluate<T>(expression: string): Promise<T>;
  send(method: string, params?: Params): Promise<Record<string, unknown>>;
}

/**
 * A tab of Chromium as its user has it. Playwright attaches to the page itself, which keeps the browser from rendering
 * others ahead; this attaches to the tab.
 */
export interface Tab {
  /** Waits for the page, now or later, for which the expression is true. Returns it. */
  page(isMeant: (page: TabPage) => Promise<boolean> | boolean): Promise<TabPage>;
  close(): Promise<void>;
}

/** Milliseconds between two looks, and after which a page does not come any more. */
const LOOK_MS = 20;
const PATIENCE_MS = 20_000;

/** A command of the DevTools protocol. */
export type Command = readonly [method: string, params?: Params];

/** Opens a browser with one tab. The commands set each page up before it begins to load. */
export async function openTab(setUp: readonly Command[]): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), "taubenabwehr-tab-"));
  const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const pages = new Map<string, TabPage>();
  const setting: Promise<unknown>[] = [];
  const send = connect(browser, ({ method, params = {}, sessionId }) => {
    if (method === "Target.detachedFromTarget") pages.delete(String(params.sessionId));
    if (method !== "Target.attachedToTarget") return;
    const session = String(params.sessionId);
    const { targetId, type, subtype = "" } = params.targetInfo as { targetId: string; type: string; subtype?: string };
    if (type === "page" && sessionId !== undefined) {
      const page = pageOf(targetId, subtype, (name, more) => send(name, more, session));
      pages.set(session, page);
    }
    // In this order, but without waiting: a page that waits may not answer.
    const commands = type === "page" && sessionId !== undefined ? setUp : [];
    for (const [method, params] of [...commands, ["Runtime.runIfWaitingForDebugger"] as Command])
      setting.push(send(method, params, session).catch(() => undefined));
  });

  const { targetInfos } = (await send("Target.getTargets", { filter: [{ type: "tab" }] })) as {
    targetInfos: { targetId: string }[];
  };
  const { sessionId } = await send("Target.attachToTarget", { targetId: targetInfos[0]?.targetId, flatten: true });
  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await send("Target.setAutoAttach", attach, String(sessionId));
  // The first page is attached by now. Left before it is set up, it would hand nothing on to the next.
  await Promise.all(setting);

  return {
    page: async (isMeant) => {
      for (const start = Date.now(); Date.now() - start < PATIENCE_MS; ) {
        for (const page of pages.values()) if (await Promise.resolve(isMeant(page)).catch(() => false)) return page;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      throw new Error(`The page has not come, only ${pages.size} others.`);
    },
    close: async () => {
      const closed = new Promise((resolve) => browser.once("close", resolve));
      browser.kill();
      await closed;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function pageOf(targetId: string, subtype: string, send: TabPage["send"]): TabPage {
  return {
    targetId,
    subtype,
    send,
    evaluate: async <T>(expression: string) => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await send("Runtime.evaluate", options);
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value: T }).value;
    },
  };
}

type Send = (method: string, params?: Params, sessionId?: string) => Promise<Record<string, unknown>>;

/** Talks to a browser by its pipe, in messages that end with a NUL. */
function connect(browser: ChildProcess, onEvent: (message: Message) => void): Send {
  const [, , , to, from] = browser.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, { sessionId: string | undefined; settle: (message: Message) => void }>();
  let rest = "";
  let lastId = 0;
  // A page that is gone answers nothing any more.
  const giveUp = (session: string) => {
    for (const [id, { sessionId, settle }] of waiting) {
      if (sessionId !== session) continue;
      waiting.delete(id);
      settle({ error: { message: "The page is gone." } });
    }
  };
  from.setEncoding("utf8").on("data", (part: string) => {
    const texts = (rest + part).split("\0");
    rest = texts.pop() ?? "";
    for (const text of texts) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) {
        waiting.get(message.id)?.settle(message);
        waiting.delete(message.id);
        continue;
      }
      if (message.method === "Target.detachedFromTarget") giveUp(String(message.params?.sessionId));
      onEvent(message);
    }
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const settle = ({ result, error }: Message) => (error ? reject(new Error(error.message)) : resolve(result ?? {}));
      waiting.set(lastId, { sessionId, settle });
      to.write(`${JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
}
