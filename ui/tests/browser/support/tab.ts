import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Body, connect } from "../../support/connection.ts";
import { start } from "../../support/program.ts";
import { CHROMIUM, FLAGS as USUAL } from "./browser.ts";
import { deferred } from "./deferred.ts";

/** Resolves no other hosts than this machine, and prints the address for debugging. */
const FLAGS = [
  ...USUAL,
  "--headless=new",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--remote-debugging-port=0",
];

/** A document in a tab: the one that is shown, or one that the browser prerenders. */
export interface TabPage {
  /** `prerender` until it is shown; then the page that it replaces is gone. */
  readonly subtype: string;
  evaluate<T>(expression: string): Promise<T>;
  send(method: string, params?: Body): Promise<Body>;
}

/**
 * A tab of Chromium that behaves as it does for users. Playwright attaches to the page itself, which keeps the browser
 * from prerendering others; this attaches to the tab.
 */
export interface Tab {
  /** Waits for the page for which the expression is true, and returns it. */
  page(isMeant: (page: TabPage) => Promise<boolean> | boolean): Promise<TabPage>;
  close(): Promise<void>;
}

/** Milliseconds between two attempts, and until giving up on a page. */
const LOOK_MS = 20;
const PATIENCE_MS = 20_000;

/** A command of the DevTools protocol. */
export type Command = readonly [method: string, params?: Body];

/** Opens a browser with one tab. The commands set up each page before it begins to load. */
export async function openTab(setUp: readonly Command[]): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), "taubenabwehr-tab-"));
  const browser = start(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"]);
  const [, address = ""] = await browser.says(/DevTools listening on (ws:\S+)/);
  const { send, onEvent } = await connect(address);
  const pages = new Map<string, { page: TabPage; leave: () => void }>();
  const setting: Promise<unknown>[] = [];

  onEvent((method, params, parent) => {
    const session = String(params.sessionId);
    if (method === "Target.detachedFromTarget") {
      pages.get(session)?.leave();
      pages.delete(session);
    }
    if (method !== "Target.attachedToTarget") return;
    const { type, subtype = "" } = params.targetInfo as { type: string; subtype?: string };
    const isPage = type === "page" && parent !== undefined;
    if (isPage) {
      // A page that is gone never responds.
      const { promise: gone, resolve: leave } = deferred();
      const left = gone.then(() => Promise.reject(new Error("The page is gone.")));
      left.catch(() => {});
      const page = pageOf(subtype, (method, params) => Promise.race([send(method, params, session), left]));
      pages.set(session, { page, leave });
    }
    // In this order, but without waiting: a paused page may not respond.
    for (const [method, params] of [...(isPage ? setUp : []), ["Runtime.runIfWaitingForDebugger"] as Command])
      setting.push(send(method, params, session).catch(() => undefined));
  });

  const { targetInfos } = await send("Target.getTargets", { filter: [{ type: "tab" }] });
  const [{ targetId } = {}] = targetInfos as Body[];
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await send("Target.setAutoAttach", attach, String(sessionId));
  // The first page is attached by now. If it is left before it is set up, the next one inherits nothing.
  await Promise.all(setting);

  return {
    page: async (isMeant) => {
      for (const start = Date.now(); Date.now() - start < PATIENCE_MS; ) {
        for (const { page } of pages.values()) if (await Promise.resolve(isMeant(page)).catch(() => false)) return page;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      throw new Error(`The page has not come, only ${pages.size} others.`);
    },
    close: async () => {
      await browser.end();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function pageOf(subtype: string, send: TabPage["send"]): TabPage {
  return {
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
