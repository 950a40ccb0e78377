import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Body, connect, type Connection } from "../../support/connection.ts";
import type { Browser, Driver, Engine, Setting } from "./driver.ts";
import { findProgram, requireProgram, start } from "../../support/program.ts";

const NAMES = ["firefox-esr", "firefox"] as const;

/** Firefox via WebDriver BiDi, which it speaks natively, without a driver in between. */
export const firefox: Engine = {
  name: "Firefox",
  lacking: () => (findProgram(...NAMES) ? null : "firefox-esr"),
  launch: async () => {
    // Scripts can only be switched on or off for a whole Firefox, so each setting has its own.
    const launched = new Map<Setting["scripts"], Promise<Browser>>();
    return {
      open: async (setting) => {
        const running = launched.get(setting.scripts) ?? launch(setting.scripts);
        launched.set(setting.scripts, running);
        return (await running).open(setting);
      },
      close: async () => {
        await Promise.all([...launched.values()].map(async (browser) => (await browser).close()));
      },
    };
  },
};

async function launch(scripts: Setting["scripts"]): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "taubenabwehr-firefox-"));
  // Remote control itself keeps Firefox off the network and suppresses its prompts.
  await writeFile(join(profile, "user.js"), `user_pref("javascript.enabled", ${scripts === "on"});`);
  const program = start(
    requireProgram(...NAMES),
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"],
    // Firefox refuses a home directory of another user, which a container may have.
    { HOME: profile },
  );
  const end = async () => {
    await program.end();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [, address] = await program.says(/WebDriver BiDi listening on (ws:\S+)/);
    const bidi = await connect(`${address}/session`);
    await bidi.send("session.new", { capabilities: {} });
    await bidi.send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
    return {
      open: (setting) => open(bidi, setting),
      close: async () => {
        bidi.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function open(bidi: Connection, { size }: Setting): Promise<Driver> {
  const { userContext } = await bidi.send("browser.createUserContext");
  const { context } = await bidi.send("browsingContext.create", { type: "tab", userContext });
  await bidi.send("browsingContext.setViewport", { context, viewport: size });
  await bidi.send("emulation.setLocaleOverride", { contexts: [context], locale: "de-DE" });
  const complaints: string[] = [];
  const requests: string[] = [];
  bidi.onEvent((method, params) => {
    const owner = method === "log.entryAdded" ? (params.source as Body).context : params.context;
    if (owner !== context) return;
    if (method === "network.beforeRequestSent") requests.push(String((params.request as Body).url));
    else if (["error", "warn"].includes(String(params.level))) complaints.push(String(params.text));
  });

  const traverse = async (delta: number) => {
    await bidi.send("browsingContext.traverseHistory", { context, delta });
  };

  return {
    goto: async (url) => {
      await bidi.send("browsingContext.navigate", { context, url, wait: "none" });
    },
    back: () => traverse(-1),
    forward: () => traverse(1),
    reload: async () => {
      await bidi.send("browsingContext.reload", { context, wait: "none" });
    },
    evaluate: async (expression) => {
      const answer = await bidi.send("script.evaluate", { expression, target: { context }, awaitPromise: false });
      if (answer.type !== "success") throw new Error(String((answer.exceptionDetails as Body).text));
      return String((answer.result as Body).value);
    },
    act: async (input) => {
      await bidi.send("input.performActions", { context, actions: [input] });
    },
    attach: async (selector, file) => {
      const locator = { type: "css", value: selector };
      const { nodes } = await bidi.send("browsingContext.locateNodes", { context, locator });
      const [{ sharedId } = {}] = nodes as Body[];
      await bidi.send("input.setFiles", { context, element: { sharedId }, files: [file] });
    },
    requests: async () => requests,
    complaints: async () => complaints,
    close: async () => {
      await bidi.send("browser.removeUserContext", { userContext });
    },
  };
}
