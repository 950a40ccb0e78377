import { freePort } from "../../browser/support/free-port.ts";
import type { Driver, Engine, Setting } from "./driver.ts";
import { findProgram, requireProgram, type Running, start } from "../../support/program.ts";
import { openSession, type Session } from "./webdriver.ts";

/** WebKit via WebKitGTK's driver and its minimal browser, which needs a screen: a virtual one. */
export const webkit: Engine = {
  name: "WebKit",
  lacking: () => ["WebKitWebDriver", "Xvfb"].find((name) => findProgram(name) === null) ?? null,
  launch: async () => {
    const started: Running[] = [];
    const close = async () => {
      for (const program of started.toReversed()) await program.end();
    };
    try {
      const screen = start(requireProgram("Xvfb"), ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp"]);
      started.push(screen);
      const [, display] = await screen.says(/^\s*([0-9]+)\s*$/m);
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const environment = { DISPLAY: `:${display}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1", LIBGL_ALWAYS_SOFTWARE: "1" };
      const driver = start(requireProgram("WebKitWebDriver"), [`--port=${port}`, "--host=127.0.0.1"], environment);
      started.push(driver);
      await listens(origin);
      return { open: (setting) => open(origin, setting), close };
    } catch (error) {
      await close();
      throw error;
    }
  },
};

/** A screen that fits the largest window of a test, including its bars. */
const SCREEN = "1600x1200x24";

/** How often in milliseconds a starting driver or window is polled. */
const ASKED_EVERY_MS = 50;

/** Polls the driver until it listens: it reports its port, but not that it is ready. */
async function listens(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`${origin}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
  }
  throw new Error("WebKitWebDriver does not listen.");
}

async function open(origin: string, { size, scripts }: Setting): Promise<Driver> {
  const args = ["--automation", `--enable-javascript=${scripts === "on"}`];
  const session = await openSession(origin, {
    pageLoadStrategy: "none",
    "webkitgtk:browserOptions": { args },
  });
  try {
    await resize(session, size);
  } catch (error) {
    await session.end(); // the driver allows only one session at a time
    throw error;
  }

  const evaluate = (expression: string) => session.run(`return ${expression}`);
  const command = async (path: string, body = {}) => {
    await session.post(path, body);
  };

  return {
    goto: (url) => command("/url", { url }),
    back: () => command("/back"),
    forward: () => command("/forward"),
    reload: () => command("/refresh"),
    evaluate: (expression) => evaluate(`(${WATCH})(), ${expression}`),
    act: (input) => command("/actions", { actions: [input] }),
    attach: async (selector, file) => {
      const found = (await session.post("/element", { using: "css selector", value: selector })) as object;
      await session.post(`/element/${Object.values(found)[0]}/value`, { text: file });
    },
    requests: async () => JSON.parse(await evaluate(REQUESTS)) as string[],
    complaints: async () => JSON.parse(await evaluate(COMPLAINTS)) as string[],
    close: () => session.end(),
  };
}

/** Resizes the page. The window has bars, and a minimum width. */
async function resize(session: Session, { width, height }: Setting["size"]): Promise<void> {
  await session.post("/window/rect", { width, height });
  const { beside, above } = await bars(session);
  await session.post("/window/rect", { width: width + beside, height: height + above });
}

/** Returns how much larger a window is than its page, once it is on the screen: until then its size is 0. */
async function bars(session: Session): Promise<{ beside: number; above: number }> {
  const script = "return JSON.stringify([outerWidth - innerWidth, outerHeight - innerHeight, innerWidth])";
  for (let tries = 0; tries < 200; tries += 1) {
    const sizes = JSON.parse(await session.run(script));
    const [beside, above, inside] = sizes as [number, number, number];
    if (beside >= 0 && above >= 0 && inside > 0) return { beside, above };
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
  }
  throw new Error("WebKit's window does not appear on the screen.");
}

const COMPLAINTS = `sessionStorage.getItem("complaints") ?? "[]"`;

/**
 * Records the page's complaints. The driver does not report the console, so anything before it runs this in a new
 * document goes unseen. WebKit also rejects a promise of its own when a visitor interrupts the fade between two pages; no
 * script has asked for it.
 */
const WATCH = `() => {
  if (window.isWatched || location.protocol !== "http:") return;
  window.isWatched = true;
  const keep = (text) => sessionStorage.setItem("complaints", JSON.stringify([...JSON.parse(${COMPLAINTS}), String(text)]));
  addEventListener("error", ({ message }) => keep(message));
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!String(reason).startsWith("AbortError: Skipping view transition")) keep(reason);
  });
  addEventListener("securitypolicyviolation", ({ blockedURI }) => keep("blocked: " + blockedURI));
  for (const level of ["error", "warn"]) {
    const print = console[level];
    console[level] = (...parts) => {
      keep(parts.join(" "));
      print.apply(console, parts);
    };
  }
}`;

const REQUESTS = `JSON.stringify(performance.getEntriesByType("resource").map(({ name }) => name))`;
